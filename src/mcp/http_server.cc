#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "mcp/http_generation.h"
#include "mcp/http_open_stream.h"
#include "mcp/http_pages.h"
#include "mcp/http_sessions.h"
#include "mcp/http_stream.h"
#include "mcp/json_rpc.h"
#include "mcp/resumable_streams.h"
#include "stator/mcp/http.h"

namespace stator::mcp {

namespace net = boost::asio;

namespace {

constexpr auto kAsTuple = net::as_tuple(net::use_awaitable);
constexpr std::size_t kHeaderBytesMax = 16 * 1024;
constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
constexpr std::string_view kLastEventHeader = "Last-Event-ID";

// How long to wait when the system has no descriptors or memory for another connection.
constexpr std::chrono::milliseconds kBreather(100);

Result<tcp::endpoint> EndpointOf(const HttpOptions& options) {
  boost::system::error_code error;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const net::ip::address address = net::ip::make_address(host, error);
  if (error) {
    return Invalid(options.host + " is no address");
  }
  if (!address.is_loopback() && !options.resolve_owner) {
    return Invalid("an address beyond this machine needs a way to tell callers apart");
  }
  return tcp::endpoint(address, options.port);
}

// What the bodies of one connection take of what all may have, until it goes.
class BodyShare {
 public:
  BodyShare(std::size_t& used, std::size_t budget) : used_(used), budget_(budget) {}
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  ~BodyShare() { used_ -= mine_; }

  // Whether the body may have grown to that.
  bool Resize(std::size_t bytes) {
    used_ = used_ - mine_ + bytes;
    mine_ = bytes;
    return used_ <= budget_;
  }

 private:
  std::size_t& used_;
  const std::size_t budget_;
  std::size_t mine_ = 0;
};

}  // namespace

struct HttpServer::State {
  State(McpServer& mcp, HttpOptions settings)
      : server(mcp),
        options(std::move(settings)),
        sessions(mcp, options),
        handlers(options.threads),
        acceptor(io) {}

  Result<void> Listen();
  void Run();
  void Stop();

  net::awaitable<void> Accept();
  net::awaitable<void> Serve(tcp::socket socket);
  // A whole request. Nothing when the connection is not to be used any more, or was told why.
  net::awaitable<std::optional<Request>> Read(beast::tcp_stream& connection,
                                              beast::flat_buffer& buffer, BodyShare& share);
  // False when the connection is not to be used any more.
  net::awaitable<bool> Answer(beast::tcp_stream& connection, const Request& request);
  net::awaitable<bool> Post(beast::tcp_stream& connection, const Request& request,
                            tasks::Owner owner);
  // One request of 2026-07-28, with neither session nor resumption: answered as JSON, or as a
  // stream when something comes before the answer. A client that goes away cancels it.
  net::awaitable<bool> PostModern(beast::tcp_stream& connection, const Request& request,
                                  const Json& message, tasks::Owner owner);
  net::awaitable<bool> WriteModernEvents(beast::tcp_stream& connection, const Request& request,
                                         HttpStream::Event first, OpenStream& open);
  net::awaitable<bool> Get(beast::tcp_stream& connection, const Request& request,
                           const tasks::Owner& owner);
  net::awaitable<bool> Write(beast::tcp_stream& connection, Response response);
  net::awaitable<bool> Resume(beast::tcp_stream& connection, const Request& request,
                              const std::shared_ptr<Session>& session);
  // Messages as events, until the stream is finished, the client gone, or another connection there.
  net::awaitable<bool> WriteEvents(beast::tcp_stream& connection, const Request& request,
                                   const std::shared_ptr<Session>& session, OpenStream& open);
  net::awaitable<bool> WriteEventsOf(beast::tcp_stream& connection, const Session& session,
                                     OpenStream& open);
  // Gives up streams that nobody came back for.
  net::awaitable<void> Sweep();
  net::awaitable<bool> WriteChunk(beast::tcp_stream& connection, const std::string& text);

  [[nodiscard]] bool IsAllowedOrigin(std::string_view origin) const;
  // What is wrong with the request as HTTP, if anything is.
  [[nodiscard]] std::optional<Response> Refusal(const Request& request) const;

  McpServer& server;
  const HttpOptions options;
  HttpSessions sessions;
  // By the io thread, and after it has ended. Before `io`, whose coroutines use it to their end.
  std::set<std::shared_ptr<HttpStream>> streams;
  ResumableStreams resumable;
  std::uint64_t last_stream = 0;
  net::io_context io{1};
  net::thread_pool handlers;
  tcp::acceptor acceptor;
  std::thread thread;
  std::uint16_t port = 0;
  std::size_t connections = 0;  // by the io thread
  std::size_t body_bytes = 0;   // by the io thread
  std::atomic<bool> stopped = false;
};

Result<void> HttpServer::State::Listen() {
  const Result<tcp::endpoint> endpoint = EndpointOf(options);
  if (!endpoint) {
    return std::unexpected(endpoint.error());
  }
  boost::system::error_code error;
  (void)acceptor.open(endpoint->protocol(), error);
  if (!error) {
    (void)acceptor.set_option(net::socket_base::reuse_address(true), error);
    (void)acceptor.bind(*endpoint, error);
  }
  if (!error) {
    (void)acceptor.listen(net::socket_base::max_listen_connections, error);
  }
  if (error) {
    const bool taken = error == net::error::address_in_use;
    return Fail(taken ? ErrorCode::kResourceInUse : ErrorCode::kIo,
                "cannot listen on port " + std::to_string(options.port) + ": " + error.message());
  }
  port = acceptor.local_endpoint().port();
  return {};
}

void HttpServer::State::Run() {
  net::co_spawn(io, Accept(), net::detached);
  net::co_spawn(io, Sweep(), net::detached);
  thread = std::thread([this] { io.run(); });
}

void HttpServer::State::Stop() {
  if (stopped.exchange(true)) {
    return;
  }
  sessions.RemoveAll();
  io.stop();
  if (thread.joinable()) {
    thread.join();
  }
  // Other threads may still hold the streams; the connections behind them go away now.
  for (const std::shared_ptr<HttpStream>& stream : streams) {
    stream->Shut();
  }
  resumable.ShutAll();
  handlers.stop();
  handlers.join();
}

net::awaitable<void> HttpServer::State::Accept() {
  net::steady_timer breather(io);
  while (acceptor.is_open()) {
    auto [error, socket] = co_await acceptor.async_accept(kAsTuple);
    if (error) {
      breather.expires_after(kBreather);
      co_await breather.async_wait(kAsTuple);
      continue;
    }
    if (connections < options.connections_max) {
      ++connections;
      net::co_spawn(io, Serve(std::move(socket)), net::detached);
    }
  }
}

net::awaitable<void> HttpServer::State::Serve(tcp::socket socket) {
  boost::system::error_code ignored;
  (void)socket.set_option(tcp::no_delay(true), ignored);
  beast::tcp_stream connection(std::move(socket));
  beast::flat_buffer buffer;
  for (bool goes_on = true; goes_on;) {
    BodyShare share(body_bytes, options.bodies_bytes_max);
    const std::optional<Request> request = co_await Read(connection, buffer, share);
    if (!request) {
      break;
    }
    goes_on = co_await Answer(connection, *request) && request->keep_alive();
  }
  (void)connection.socket().shutdown(tcp::socket::shutdown_send, ignored);
  --connections;
}

net::awaitable<std::optional<Request>> HttpServer::State::Read(beast::tcp_stream& connection,
                                                               beast::flat_buffer& buffer,
                                                               BodyShare& share) {
  http::request_parser<http::string_body> parser;
  parser.header_limit(kHeaderBytesMax);
  parser.body_limit(options.message_bytes_max);
  connection.expires_after(options.request_time);
  while (!parser.is_done()) {
    const auto [error, size] = co_await http::async_read_some(connection, buffer, parser, kAsTuple);
    if (error == http::error::body_limit) {
      co_await Write(connection, Page(parser.get(), http::status::payload_too_large,
                                      "the message is too large"));
      co_return std::nullopt;
    }
    if (error) {
      co_return std::nullopt;
    }
    // As far as the client got, not as far as it promises.
    if (!share.Resize(parser.get().body().size())) {
      // Given back at once, or others would be refused for what is refused already.
      parser.get().body() = std::string();
      share.Resize(0);
      co_await Write(connection, Page(parser.get(), http::status::service_unavailable,
                                      "too many large messages at once"));
      co_return std::nullopt;
    }
  }
  connection.expires_never();
  co_return parser.release();
}

net::awaitable<bool> HttpServer::State::Write(beast::tcp_stream& connection, Response response) {
  connection.expires_after(options.request_time);
  const auto [error, size] = co_await http::async_write(connection, response, kAsTuple);
  connection.expires_never();
  co_return !error;
}

bool HttpServer::State::IsAllowedOrigin(std::string_view origin) const {
  return origin.empty() || IsLocalOrigin(origin) ||
         std::ranges::find(options.allowed_origins, origin) != options.allowed_origins.end();
}

std::optional<Response> HttpServer::State::Refusal(const Request& request) const {
  const std::string_view target = View(request.target());
  if (target.substr(0, target.find('?')) != options.path) {
    return Page(request, http::status::not_found, "MCP is at " + options.path);
  }
  if (!IsAllowedOrigin(View(request[http::field::origin]))) {
    return Page(request, http::status::forbidden, "this origin is not allowed");
  }
  const std::string_view accept = View(request[http::field::accept]);
  if (request.method() == http::verb::post && accept.contains("application/json")) {
    return std::nullopt;  // Whether events are needed, too, depends on the generation.
  }
  if (request.method() != http::verb::delete_ && !TakesEvents(request)) {
    return Page(request, http::status::not_acceptable, "Accept must name text/event-stream");
  }
  return std::nullopt;
}

net::awaitable<bool> HttpServer::State::Answer(beast::tcp_stream& connection,
                                               const Request& request) {
  if (std::optional<Response> refusal = Refusal(request)) {
    co_return co_await Write(connection, *std::move(refusal));
  }
  std::optional<tasks::Owner> owner = tasks::ResolveOwner({});
  if (options.resolve_owner) {
    owner = options.resolve_owner({.authorization = View(request[http::field::authorization])});
  }
  if (!owner) {
    Response response = Page(request, http::status::unauthorized, "who are you?");
    response.set(http::field::www_authenticate, "Bearer");
    co_return co_await Write(connection, std::move(response));
  }
  if (request.method() == http::verb::post) {
    co_return co_await Post(connection, request, *std::move(owner));
  }
  if (request.method() == http::verb::get) {
    co_return co_await Get(connection, request, *owner);
  }
  if (request.method() == http::verb::delete_) {
    const auto session = sessions.Find(std::string(View(request[kSessionHeader])), *owner);
    if (session) {
      sessions.Remove(session);
    }
    co_return co_await Write(
        connection,
        Page(request, session ? http::status::no_content : http::status::not_found, ""));
  }
  Response response = Page(request, http::status::method_not_allowed, "");
  response.set(http::field::allow, "GET, POST, DELETE");
  co_return co_await Write(connection, std::move(response));
}

net::awaitable<bool> HttpServer::State::Post(beast::tcp_stream& connection, const Request& request,
                                             tasks::Owner owner) {
  if (!View(request[http::field::content_type]).starts_with("application/json")) {
    co_return co_await Write(connection, Page(request, http::status::unsupported_media_type,
                                              "a message is application/json"));
  }
  const Result<Json> message = Json::Parse(request.body());
  if (!message) {
    const Json error =
        MakeError(nullptr, {.code = kParseError, .message = message.error().message});
    co_return co_await Write(connection,
                             JsonPage(request, http::status::bad_request, error.ToText()));
  }
  const std::string_view version = View(request[kVersionHeader]);
  if (IsModernPost(*message, version)) {
    co_return co_await PostModern(connection, request, *message, std::move(owner));
  }
  if (!version.empty() && !IsProtocolVersion(version)) {
    const Json error = MakeError(nullptr, UnsupportedVersion(std::string(version)));
    co_return co_await Write(connection,
                             JsonPage(request, http::status::bad_request, error.ToText()));
  }
  if (!TakesEvents(request)) {
    co_return co_await Write(connection, Page(request, http::status::not_acceptable,
                                              "Accept must name text/event-stream"));
  }
  const bool begins = message->TextOf("method") == "initialize";
  const std::string id(View(request[kSessionHeader]));
  const std::shared_ptr<Session> session =
      begins ? server.OpenSession(std::move(owner)) : sessions.Find(id, owner);
  if (!session) {
    co_return co_await Write(
        connection, Page(request, id.empty() ? http::status::bad_request : http::status::not_found,
                         id.empty() ? "Mcp-Session-Id is missing" : "there is no such session"));
  }
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  net::post(handlers, [this, session, json = *message, stream = open.shared()] {
    server.Receive(session, json, stream);
  });
  HttpStream& stream = open.stream();
  if (IsStreamed(*message) && IsRequest(*message)) {
    resumable.Add(session->id(), open.shared());
    co_return co_await WriteEvents(connection, request, session, open);
  }
  while (!stream.IsFinished() && stream.IsOpen()) {
    if (std::optional<HttpStream::Event> answer = stream.Take()) {
      const bool refused = !IsRequest(*message);
      Response response = JsonPage(request, refused ? http::status::bad_request : http::status::ok,
                                   std::move(answer->text));
      if (begins && !sessions.Add(session)) {
        response = Page(request, http::status::service_unavailable, "too many sessions");
      } else if (begins) {
        response.set(kSessionHeader, session->id());
      }
      co_return co_await Write(connection, std::move(response));
    }
    open.timer().expires_after(options.keep_alive);
    co_await open.timer().async_wait(kAsTuple);
  }
  co_return co_await Write(connection, Page(request, http::status::accepted, ""));
}

net::awaitable<bool> HttpServer::State::PostModern(beast::tcp_stream& connection,
                                                   const Request& request, const Json& message,
                                                   tasks::Owner owner) {
  if (const auto refusal = RefusalOfModern(server.core(), message, request.base(), owner)) {
    const Json error = MakeError(ParseMessage(message).id, refusal->fault);
    co_return co_await Write(
        connection, JsonPage(request, static_cast<http::status>(refusal->status), error.ToText()));
  }
  if (!IsRequest(message)) {
    co_return co_await Write(connection, Page(request, http::status::accepted, ""));
  }
  const std::shared_ptr<Session> session = server.OpenExchange(std::move(owner));
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  net::post(handlers, [this, session, json = message, stream = open.shared()] {
    server.Receive(session, json, stream);
  });
  const DisconnectWatch watch(connection.socket(), open.shared());
  while (open.stream().IsOpen()) {
    if (std::optional<HttpStream::Event> event = open.stream().Take()) {
      if (!event->is_answer) {
        co_return co_await WriteModernEvents(connection, request, *std::move(event), open);
      }
      co_return co_await Write(
          connection,
          JsonPage(request, static_cast<http::status>(event->status), std::move(event->text)));
    }
    if (open.stream().IsFinished()) {
      break;
    }
    open.timer().expires_after(options.keep_alive);
    co_await open.timer().async_wait(kAsTuple);
  }
  co_return false;
}

net::awaitable<bool> HttpServer::State::WriteModernEvents(beast::tcp_stream& connection,
                                                          const Request& request,
                                                          HttpStream::Event first,
                                                          OpenStream& open) {
  http::response<http::empty_body> head(http::status::ok, request.version());
  head.set(http::field::content_type, "text/event-stream");
  head.set(http::field::cache_control, "no-cache, no-transform");
  head.set("X-Accel-Buffering", "no");
  head.keep_alive(request.keep_alive());
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  const auto [head_error, head_size] =
      co_await http::async_write_header(connection, serializer, kAsTuple);
  std::optional<HttpStream::Event> event = std::move(first);
  bool goes_on = !head_error;
  while (goes_on && (event || !open.stream().IsFinished())) {
    if (event) {
      goes_on = co_await WriteChunk(connection, "event: message\ndata: " + event->text + "\n\n");
    } else {
      open.timer().expires_after(options.keep_alive);
      const auto [woken] = co_await open.timer().async_wait(kAsTuple);
      goes_on = open.IsMine() && (woken || co_await WriteChunk(connection, ": waiting\n\n"));
    }
    event = goes_on ? open.stream().Take() : std::nullopt;
  }
  if (!goes_on) {
    co_return false;
  }
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk_last(), kAsTuple);
  co_return !error;
}

net::awaitable<bool> HttpServer::State::Get(beast::tcp_stream& connection, const Request& request,
                                            const tasks::Owner& owner) {
  const std::string id(View(request[kSessionHeader]));
  const std::shared_ptr<Session> session = sessions.Find(id, owner);
  if (!session) {
    co_return co_await Write(
        connection, Page(request, id.empty() ? http::status::bad_request : http::status::not_found,
                         id.empty() ? "Mcp-Session-Id is missing" : "there is no such session"));
  }
  if (request.find(kLastEventHeader) != request.end()) {
    co_return co_await Resume(connection, request, session);
  }
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  server.Attach(session, open.shared());
  resumable.Add(session->id(), open.shared());
  co_return co_await WriteEvents(connection, request, session, open);
}

// From behind the last event that the client has seen, on the stream that had it.
net::awaitable<bool> HttpServer::State::Resume(beast::tcp_stream& connection,
                                               const Request& request,
                                               const std::shared_ptr<Session>& session) {
  const std::optional<EventName> last = ParseEventName(View(request[kLastEventHeader]));
  const std::shared_ptr<HttpStream> stream =
      last ? resumable.Find(session->id(), last->stream) : nullptr;
  if (!stream || !stream->Rewind(last->event)) {
    co_return co_await Write(connection, Page(request, http::status::bad_request,
                                              "there is nothing to resume behind this event"));
  }
  OpenStream open(streams, io, stream);
  co_return co_await WriteEvents(connection, request, session, open);
}

net::awaitable<void> HttpServer::State::Sweep() {
  net::steady_timer timer(io);
  for (;;) {
    timer.expires_after(std::max<Duration>(options.resume_time / 4, std::chrono::milliseconds(50)));
    co_await timer.async_wait(kAsTuple);
    resumable.Sweep(options.clock->Elapsed());
  }
}

net::awaitable<bool> HttpServer::State::WriteChunk(beast::tcp_stream& connection,
                                                   const std::string& text) {
  connection.expires_after(options.request_time);
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk(net::buffer(text)), kAsTuple);
  connection.expires_never();
  co_return !error;
}

net::awaitable<bool> HttpServer::State::WriteEvents(beast::tcp_stream& connection,
                                                    const Request& request,
                                                    const std::shared_ptr<Session>& session,
                                                    OpenStream& open) {
  http::response<http::empty_body> head(http::status::ok, request.version());
  head.set(http::field::content_type, "text/event-stream");
  head.set(http::field::cache_control, "no-cache, no-transform");
  head.keep_alive(request.keep_alive());
  head.chunked(true);
  http::response_serializer<http::empty_body> serializer(head);
  const auto [head_error, head_size] =
      co_await http::async_write_header(connection, serializer, kAsTuple);
  const bool written = !head_error && co_await WriteEventsOf(connection, *session, open);
  const std::uint64_t number = open.stream().number();
  if (written) {
    resumable.Remove(session->id(), number);
  } else if (open.IsMine()) {
    open.Keep();
    resumable.Keep(session->id(), number, options.clock->Elapsed() + options.resume_time);
  }
  co_return written;
}

// True when all was written.
net::awaitable<bool> HttpServer::State::WriteEventsOf(beast::tcp_stream& connection,
                                                      const Session& session, OpenStream& open) {
  HttpStream& stream = open.stream();
  // An event without data gives the client a name to come back with. Older ones trip over it.
  EventName name{.stream = stream.number()};
  std::string text = "id: " + ToText(name) + "\ndata: \n\n";
  if (session.speaks_2025_11_25() && !co_await WriteChunk(connection, text)) {
    co_return false;
  }
  while (open.IsMine() && !stream.IsFinished()) {
    if (const std::optional<HttpStream::Event> event = stream.Take()) {
      name.event = event->number;
      text = "id: " + ToText(name) + "\nevent: message\ndata: " + event->text + "\n\n";
      if (!co_await WriteChunk(connection, text)) {
        co_return false;
      }
      continue;
    }
    open.timer().expires_after(options.keep_alive);
    const auto [woken] = co_await open.timer().async_wait(kAsTuple);
    // A sign of life, by which a connection that is gone is noticed.
    if (!woken && !co_await WriteChunk(connection, ": waiting\n\n")) {
      co_return false;
    }
  }
  if (!stream.IsFinished()) {
    co_return false;
  }
  const auto [error, size] =
      co_await net::async_write(connection, http::make_chunk_last(), kAsTuple);
  co_return !error;
}

Result<std::unique_ptr<HttpServer>> HttpServer::Start(McpServer& server, HttpOptions options) {
  auto state = std::make_unique<State>(server, std::move(options));
  if (const Result<void> listens = state->Listen(); !listens) {
    return std::unexpected(listens.error());
  }
  state->Run();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() {
  Stop();
}

std::uint16_t HttpServer::port() const {
  return state_->port;
}

std::string HttpServer::endpoint() const {
  const bool is_v6 = state_->options.host.contains(':');
  const std::string host = is_v6 ? "[" + state_->options.host + "]" : state_->options.host;
  return "http://" + host + ":" + std::to_string(state_->port) + state_->options.path;
}

void HttpServer::Stop() {
  state_->Stop();
}

}  // namespace stator::mcp
