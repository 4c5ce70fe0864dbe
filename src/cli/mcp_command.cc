#include "cli/mcp_command.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <signal.h>

#include "base/try.h"
#include "cli/command_line.h"
#include "client/environment.h"
#include "hosting/hosted_tools.h"
#include "hosting/tool_file.h"
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

constexpr std::size_t kDescriptorsOfChild = 4;

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
  // Whoever started us may have chosen not to hear of its children; we want to.
  signal(SIGCHLD, SIG_DFL);
  if (waits) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  }
}

Result<hosting::ToolFile> ReadTools(const McpArguments& arguments) {
  if (arguments.config.empty()) {
    return hosting::ToolFile{};
  }
  return hosting::ReadToolFile(arguments.config, client::ProcessEnvironment);
}

Result<void> Serve(const McpArguments& arguments) {
  const bool is_http = arguments.http_port.has_value();
  hosting::ToolFile file = TRY(ReadTools(arguments));  // Before anything is made.
  PrepareSignals(is_http);
  server::RaiseDescriptorLimit(mcp::HttpOptions().connections_max +
                               (kDescriptorsOfChild * hosting::PlaceLimits().running));
  const std::unique_ptr<Database> database = TRY(Open(arguments.data));
  TRY_VOID(tasks::CreateTaskTable(*database, arguments.table, SystemClock()));
  tasks::TaskStore store = TRY(
      tasks::TaskStore::Open(*database, {.table = arguments.table,
                                         .allow_anonymous = !is_http || arguments.allow_anonymous,
                                         .log = Log}));
  hosting::HostedTools hosted(std::move(file.tools));
  const bool demonstrates = arguments.config.empty();
  mcp::McpServer server(
      {.name = file.name.value_or("stator"),
       .version = std::string(kVersion),
       .instructions = demonstrates ? "Demonstration of durable tasks." : file.instructions,
       .lease = std::chrono::milliseconds(static_cast<int>(arguments.lease_seconds * 1000)),
       .log = Log},
      store);
  for (mcp::Tool& tool : demonstrates ? mcp::DemonstrationTools() : hosted.Tools()) {
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
  CLI::App* command = app.add_subcommand(
      "mcp", "Serve the Model Context Protocol: your commands and HTTP endpoints as tools");
  command->footer(
      "Example:\n"
      "  npx @modelcontextprotocol/inspector stator mcp --data ./data\n"
      "  stator mcp --data ./data --config tools.json\n\n"
      "Without --config it has tools to try tasks with: slow, fails, asks (task optional),\n"
      "req (task required), plain (no tasks). docs/mcp.md says what stands in the file.");
  command->add_option("--config", arguments.config,
                      "A JSON file of tools that are commands or HTTP endpoints");
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
