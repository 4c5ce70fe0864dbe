#include "cli/mcp_command.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <signal.h>
#include <vector>

#include "base/try.h"
#include "cli/audit_file.h"
#include "cli/command_line.h"
#include "cli/mcp_metrics.h"
#include "client/environment.h"
#include "hosting/hosted_tools.h"
#include "hosting/table_tools.h"
#include "hosting/token_access.h"
#include "hosting/tool_file.h"
#include "server/descriptors.h"
#include "server/server.h"
#include "stator/base/version.h"
#include "stator/blobs/open_blobs.h"
#include "stator/home/open.h"
#include "stator/mcp/demonstration_tools.h"
#include "stator/mcp/http.h"
#include "stator/mcp/server.h"
#include "stator/mcp/stdio.h"
#include "stator/stores/tasks/database_backend.h"
#include "stator/stores/tasks/task_store.h"
#include "transport/http_exchanges.h"
#include "wire/handler.h"

namespace stator::cli {
namespace {

constexpr std::size_t kDescriptorsOfChild = 4;

// Standard output belongs to the protocol.
void Log(std::string_view line) {
  std::fprintf(stderr, "stator mcp: %.*s\n", static_cast<int>(line.size()), line.data());
}

Result<void> CheckOAuth(const McpArguments& arguments) {
  const OAuthArguments& oauth = arguments.oauth;
  if (oauth.issuer.empty() != oauth.keys.empty()) {
    return Invalid("--oauth-issuer and --oauth-keys go together");
  }
  if (!oauth.issuer.empty() && (!arguments.http_port || arguments.allow_anonymous)) {
    return Invalid("tokens are for --http, and without --allow-anonymous");
  }
  return {};
}

// Serves until a signal comes.
Result<void> ServeHttp(mcp::McpServer& server, const McpArguments& arguments) {
  transport::HttpExchanges exchanges;
  std::optional<hosting::TokenAccess> access;
  mcp::HttpOptions options{.port = *arguments.http_port,
                           .workers = arguments.workers,
                           .owner_requests_per_second = arguments.requests_per_second,
                           .metrics = [&server] { return MetricsOf(server.Statistics()); }};
  if (const OAuthArguments& oauth = arguments.oauth; !oauth.issuer.empty()) {
    access.emplace(hosting::TokenAccessOptions{.rules = {.issuer = oauth.issuer,
                                                         .owner_claim = oauth.owner_claim},
                                               .audience = oauth.audience,
                                               .log = Log},
                   hosting::FetchKeysFrom(oauth.keys, exchanges));
    options.authorize = [&access](const mcp::HttpCredentials& credentials) {
      return access->Check(credentials);
    };
    options.resource = mcp::ProtectedResource{
        .url = oauth.public_url, .authorization_servers = {oauth.issuer}, .scopes = oauth.scopes};
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  const std::unique_ptr<mcp::HttpServer> http =
      TRY(mcp::HttpServer::Start(server, std::move(options)));
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

// A tool of the file that has the name of one of ours would go without a word.
Result<void> CheckNames(const hosting::ToolFile& file, const std::vector<mcp::Tool>& ours) {
  for (const hosting::HostedTool& hosted : file.tools) {
    if (std::ranges::find(ours, hosted.tool.name, &mcp::Tool::name) != ours.end()) {
      return Invalid("the tool \"" + hosted.tool.name +
                     "\" of the file is called like one of --tables; call it something else");
    }
  }
  return {};
}

// Null without a file.
Result<std::function<void(const mcp::TaskNote&)>> AuditTo(const std::string& path) {
  if (path.empty()) {
    return nullptr;
  }
  const auto log = std::make_shared<AuditFile>(path);
  if (std::string problem = log->Problem(); !problem.empty()) {
    return Invalid(std::move(problem));
  }
  return [log](const mcp::TaskNote& note) { log->Append(note); };
}

// The database that this process has open, for those who look into it. Null when nobody may.
Result<std::unique_ptr<server::Server>> ServeDatabase(const McpArguments& arguments,
                                                      wire::Handler& handler) {
  if (!arguments.database_port) {
    return nullptr;
  }
  std::unique_ptr<server::Server> server =
      TRY(server::Server::Start({.port = *arguments.database_port, .threads = 1}, handler));
  Log("the database is at " + server->endpoint());
  return server;
}

Result<void> Serve(const McpArguments& arguments) {
  const bool is_http = arguments.http_port.has_value();
  TRY_VOID(CheckOAuth(arguments));
  hosting::ToolFile file = TRY(ReadTools(arguments));  // Before anything is made.
  PrepareSignals(is_http);
  server::RaiseDescriptorLimit(mcp::HttpOptions().connections_max +
                               (kDescriptorsOfChild * hosting::PlaceLimits().running));
  const std::unique_ptr<Database> database = TRY(Open(arguments.data));
  TRY_VOID(tasks::CreateTaskTable(*database, arguments.table, SystemClock()));
  if (arguments.push) {
    TRY_VOID(tasks::FollowTaskTable(*database, arguments.table, SystemClock()));
  }
  std::unique_ptr<BlobStore> blobs;
  if (!arguments.blobs.empty()) {
    blobs = TRY(OpenBlobs(arguments.blobs));
  }
  tasks::TaskStore store = TRY(
      tasks::TaskStore::Open(*database, {.table = arguments.table,
                                         .active_tasks_max = arguments.owner_tasks_max,
                                         .allow_anonymous = !is_http || arguments.allow_anonymous,
                                         .blobs = blobs.get(),
                                         .log = Log}));
  wire::DatabaseHandler handler(*database);
  const std::unique_ptr<server::Server> database_server = TRY(ServeDatabase(arguments, handler));
  std::vector<mcp::Tool> table_tools;
  if (arguments.tables || arguments.tables_writable) {
    table_tools = hosting::TableTools(
        *database, {.writable = arguments.tables_writable, .hidden = {arguments.table}});
    TRY_VOID(CheckNames(file, table_tools));
  }
  const std::function<void(const mcp::TaskNote&)> audit = TRY(AuditTo(arguments.audit));
  hosting::HostedTools hosted(std::move(file.tools));
  const bool demonstrates = arguments.config.empty() && table_tools.empty();
  mcp::McpServer server(
      {.name = file.name.value_or("stator"),
       .version = std::string(kVersion),
       .instructions = demonstrates ? "Demonstration of durable tasks." : file.instructions,
       .workers = arguments.running_max,
       .owner_workers_max = arguments.owner_running_max,
       .lease = std::chrono::milliseconds(static_cast<int>(arguments.lease_seconds * 1000)),
       .log = Log,
       .audit = audit},
      store);
  for (mcp::Tool& tool : demonstrates ? mcp::DemonstrationTools() : hosted.Tools()) {
    server.AddTool(std::move(tool));
  }
  for (mcp::Tool& tool : table_tools) {
    server.AddTool(std::move(tool));
  }
  server.Start();
  const Result<void> served = is_http ? ServeHttp(server, arguments) : mcp::ServeStdio(server, {});
  server.Stop();
  return served;
}

void AddLimits(CLI::App& command, McpArguments& arguments) {
  command
      .add_option("--running-max", arguments.running_max,
                  "How many tools run at once; those that wait do not count")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      .add_option("--owner-running-max", arguments.owner_running_max,
                  "How many of them for one owner; 0 for no limit besides the last quarter, which "
                  "is for others")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command
      .add_option("--owner-tasks-max", arguments.owner_tasks_max,
                  "How many tasks of one owner may be there that have not ended")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
}

void AddAccess(CLI::App& command, McpArguments& arguments) {
  OAuthArguments& oauth = arguments.oauth;
  command.add_option("--oauth-issuer", oauth.issuer,
                     "Over HTTP: who signs the tokens that every request must have");
  command.add_option("--oauth-keys", oauth.keys,
                     "Its public keys (JWKS): a file, or an URL such as its jwks_uri");
  command.add_option("--oauth-audience", oauth.audience,
                     "What tokens must be for; the URL of the endpoint without");
  command.add_option("--oauth-owner-claim", oauth.owner_claim, "The claim that says whose tasks")
      ->capture_default_str();
  command.add_option("--oauth-scope", oauth.scopes,
                     "A scope that every request needs; may be given several times");
  command.add_option("--public-url", oauth.public_url,
                     "The endpoint as clients call it, when a proxy stands before it");
  command
      .add_option("--requests-per-second", arguments.requests_per_second,
                  "Over HTTP: how many requests one owner may send; 0 for no limit")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
}

}  // namespace

void AddMcp(CLI::App& app, McpArguments& arguments) {
  CLI::App* command = app.add_subcommand(
      "mcp", "Serve the Model Context Protocol: your commands, HTTP endpoints, tables as tools");
  command->footer(
      "Example:\n"
      "  npx @modelcontextprotocol/inspector stator mcp --data ./data\n"
      "  stator mcp --data ./data --config tools.json\n"
      "  stator mcp --data http://127.0.0.1:8000 --tables\n\n"
      "Without --config and --tables it has tools to try tasks with: slow, fails, asks (task "
      "optional),\n"
      "req (task required), plain (no tasks). docs/mcp.md says what stands in the file.");
  command->add_option("--config", arguments.config,
                      "A JSON file of tools that are commands or HTTP endpoints");
  command->add_flag("--tables", arguments.tables,
                    "Tools that look into the tables of the database and change nothing");
  command->add_flag("--tables-writable", arguments.tables_writable,
                    "The same, and tools that put, change and delete items");
  command
      ->add_option("--data", arguments.data,
                   "Where tasks live: a path, memory:, http://…, aws:REGION")
      ->envname("STATOR_DATABASE")
      ->capture_default_str();
  command->add_option("--table", arguments.table, "Name of the table of the tasks")
      ->envname("STATOR_TASKS_TABLE")
      ->capture_default_str();
  command->add_option("--blobs", arguments.blobs,
                      "Where results go that are too large for an item (400 KB): a directory, "
                      "s3://BUCKET/PREFIX?region=…");
  command->add_option("--audit", arguments.audit,
                      "A file that gets a line of JSON for everything that happens to a task");
  command->add_flag("--push", arguments.push,
                    "Gives the table a stream, by which processes that share it hear of each "
                    "other at once");
  command->add_option("--database-port", arguments.database_port,
                      "Serve the database on this port of 127.0.0.1, too, for `stator tasks` and "
                      "the like (--data http://127.0.0.1:PORT); 0 takes a free one");
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
  command->add_flag("--workers", arguments.workers,
                    "Over HTTP: hand tasks of tools with \"worker\" to programs that ask for them");
  AddLimits(*command, arguments);
  AddAccess(*command, arguments);
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
