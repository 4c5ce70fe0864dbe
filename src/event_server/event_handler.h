// An event store behind a server (server/server.h): what messages.h says, for every service that the
// address names.
//
//   EventHandler handler(store);
//   auto server = server::Server::Start({.handler_paths = EventHandler::Paths()}, handler);
//
// Whatever waits for the database does so on threads of the handler, but no thread waits until an append
// is durable.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/executor.h"
#include "event_server/appends.h"
#include "stator/stores/events/event_store.h"
#include "wire/exchange.h"

namespace stator::event_server {

struct EventHandlerOptions {
  std::size_t threads = 64;
  std::size_t waiting_max = 4096;  // for a thread or as appends; others are answered with 503
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
  void Serve(const wire::Request& request, Done done);
  Result<std::string> Read(const wire::Request& request);
  Result<std::string> Head();
  void StartAppend(const wire::Request& request, Done done);

  events::EventStore* store_;
  EventHandlerOptions options_;
  Appends appends_;
  base::Executor executor_;
};

}  // namespace stator::event_server
