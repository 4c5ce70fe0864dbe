#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

#include "mcp/http_generation.h"
#include "mcp/http_state.h"
#include "mcp/json_rpc.h"

namespace stator::mcp {

namespace {

constexpr std::size_t kHeaderBytesMax = 16 * 1024;
constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
constexpr std::string_view kLastEventHeader = "Last-Event-ID";

// How long to wait when the system has no descriptors or memory for another connection.
constexpr std::chrono::milliseconds kBreather(100);

// How often it is asked who sends a request, while that cannot be said yet.
constexpr int kQuestionsMax = 100;
constexpr std::chrono::milliseconds kQuestionPause(50);

Result<tcp::endpoint> EndpointOf(const HttpOptions& options) {
  boost::system::error_code error;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const net::ip::address address = net::ip::make_address(host, error);
  if (error) {
    return Invalid(options.host + " is no address");
  }
  if (!address.is_loopback() && !options.authorize) {
    return Invalid("an address beyond this machine needs a way to tell callers apart");
  }
  return tcp::endpoint(address, options.port);
}

}  // namespace

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
  access.emplace(options, Endpoint());
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
  if (target.substr(0, target.find('?')) != options.path && !IsWork(request)) {
    return Page(request, http::status::not_found, "MCP is at " + options.path);
  }
  if (!IsAllowedOrigin(View(request[http::field::origin]))) {
    return Page(request, http::status::forbidden, "this origin is not allowed");
  }
  if (IsWork(request)) {
    return std::nullopt;
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

net::awaitable<std::variant<HttpCaller, Response>> HttpServer::State::Authorize(
    const Request& request) {
  HttpVerdict verdict = HttpCaller{.owner = tasks::ResolveOwner({})};
  net::steady_timer timer(io);
  for (int asked = 0; options.authorize && asked < kQuestionsMax; ++asked) {
    verdict = options.authorize({.authorization = View(request[http::field::authorization]),
                                 .resource = access->resource()});
    if (!std::holds_alternative<HttpNotYet>(verdict)) {
      break;
    }
    timer.expires_after(kQuestionPause);
    co_await timer.async_wait(kAsTuple);
  }
  if (HttpCaller* const caller = std::get_if<HttpCaller>(&verdict)) {
    if (std::optional<Response> refusal = access->CheckRate(request, caller->owner)) {
      co_return *std::move(refusal);
    }
    if (std::optional<Response> refusal = access->CheckScopes(request, *caller, {})) {
      co_return *std::move(refusal);
    }
    co_return std::move(*caller);
  }
  const auto* const challenge = std::get_if<HttpChallenge>(&verdict);
  co_return access->Challenge(
      request, challenge != nullptr
                   ? *challenge
                   : HttpChallenge{.status = 503, .description = "who asks cannot be found out"});
}

net::awaitable<bool> HttpServer::State::Answer(beast::tcp_stream& connection,
                                               const Request& request) {
  if (std::optional<Response> metadata = access->Metadata(request)) {
    co_return co_await Write(connection, *std::move(metadata));
  }
  if (std::optional<Response> page = Probe(request)) {
    co_return co_await Write(connection, *std::move(page));
  }
  if (std::optional<Response> refusal = Refusal(request)) {
    co_return co_await Write(connection, *std::move(refusal));
  }
  std::variant<HttpCaller, Response> who = co_await Authorize(request);
  if (Response* const refusal = std::get_if<Response>(&who)) {
    co_return co_await Write(connection, std::move(*refusal));
  }
  HttpCaller& caller = std::get<HttpCaller>(who);
  if (IsWork(request)) {
    co_return co_await Work(connection, request, caller);
  }
  if (request.method() == http::verb::post) {
    co_return co_await Post(connection, request, std::move(caller));
  }
  if (request.method() == http::verb::get) {
    co_return co_await Get(connection, request, caller);
  }
  if (request.method() == http::verb::delete_) {
    const auto session = sessions.Find(std::string(View(request[kSessionHeader])), caller.owner);
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
                                             HttpCaller caller) {
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
  if (auto refusal = access->CheckScopes(request, caller, server.core().ScopesFor(*message))) {
    co_return co_await Write(connection, *std::move(refusal));
  }
  const std::string_view version = View(request[kVersionHeader]);
  if (IsModernPost(*message, version)) {
    co_return co_await PostModern(connection, request, *message, std::move(caller));
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
      begins ? server.OpenSession(std::move(caller.owner)) : sessions.Find(id, caller.owner);
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
    co_return co_await WriteEvents(connection, request, session, open, std::nullopt);
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
                                                   HttpCaller caller) {
  if (const auto refusal = RefusalOfModern(server.core(), message, request.base(), caller.owner)) {
    const Json error = MakeError(ParseMessage(message).id, refusal->fault);
    co_return co_await Write(
        connection, JsonPage(request, static_cast<http::status>(refusal->status), error.ToText()));
  }
  if (!IsRequest(message)) {
    co_return co_await Write(connection, Page(request, http::status::accepted, ""));
  }
  const std::shared_ptr<Session> session = server.OpenExchange(std::move(caller.owner));
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  net::post(handlers, [this, session, json = message, stream = open.shared()] {
    server.Receive(session, json, stream);
  });
  const std::optional<TimePoint> until =
      message.TextOf("method") == "subscriptions/listen" ? caller.expires : std::nullopt;
  const DisconnectWatch watch(connection.socket(), open.shared());
  while (open.stream().IsOpen()) {
    if (std::optional<HttpStream::Event> event = open.stream().Take()) {
      if (!event->is_answer) {
        co_return co_await WriteModernEvents(connection, request, *std::move(event), open, until);
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

net::awaitable<bool> HttpServer::State::Get(beast::tcp_stream& connection, const Request& request,
                                            const HttpCaller& caller) {
  const std::string id(View(request[kSessionHeader]));
  const std::shared_ptr<Session> session = sessions.Find(id, caller.owner);
  if (!session) {
    co_return co_await Write(
        connection, Page(request, id.empty() ? http::status::bad_request : http::status::not_found,
                         id.empty() ? "Mcp-Session-Id is missing" : "there is no such session"));
  }
  if (request.find(kLastEventHeader) != request.end()) {
    co_return co_await Resume(connection, request, session, caller.expires);
  }
  OpenStream open(streams, io, std::make_shared<HttpStream>(++last_stream));
  server.Attach(session, open.shared());
  resumable.Add(session->id(), open.shared());
  co_return co_await WriteEvents(connection, request, session, open, caller.expires);
}

// From behind the last event that the client has seen, on the stream that had it.
net::awaitable<bool> HttpServer::State::Resume(beast::tcp_stream& connection,
                                               const Request& request,
                                               const std::shared_ptr<Session>& session,
                                               std::optional<TimePoint> until) {
  const std::optional<EventName> last = ParseEventName(View(request[kLastEventHeader]));
  const std::shared_ptr<HttpStream> stream =
      last ? resumable.Find(session->id(), last->stream) : nullptr;
  if (!stream || !stream->Rewind(last->event)) {
    co_return co_await Write(connection, Page(request, http::status::bad_request,
                                              "there is nothing to resume behind this event"));
  }
  OpenStream open(streams, io, stream);
  co_return co_await WriteEvents(connection, request, session, open, until);
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

std::string HttpServer::State::Endpoint() const {
  const bool is_v6 = options.host.contains(':');
  const std::string host = is_v6 ? "[" + options.host + "]" : options.host;
  return "http://" + host + ":" + std::to_string(port) + options.path;
}

std::string HttpServer::endpoint() const {
  return state_->Endpoint();
}

void HttpServer::Stop() {
  state_->Stop();
}

}  // namespace stator::mcp
