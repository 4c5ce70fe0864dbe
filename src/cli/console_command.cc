#include "cli/console_command.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <signal.h>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "cli/command_line.h"
#include "cli/stop_signals.h"
#include "console/console.h"
#include "server/credentials.h"
#include "server/request_inspector.h"
#include "server/server.h"
#include "stator/base/random.h"
#include "stator/base/version.h"
#include "stator/home/open.h"
#include "wire/handler.h"

namespace stator::cli {
namespace {

constexpr Duration kGrace = std::chrono::seconds(2);
constexpr std::string_view kAccessKeyId = "CONSOLE";
constexpr std::string_view kAws = "aws:";

std::string MakeSecret() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::byte, 32> bytes{};
  SystemRandom().Fill(bytes);
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

// What a policy has to allow for everything that the page shows, and nothing that changes something.
constexpr std::string_view kReadOnlyPolicy =
    R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Resource":"*","Action":[)"
    R"("dynamodb:BatchGetItem","dynamodb:Describe*","dynamodb:Get*","dynamodb:List*",)"
    R"("dynamodb:PartiQLSelect","dynamodb:Query","dynamodb:Scan","stator:Read*"]}]})";

// Those of whoever has the address.
Result<std::shared_ptr<server::Credentials>> CredentialsOf(const std::string& secret,
                                                           bool read_only) {
  auto credentials = std::make_shared<server::Credentials>();
  const std::string profile = "[console]\naws_access_key_id = " + std::string(kAccessKeyId) +
                              "\naws_secret_access_key = " + secret +
                              (read_only ? "\nstator_policy = read-only\n" : "\n");
  TRY_VOID(credentials->AddProfiles(profile, [](std::string_view) -> Result<std::string> {
    return std::string(kReadOnlyPolicy);
  }));
  return credentials;
}

console::Home HomeOf(const std::string& location, const std::string& region, bool read_only) {
  const bool is_remote = location.starts_with("http://") || location.starts_with("https://") ||
                         location.starts_with(kAws);
  const bool is_memory = location == "memory:";
  return {.version = std::string(kVersion),
          .location = location,
          .kind = is_remote   ? "remote"
                  : is_memory ? "memory"
                              : "files",
          .durability = is_remote || is_memory ? "" : "durable",
          .region = region,
          .demands_signatures = true,
          .is_read_only = read_only};
}

Result<void> Serve(const ConsoleArguments& arguments) {
  const sigset_t signals = BlockStopSignals();
  if (arguments.die_with_parent && !DieWithParent()) {
    return {};
  }
  const std::unique_ptr<Database> database =
      TRY(Open(arguments.location, {.create_if_missing = arguments.location == "memory:"}));
  const std::string secret = MakeSecret();
  server::ServerOptions options = {.port = arguments.port,
                                   .credentials = TRY(CredentialsOf(secret, arguments.read_only))};
  if (arguments.location.starts_with(kAws) && arguments.location.size() > kAws.size()) {
    options.region = arguments.location.substr(kAws.size());
  }
  const std::string region = options.region;
  server::RequestInspector inspector;
  console::Console console(HomeOf(arguments.location, region, arguments.read_only),
                           TRY(SourcesOf(arguments.files, *database)), inspector, *database,
                           SystemClock());
  options.pages = &console;
  options.inspector = &inspector;
  wire::DatabaseHandler handler(*database);
  const std::unique_ptr<server::Server> server =
      TRY(server::Server::Start(std::move(options), handler));
  std::printf("Stator %.*s\n  home       %s\n  console    %s/_stator/#key=%.*s:%s@%s\n",
              static_cast<int>(kVersion.size()), kVersion.data(), arguments.location.c_str(),
              server->endpoint().c_str(), static_cast<int>(kAccessKeyId.size()),
              kAccessKeyId.data(), secret.c_str(), region.c_str());
  std::fflush(stdout);
  WaitForSignal(signals);
  server->Stop(kGrace);
  return {};
}

}  // namespace

void AddConsole(CLI::App& app, ConsoleArguments& arguments) {
  CLI::App* const console =
      app.add_subcommand("console", "Show the console of any home in a browser");
  console->footer(
      "Examples:\n  stator console ./data\n  stator console http://127.0.0.1:8000\n"
      "  stator console aws:eu-central-1 --read-only\n\n"
      "Open the address that it prints; the key in it is for this run alone.");
  console->add_option("location", arguments.location, "memory:, a directory, a URL, aws:REGION")
      ->required();
  console->add_option("--port", arguments.port, "Port; 0 takes a free one")->capture_default_str();
  console->add_flag("--read-only", arguments.read_only, "Refuse whatever changes something");
  AddConsoleFiles(*console, arguments.files);
  console->add_flag("--die-with-parent", arguments.die_with_parent,
                    "Stop when the process that started this one ends");
}

int RunConsole(const ConsoleArguments& arguments) {
  const Result<void> served = Serve(arguments);
  if (!served) {
    std::fprintf(stderr, "stator: %s\n", served.error().message.c_str());
    return kFailure;
  }
  return kSuccess;
}

}  // namespace stator::cli
