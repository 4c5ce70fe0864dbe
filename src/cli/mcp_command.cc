#include "cli/mcp_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <signal.h>

#include "base/try.h"
#include "cli/command_line.h"
#include "server/descriptors.h"
#include "stator/base/version.h"
#include "stator/home/open.h"
#include "stator/mcp/demonstration_tools.h"
#include "stator/mcp/http.h"
#include "stator/mcp/server.h"
#include "stator/mcp/stdio.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::cli {
namespace {

// Standard output belongs to the protocol.
void Log(std::string_view line) {
  std::fprintf(stderr, "stator mcp: %.*s\n", static_cast<int>(line.size()), line.data());
}

Result<void> ServeHttp(mcp::McpServer& server, std::uint16_t port) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  const std::unique_ptr<mcp::HttpServer> http = TRY(mcp::HttpServer::Start(server, {.port = port}));
  std::printf("%s\n", http->endpoint().c_str());
  std::fflush(stdout);
  int received = 0;
  sigwait(&signals, &received);
  http->Stop();
  return {};
}

// To be called before any thread is started: signals are then taken by waiting for them.
void PrepareSignals(bool waits) {
  // A client that is gone is noticed by the failed write.
  signal(SIGPIPE, SIG_IGN);
  if (waits) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  }
}

Result<void> Serve(const McpArguments& arguments) {
  const bool is_http = arguments.http_port.has_value();
  PrepareSignals(is_http);
  if (is_http) {
    server::RaiseDescriptorLimit(mcp::HttpOptions().connections_max);
  }
  const std::unique_ptr<Database> database = TRY(Open(arguments.data));
  TRY_VOID(tasks::CreateTaskTable(*database, arguments.table, SystemClock()));
  tasks::DatabaseBackend backend(*database, {.table = arguments.table});
  tasks::TaskStore store(backend,
                         {.allow_anonymous = !is_http || arguments.allow_anonymous, .log = Log});
  mcp::McpServer server(
      {.name = "stator",
       .version = std::string(kVersion),
       .instructions = "Demonstration of durable tasks.",
       .lease = std::chrono::milliseconds(static_cast<int>(arguments.lease_seconds * 1000)),
       .log = Log},
      store);
  for (mcp::Tool& tool : mcp::DemonstrationTools()) {
    server.AddTool(std::move(tool));
  }
  server.Start();
  const Result<void> served =
      is_http ? ServeHttp(server, *arguments.http_port) : mcp::ServeStdio(server, {});
  server.Stop();
  return served;
}

}  // namespace

void AddMcp(CLI::App& app, McpArguments& arguments) {
  CLI::App* command = app.add_subcommand("mcp", "Serve the Model Context Protocol, to try tasks");
  command->footer(
      "Example:\n"
      "  npx @modelcontextprotocol/inspector stator mcp --data ./data\n\n"
      "Tools: slow, fails, asks (task optional), req (task required), plain (no tasks).");
  command
      ->add_option("--data", arguments.data,
                   "Where tasks live: a path, memory:, http://…, aws:REGION")
      ->envname("STATOR_DATABASE")
      ->capture_default_str();
  command->add_option("--table", arguments.table, "Name of the table")->capture_default_str();
  command
      ->add_option("--lease", arguments.lease_seconds,
                   "Seconds after which the task of a lost process is taken over")
      ->check(CLI::Range(0.3, 3600.0))
      ->capture_default_str();
  command->add_option("--http", arguments.http_port,
                      "Serve streamable HTTP on this port of 127.0.0.1 instead of stdio; 0 takes "
                      "a free one. Prints the endpoint");
  command->add_flag("--allow-anonymous", arguments.allow_anonymous,
                    "Over HTTP: let everybody who reaches the port share one list of tasks");
}

int RunMcp(const McpArguments& arguments) {
  const Result<void> served = Serve(arguments);
  if (!served) {
    std::fprintf(stderr, "stator: %s\n", served.error().message.c_str());
    return kFailure;
  }
  return kSuccess;
}

}  // namespace stator::cli
