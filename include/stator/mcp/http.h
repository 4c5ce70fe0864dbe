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
#include <vector>

#include "stator/base/result.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// What the transport knows about who sends a request.
struct HttpCredentials {
  std::string_view authorization;  // the value of that header; empty when there is none
};

// Whose tasks the sender may see; nothing refuses the request with 401.
using OwnerResolver = std::function<std::optional<tasks::Owner>(const HttpCredentials&)>;

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
  OwnerResolver resolve_owner = nullptr;
  Clock* clock = &SystemClock();
};

class HttpServer {
 public:
  // Fails with kResourceInUse when the port is taken, with kValidation when the address is none, or
  // reaches beyond this machine without a resolver.
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
