// An event store behind a server (server/server.h): what messages.h says, for every service that the
// address names.
//
//   EventHandler handler(store);
//   auto server = server::Server::Start({.handler_paths = EventHandler::Paths()}, handler);
//
// Appends and reads wait for the database, so they run on threads of their own. Those that arrive
// together share a slot of the log.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/executor.h"
#include "stator/stores/events/event_store.h"
#include "wire/exchange.h"

namespace stator::event_server {

struct EventHandlerOptions {
  std::size_t threads = 64;
  std::size_t waiting_max = 4096;           // requests; more are answered with 503
  std::size_t answer_bytes_max = 64 << 20;  // of one read; beyond it, it asks for a limit
};

// THREADS: as wire::Handler. The store must outlive it.
class EventHandler final : public wire::Handler {
 public:
  explicit EventHandler(events::EventStore& store, EventHandlerOptions options = {});
  // When every request has been answered.
  ~EventHandler() override;

  // For server::ServerOptions::handler_paths.
  static std::vector<std::string> Paths() { return {"/read", "/append", "/head"}; }

  void Handle(const wire::Request& request, Done done) override;

 private:
  [[nodiscard]] wire::Answer Answer(const wire::Request& request);
  Result<std::string> Read(const wire::Request& request);
  Result<std::string> Append(const wire::Request& request);

  events::EventStore* store_;
  EventHandlerOptions options_;
  base::Executor executor_;
};

}  // namespace stator::event_server
