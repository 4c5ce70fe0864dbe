#include "media_service.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <atomic>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "stator/mapping/schema.h"

namespace media {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace sessions = stator::sessions;
using net::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;
using stator::Error;
using stator::ErrorCode;
using stator::Item;
using stator::Result;

constexpr int kThreads = 16;

Response Answer(http::status status, const Item& body) {
  Response response(status, 11);
  response.set(http::field::content_type, "application/json");
  response.body() = stator::CanonicalJson(body);
  return response;
}

Response Refuse(http::status status, std::string_view why) {
  return Answer(status, {{"error", why}});
}

// What the store says becomes what the client sees; causes stay here.
Response Refuse(const Error& error) {
  Item body{{"error", NameOf(error.code)}, {"message", error.message}};
  if (const std::string& state = sessions::FactsOf(error).state; !state.empty()) {
    body.Set("state", state);
  }
  return Answer(http::int_to_status(static_cast<unsigned>(HttpStatus(error.code))), body);
}

Item Show(const sessions::Record& record) {
  Item value = record.value;
  value.Erase("rawResponse");  // of the model; not for clients
  return {{"kind", record.kind}, {"id", record.id}, {"rev", record.revision()}, {"value", value}};
}

Response Shown(const Result<sessions::Record>& record, http::status status = http::status::ok) {
  return record ? Answer(status, Show(*record)) : Refuse(record.error());
}

Response Shown(const Result<sessions::Summary>& summary) {
  stator::List records;
  for (const sessions::Record& record :
       summary ? summary->records : std::vector<sessions::Record>()) {
    records.emplace_back(Show(record));
  }
  return summary ? Answer(http::status::ok, {{"records", std::move(records)}})
                 : Refuse(summary.error());
}

Response Done(const Result<sessions::Invalidation>& invalidation) {
  // What could not be removed yet is invisible and expires; to the client it is gone.
  if (!invalidation && invalidation.error().code != ErrorCode::kIncomplete) {
    return Refuse(invalidation.error());
  }
  return Answer(http::status::ok, {{"removed", invalidation ? invalidation->deleted.size() : 0}});
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) {
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

Response Make(const sessions::Session& session, const std::string& kind, const std::string& body) {
  const std::vector<std::string> lines = Split(body, '\n');
  if (kind == "enhancement") {
    std::vector<sessions::NewItem> photos;
    for (const std::string& key : lines) {
      photos.push_back({.id = key, .input = {{"originalKey", key}, {"phase", "pending"}}});
    }
    return Shown(session.PutNewWithItems(kind, "", {{"status", "processing"}}, photos),
                 http::status::created);
  }
  Item value;
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos) {
      return Refuse(http::status::bad_request, "a line is name=text");
    }
    value.Set(line.substr(0, equals), line.substr(equals + 1));
  }
  return Shown(session.PutNew(kind, "", std::move(value)), http::status::created);
}

// Everything behind /sessions/ID. Whoever gets here owns the session.
Response ServeSession(const sessions::Session& session, const Request& request,
                      const std::vector<std::string>& path) {
  const bool posts = request.method() == http::verb::post;
  if (request.method() == http::verb::get && (path.size() == 2 || path.size() == 4)) {
    return path.size() == 2 ? Shown(session.Load()) : Shown(session.Get(path[2], path[3]));
  }
  if (posts && path.size() == 4 && path[2] == "invalidate") {
    return Done(session.InvalidateFrom(path[3]));
  }
  if (posts && path.size() == 3) {
    return Make(session, path[2], request.body());
  }
  if (posts && path.size() == 5) {
    return Shown(session.Transition(path[2], path[3], {.to = path[4]}));
  }
  if (request.method() == http::verb::delete_ && path.size() == 2) {
    return Done(session.Expire());
  }
  return Refuse(http::status::not_found, "there is no such page");
}

Response TakeResult(const sessions::Session& session, const std::string& job,
                    const std::string& body) {
  const std::vector<std::string> keys = Split(body, '\n');
  if (keys.size() != 2) {
    return Refuse(http::status::bad_request, "two lines: the photo and the improved one");
  }
  const auto done = session.CompleteItem("enhancement", job, keys[0],
                                         {{"phase", "complete"}, {"enhancedKey", keys[1]}});
  return done ? Answer(http::status::ok, {{"done", done->progress.done},
                                          {"total", done->progress.total},
                                          {"already", done->already_done}})
              : Refuse(done.error());
}

}  // namespace

struct MediaService::State {
  State(sessions::SessionStore* used, std::string secret)
      : store(used), worker_secret(std::move(secret)) {}

  // The one way in: nobody gets a session without being asked who they are.
  Response Serve(const Request& request) const {
    const std::vector<std::string> path =
        Split({request.target().data(), request.target().size()}, '/');
    if (path.size() == 3 && path[0] == "results" && request.method() == http::verb::post) {
      if (request["X-Worker"] != worker_secret) {
        return Refuse(http::status::unauthorized, "for workers only");
      }
      const auto worker = store->AsWorker(path[1]);
      return worker ? TakeResult(*worker, path[2], request.body()) : Refuse(worker.error());
    }
    const std::string user(request["X-User"]);
    if (path.size() < 2 || path[0] != "sessions" || user.empty()) {
      return user.empty() ? Refuse(http::status::unauthorized, "who asks?")
                          : Refuse(http::status::not_found, "there is no such page");
    }
    const auto session = store->Claim(path[1], user);
    return session ? ServeSession(*session, request, path) : Refuse(session.error());
  }

  // One of several threads, one request at a time.
  void Run() {
    while (!stopping) {
      beast::error_code error;
      tcp::socket socket = acceptor.accept(error);
      beast::flat_buffer buffer;
      http::request_parser<http::string_body> parser;
      parser.body_limit(1 << 20);
      if (http::read(socket, buffer, parser, error); !stopping && !error) {
        Response response = Serve(parser.get());
        response.keep_alive(false);
        response.prepare_payload();
        http::write(socket, response, error);
      }
    }
  }

  sessions::SessionStore* store;
  std::string worker_secret;
  net::io_context context;
  tcp::acceptor acceptor{context};
  std::atomic<bool> stopping = false;
  std::vector<std::jthread> threads;
};

stator::Result<std::unique_ptr<MediaService>> MediaService::Start(sessions::SessionStore& store,
                                                                  std::uint16_t port,
                                                                  std::string worker_secret) {
  auto state = std::make_unique<State>(&store, std::move(worker_secret));
  const tcp::endpoint endpoint(net::ip::address_v4::loopback(), port);
  beast::error_code error;
  state->acceptor.open(endpoint.protocol(), error);
  state->acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (state->acceptor.bind(endpoint, error); error) {
    return stator::Fail(stator::ErrorCode::kResourceInUse, error.message());
  }
  state->acceptor.listen(net::socket_base::max_listen_connections, error);
  for (int thread = 0; thread < kThreads; ++thread) {
    state->threads.emplace_back([running = state.get()] { running->Run(); });
  }
  return std::unique_ptr<MediaService>(new MediaService(std::move(state)));
}

MediaService::MediaService(std::unique_ptr<State> state) : state_(std::move(state)) {}

MediaService::~MediaService() {
  state_->stopping = true;
  for (int thread = 0; thread < kThreads; ++thread) {
    beast::error_code error;  // connections of our own wake those who wait for one
    tcp::socket(state_->context).connect(state_->acceptor.local_endpoint(error), error);
  }
}

std::uint16_t MediaService::port() const {
  return state_->acceptor.local_endpoint().port();
}

}  // namespace media
