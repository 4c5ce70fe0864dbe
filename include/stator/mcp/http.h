// The streamable HTTP transport of MCP: POST for messages, answered with JSON or with a stream of
// events. Clients before 2026-07-28 have sessions besides: GET for a stream of messages that belong
// to no request, DELETE to end one.
//
//   auto http = HttpServer::Start(server, {.port = 0});
//   std::puts((*http)->endpoint().c_str());
//
// Requests from browsers on other sites are refused by their Origin (DNS rebinding). A client whose
// connection broke comes back with Last-Event-ID and gets what it has not seen, for `resume_time`;
// until then its call goes on. Streams end with the process: tasks do not.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stator/base/result.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// What the transport knows about who sends a request.
struct HttpCredentials {
  std::string_view authorization;  // the value of that header; empty when there is none
  std::string_view resource;       // the URL of this server, as clients call it
};

// Who sends it, and what it may do.
struct HttpCaller {
  tasks::Owner owner;
  // Nothing: everything.
  std::optional<std::vector<std::string>> scopes = std::nullopt;
  // Streams end then; a client with a new token opens another.
  std::optional<TimePoint> expires = std::nullopt;
};

// The request is refused. A 401 and a 403 say where tokens come from, if that is known.
struct HttpChallenge {
  unsigned status = 401;
  std::string error = {};  // as RFC 6750 has them: "invalid_token"; empty without a token
  std::string description = {};
};

// Cannot be said yet; the transport asks again soon.
struct HttpNotYet {};

using HttpVerdict = std::variant<HttpCaller, HttpChallenge, HttpNotYet>;

// Is asked about every request, on the thread that serves all connections: must not block.
using HttpAuthorizer = std::function<HttpVerdict(const HttpCredentials&)>;

// What clients are told about how to get a token (RFC 9728).
struct ProtectedResource {
  std::string url = {};  // as clients call the endpoint; empty: endpoint()
  std::vector<std::string> authorization_servers = {};
  std::vector<std::string> scopes = {};  // what every request needs; tools may need more
};

struct HttpOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: the system chooses
  std::string path = "/mcp";
  std::size_t message_bytes_max = 16 << 20;
  std::size_t bodies_bytes_max = 128 << 20;  // of all messages that are being read or answered
  std::size_t sessions_max = 10'000;
  std::size_t connections_max = 1024;
  std::size_t threads = 4;  // that handle messages
  Duration session_idle_time = std::chrono::hours(1);
  Duration keep_alive = std::chrono::seconds(10);  // between signs of life on an idle stream
  Duration request_time = std::chrono::seconds(60);
  Duration resume_time = std::chrono::seconds(30);  // a broken stream waits for its client
  // Besides those of this machine.
  std::vector<std::string> allowed_origins = {};
  // Without one everybody is anonymous.
  HttpAuthorizer authorize = nullptr;
  std::optional<ProtectedResource> resource = std::nullopt;
  // Workers may take tasks at /workers/, of all owners. With tokens they need the scope "workers".
  bool workers = false;
  // Requests of one owner: so many a second, and that many at once after a rest; more are answered
  // with 429. 0: no limit.
  double owner_requests_per_second = 0;
  double owner_requests_burst = 50;
  // What is at /metrics, for Prometheus; /healthz and /readyz are always there. Without a token.
  std::function<std::string()> metrics = nullptr;
  Clock* clock = &SystemClock();
};

class HttpServer {
 public:
  // Fails with kResourceInUse when the port is taken, with kValidation when the address is none, or
  // reaches beyond this machine without an authorizer.
  static Result<std::unique_ptr<HttpServer>> Start(McpServer& server, HttpOptions options);

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  // stops

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string endpoint() const;  // http://127.0.0.1:PORT/mcp

  void Stop();

 private:
  struct State;

  explicit HttpServer(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace stator::mcp
