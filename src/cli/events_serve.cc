// An event store for programs of any language.

#include <chrono>
#include <cstdio>
#include <memory>
#include <signal.h>
#include <string>
#include <string_view>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/events_actions.h"
#include "cli/stop_signals.h"
#include "event_server/event_handler.h"
#include "event_server/umadb_service.h"
#include "grpc/server.h"
#include "server/server.h"
#include "stator/base/version.h"

namespace stator::cli {
namespace {

constexpr Duration kGrace = std::chrono::seconds(10);

}  // namespace

Result<int> ServeEvents(const EventsArguments& arguments) {
  const sigset_t signals = BlockStopSignals();
  EventsArguments served = arguments;
  served.store.hooks.log = [](std::string_view text) {
    std::fprintf(stderr, "stator: %.*s\n", static_cast<int>(text.size()), text.data());
  };
  OpenedEvents opened = TRY(OpenEvents(served));
  event_server::EventHandler handler(*opened.store);
  const std::unique_ptr<server::Server> server =
      TRY(server::Server::Start({.host = arguments.host,
                                 .port = arguments.port,
                                 .handler_paths = event_server::EventHandler::Paths(),
                                 .version = std::string(kVersion)},
                                handler));
  std::unique_ptr<event_server::UmadbService> umadb;
  std::unique_ptr<grpc::Server> grpc_server;
  if (arguments.grpc_port) {
    umadb = TRY(event_server::UmadbService::Open(*opened.store));
    grpc_server =
        TRY(grpc::Server::Start({.host = arguments.host, .port = *arguments.grpc_port}, *umadb));
  }
  std::printf("%s\n", server->endpoint().c_str());
  if (grpc_server != nullptr) {
    std::printf("grpc %s\n", grpc_server->endpoint().c_str());
  }
  std::fflush(stdout);
  while (WaitForSignal(signals) == SIGHUP) {
  }
  if (grpc_server != nullptr) {
    grpc_server->Stop(kGrace);
  }
  server->Stop(kGrace);
  return kSuccess;
}

}  // namespace stator::cli
