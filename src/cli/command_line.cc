#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "cli/local_flags.h"
#include "stator/base/version.h"

namespace stator::cli {
namespace {

// What one client, and all of them together, may take.
void AddLimits(CLI::App& serve, ServeArguments& arguments) {
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    return serve.add_option(name, value, help)
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group("Limits");
  };
  add("--max-connections", arguments.connections_max, "Connections at once");
  add("--max-body", arguments.body_bytes_max, "Size of a request's body")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  add("--max-header", arguments.header_bytes_max, "Size of a request's head")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  add("--max-request-memory", arguments.request_memory_max,
      "Memory of large requests and unsent answers, all together")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false));
  add("--idle-timeout", arguments.idle_seconds, "Seconds between two requests of a connection");
  add("--head-timeout", arguments.head_seconds, "Seconds that a request's head may take to arrive");
  add("--request-timeout", arguments.request_seconds, "Seconds that its body may take to arrive");
  add("--write-timeout", arguments.write_seconds, "Seconds that a client may take to read");
}

void AddServe(CLI::App& app, ServeArguments& arguments) {
  CLI::App* serve = app.add_subcommand("serve", "Serve DynamoDB's protocol over HTTP");
  serve->footer(
      "Example:\n"
      "  stator serve --port 8000 --data ./data\n"
      "  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n\n"
      "The flags of DynamoDB Local (-inMemory -sharedDb -dbPath DIR -port N) are understood.");
  serve->add_option("--host", arguments.host, "Address to listen on")->capture_default_str();
  serve->add_option("--port", arguments.port, "Port; 0 takes a free one and prints it")
      ->capture_default_str();
  CLI::Option* data =
      serve->add_option("--data", arguments.data, "Directory of the data")->capture_default_str();
  serve->add_flag("--memory", arguments.memory, "Keep the data in memory only")->excludes(data);
  serve->add_flag_callback(
      "--relaxed", [&arguments] { arguments.relaxed = true; },
      "Acknowledge writes before they are synced (same as --durability relaxed)");
  serve
      ->add_option_function<std::string>(
          "--durability",
          [&arguments](const std::string& mode) { arguments.relaxed = mode == "relaxed"; },
          "durable: writes are synced before they are acknowledged; relaxed: in the background")
      ->check(CLI::IsMember({"durable", "relaxed"}));
  serve->add_flag("--like-dynamodb-local", arguments.like_dynamodb_local,
                  "Answer as DynamoDB Local where it and the service differ and programs depend on "
                  "it; its own flags -inMemory and -sharedDb set it");
  serve->add_flag("--separate-tables", arguments.separate_tables,
                  "Tables of their own for each access key and region; meant by DynamoDB Local's "
                  "flags without -sharedDb");
  serve->add_flag("--transient-states{1000}", arguments.transient_state_ms,
                  "Show tables as CREATING, UPDATING and DELETING for a second, or as many "
                  "milliseconds as are given: --transient-states=200");
  serve->add_flag("--restorable-after{300}", arguments.restorable_after_s,
                  "Tell of point-in-time recovery as the service does: tables can be restored and "
                  "exported as they were five minutes ago, or as many seconds as are given");
  CLI::Option* buckets = serve->add_option(
      "--buckets", arguments.buckets,
      "Directory of the buckets of exports and imports; DATA/buckets if not given");
  serve
      ->add_option("--s3-endpoint", arguments.s3_endpoint,
                   "Buckets are those of S3 at this URL, or \"aws\" for Amazon's; credentials are "
                   "looked for as the AWS tools do")
      ->excludes(buckets);
  serve->add_option(
      "--kinesis-endpoint", arguments.kinesis_endpoint,
      "Changes of tables can be sent to streams of Kinesis at this URL, or \"aws\" for "
      "Amazon's; credentials are looked for as the AWS tools do");
  serve->add_option("--threads", arguments.threads, "Threads that serve; 0 for one per core");
  serve->add_option("--region", arguments.region, "Region of the names of tables")
      ->envname("AWS_REGION")
      ->capture_default_str();
  serve->add_option("--credentials", arguments.credentials_file,
                    "File with access keys; requests must then be signed");
  serve->add_option("--tls-cert", arguments.tls_certificate, "Certificate chain (PEM)");
  serve->add_option("--tls-key", arguments.tls_key, "Private key of the certificate (PEM)");
  serve->add_flag("--tls-self-signed", arguments.tls_self_signed,
                  "TLS with a certificate made for this run, or for good when --tls-cert and "
                  "--tls-key name files that do not exist yet");
  serve->add_option("--allow-host", arguments.allowed_hosts,
                    "Further names, with commas, by which a server without credentials may be "
                    "called; * for any");
  serve->add_option("--cors", arguments.cors, "Origins that browsers may call from, with commas");
  serve->add_option("--access-log", arguments.access_log,
                    "File for a line of JSON per request; - for standard output");
  serve->add_flag("--no-metrics", arguments.no_metrics, "Do not serve /metrics");
  serve->add_flag("--no-console", arguments.no_console, "Do not serve the console at /_stator/");
  AddConsoleFiles(*serve, arguments.console_files);
  serve->add_option("--metrics-key-file", arguments.metrics_key_file,
                    "File with a key that /metrics asks for (Authorization: Bearer KEY)");
  serve->add_flag("--die-with-parent", arguments.die_with_parent,
                  "Stop when the process that started this one ends");
  AddLimits(*serve, arguments);
}

void AddCheck(CLI::App& app, CheckArguments& arguments) {
  CLI::App* check = app.add_subcommand("check", "Check every row of a data directory");
  check->footer(
      "Examples:\n  stator check ./data\n  stator check --repair-into ./saved ./data\n\n"
      "Exit code 1 when something is wrong.");
  check->add_option("path", arguments.path, "Directory of the data")->required();
  check->add_option("--repair-into", arguments.repair_into,
                    "Save what can be read of a damaged directory into this new one");
  check->add_flag("--json", arguments.json, "Report as JSON");
}

// What to say when a command is missing where one is needed, or is none: CLI11 names neither what
// was typed nor what could have been. Empty when something else is wrong.
std::string MissingCommand(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string path = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
  }
  if (command->get_require_subcommand_min() == 0) {
    return {};
  }
  const std::vector<std::string> rest = command->remaining();
  std::string text = rest.empty()
                         ? "stator: '" + path + "' needs a command"
                         : "stator: '" + rest.front() + "' is no command of '" + path + "'";
  std::string_view separator = "; there are ";
  for (const CLI::App* const known : command->get_subcommands({})) {
    text.append(separator).append(known->get_name());
    separator = ", ";
  }
  return text + "\nRun '" + path + " --help' for more.\n";
}

struct Declaration {
  std::string name;  // the one that `add` gives it
  Command arguments;
  void (*add)(CLI::App&, Command&);
};

template <class Arguments, void (*add)(CLI::App&, Arguments&)>
Declaration Declare(const char* name) {
  return {name, Arguments(),
          [](CLI::App& app, Command& command) { add(app, std::get<Arguments>(command)); }};
}

// Every command, in the order in which help lists them.
std::vector<Declaration> Declarations() {
  return {
      Declare<ServeArguments, AddServe>("serve"),
      Declare<CheckArguments, AddCheck>("check"),
      Declare<TasksArguments, AddTasks>("tasks"),
      Declare<McpArguments, AddMcp>("mcp"),
      Declare<EventsArguments, AddEvents>("events"),
      Declare<SchemaArguments, AddSchema>("schema"),
      Declare<TablesArguments, AddTables>("tables"),
      Declare<NewEntityArguments, AddNewEntity>("new-entity"),
      Declare<SessionsArguments, AddSessions>("sessions"),
      Declare<ConsoleArguments, AddConsole>("console"),
      Declare<ShellArguments, AddShell>("shell"),
      Declare<CopyTableArguments, AddCopyTable>("copy-table"),
      Declare<HistoryArguments, AddHistory>("history"),
      Declare<InsightsArguments, AddInsights>("insights"),
      Declare<DiffArguments, AddDiff>("diff"),
      Declare<BackupArguments, AddBackup>("backup"),
      Declare<RestoreArguments, AddRestore>("restore"),
      Declare<ExportArguments, AddExport>("export"),
      Declare<ImportArguments, AddImport>("import"),
      Declare<RewindArguments, AddRewind>("rewind"),
      Declare<CheckpointArguments, AddCheckpoint>("checkpoint"),
  };
}

}  // namespace

Command ParseCommandLine(std::vector<std::string> arguments) {
  arguments = TranslateLocalFlags(std::move(arguments));
  CLI::App app("Stator: a database with DynamoDB's semantics", "stator");
  app.set_version_flag("--version", "stator " + std::string(kVersion));
  app.require_subcommand(1);
  std::vector<Declaration> commands = Declarations();
  // Declaring all of them would be a third of the instructions before the command begins: when one is
  // named, the others are not needed.
  const auto named =
      std::find_if(commands.begin(), commands.end(), [&](const Declaration& command) {
        return !arguments.empty() && command.name == arguments.front();
      });
  for (auto command = commands.begin(); command != commands.end(); ++command) {
    if (named == commands.end() || command == named) {
      command->add(app, command->arguments);
    }
  }
  // CLI11 takes them last first.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const int code = app.exit(error, text, text);
    const std::string missing = code == 0 ? "" : MissingCommand(app);
    return Message{.text = missing.empty() ? text.str() : missing,
                   .exit_code = code == 0 ? kSuccess : kUsage};
  }
  const std::string given = app.get_subcommands().front()->get_name();
  const auto chosen =
      std::find_if(commands.begin(), commands.end(),
                   [&](const Declaration& command) { return command.name == given; });
  CHECK(chosen != commands.end());
  return std::move(chosen->arguments);
}

}  // namespace stator::cli
