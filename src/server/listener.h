// Accepts connections and gives each to the worker that has the fewest. One acceptor rather than
// one per worker on a shared port: connections spread evenly, and a port that another program
// listens on is told at once instead of being shared with it.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/server_state.h"
#include "server/worker.h"
#include "stator/base/result.h"

namespace stator::server {

class Listener {
 public:
  // Binds and listens, on the thread of the first worker; nothing is accepted before Start. Errors
  // as Server::Start has them.
  static Result<std::unique_ptr<Listener>> Open(std::shared_ptr<ServerState> server,
                                                std::vector<std::shared_ptr<Worker>> workers);

  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }

  void Start();

  // As Server has it.
  Result<void> SetTlsIdentity(const TlsIdentity& identity);

  // Returns when nothing will be accepted any more. REQUIRES: the workers run.
  void Stop();

 private:
  struct Acceptor;

  Listener();

  std::unique_ptr<Acceptor> acceptor_;
  std::uint16_t port_ = 0;
  std::string endpoint_;
};

}  // namespace stator::server
