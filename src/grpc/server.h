// Serves gRPC, without TLS, to programs on this machine: calls with one message of the client, answered
// with one or many (handler.h). Nobody is asked who they are, so every other address is refused.
//
//   auto server = grpc::Server::Start({.port = 0}, handler);
//   std::printf("%s\n", (*server)->endpoint().c_str());
//   (*server)->Stop(std::chrono::seconds(10));
//
// One thread reads and writes; it never waits for a handler. What clients may take is in options.h:
// a connection that takes more is told to calm down and closed, a call is refused with a status.
//
// THREADS: every method from any thread but the handler's.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "grpc/handler.h"
#include "grpc/options.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::grpc {

class Server {
 public:
  // Fails with kValidation for an address that is not this machine's own and for limits of 0, with
  // kResourceInUse when somebody listens there already.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler& handler);

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string endpoint() const;  // such as http://127.0.0.1:50051

  // Takes no more calls, tells those that wait for long to end (Call::EndSoon), and gives the others
  // so much time. Returns when no connection is left and the handler will not be called any more.
  void Stop(Duration grace);

 private:
  struct State;

  explicit Server(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace stator::grpc
