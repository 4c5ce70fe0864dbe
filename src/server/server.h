// The HTTP server: serves DynamoDB's protocol, as a handler understands it, on one address.
//
//   auto server = Server::Start({.port = 0}, handler);
//   std::puts((*server)->endpoint().c_str());
//   ...
//   (*server)->Stop(std::chrono::seconds(10));
//
// THREADS: every method may be called from many threads, from a handler none.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/options.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "wire/exchange.h"

namespace stator::server {

class Listener;
class Worker;
struct ServerState;

class Server {
 public:
  // Listens and serves from now on. Fails with kValidation when the options cannot be (an address
  // beyond this machine without credentials, a certificate that does not fit), with kResourceInUse
  // when the port is taken, with kIo when the system refuses for another reason.
  // `handler` and what the options point to must outlive the server.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, wire::Handler& handler);

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Stops at once.
  ~Server();

  [[nodiscard]] std::uint16_t port() const;

  // "http://127.0.0.1:8000"
  [[nodiscard]] std::string endpoint() const;

  // Other credentials, and another certificate, for what comes from now on. Requests under way and
  // connections that are open keep theirs. REQUIRES: credentials are not null, and the server is
  // not stopped.
  void SetCredentials(const std::shared_ptr<const Credentials>& credentials);

  // Fails with kValidation, and changes nothing, when it is no identity, or the server has no TLS.
  Result<void> SetTlsIdentity(const TlsIdentity& identity);

  // Accepts no more, lets requests that have begun end for up to `grace`, drops the rest. Returns
  // when no connection is left. Later calls do nothing.
  void Stop(Duration grace);

 private:
  Server(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<Worker>> workers,
         std::unique_ptr<Listener> listener);

  struct StopOnce;

  const std::shared_ptr<ServerState> state_;
  const std::vector<std::shared_ptr<Worker>> workers_;
  const std::unique_ptr<Listener> listener_;
  const std::unique_ptr<StopOnce> stop_once_;
};

}  // namespace stator::server
