#include "cli/serve_command.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/engine.h"
#include "server/access_log.h"
#include "server/credentials.h"
#include "server/server.h"
#include "server/tls.h"
#include "stator/base/version.h"
#include "wire/handler.h"

namespace stator::cli {
namespace {

// How long a stop waits for requests that have begun.
constexpr Duration kGrace = std::chrono::seconds(10);

Result<std::unique_ptr<engine::Engine>> OpenEngine(const ServeArguments& arguments) {
  engine::EngineOptions options;
  options.store.in_memory = arguments.memory;
  options.store.path = arguments.data;
  options.store.durability =
      arguments.relaxed ? storage::Durability::kRelaxed : storage::Durability::kDurable;
  options.account.region = arguments.region;
  return engine::Engine::Open(options);
}

Result<std::optional<server::TlsIdentity>> TlsOf(const ServeArguments& arguments) {
  const std::string& certificate = arguments.tls_certificate;
  const std::string& key = arguments.tls_key;
  if (certificate.empty() != key.empty()) {
    return Invalid("--tls-cert and --tls-key are only useful together");
  }
  const bool has_files = !certificate.empty();
  const bool files_exist =
      has_files && (std::filesystem::exists(certificate) || std::filesystem::exists(key));
  if (arguments.tls_self_signed && !files_exist) {
    auto identity = TRY(server::MakeDevelopmentIdentity(SystemClock().Now(), SystemRandom()));
    if (has_files) {
      TRY_VOID(server::WriteTlsIdentity(identity, certificate, key));
    }
    return identity;
  }
  if (!has_files) {
    return std::nullopt;
  }
  return TRY(server::ReadTlsIdentity(certificate, key));
}

// From the file, and one key pair from the environment. AWS_ACCESS_KEY_ID and its like are not
// read: they say who a client is, and locking the server by them would surprise.
Result<std::shared_ptr<const server::Credentials>> CredentialsOf(const ServeArguments& arguments) {
  const char* id = std::getenv("STATOR_ACCESS_KEY_ID");
  const char* secret = std::getenv("STATOR_SECRET_ACCESS_KEY");
  if ((id == nullptr) != (secret == nullptr)) {
    return Invalid("STATOR_ACCESS_KEY_ID and STATOR_SECRET_ACCESS_KEY are only useful together");
  }
  if (arguments.credentials_file.empty() && id == nullptr) {
    return nullptr;
  }
  auto credentials = std::make_shared<server::Credentials>();
  if (id != nullptr) {
    TRY_VOID(credentials->Add("environment", {.access_key_id = id, .secret_access_key = secret},
                              std::nullopt));
  }
  if (!arguments.credentials_file.empty()) {
    TRY_VOID(credentials->AddFile(arguments.credentials_file));
  }
  return credentials;
}

std::vector<std::string> SplitAtCommas(const std::string& list) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) {
      parts.push_back(list.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

// A descriptor that is closed at the end, unless it is standard output's.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ != STDOUT_FILENO) {
      close(number_);
    }
  }

 private:
  const int number_;
};

class LogFile {
 public:
  static Result<std::unique_ptr<LogFile>> Open(const std::string& path) {
    if (path == "-") {
      return std::make_unique<LogFile>(STDOUT_FILENO);
    }
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (descriptor < 0) {
      return Fail(ErrorCode::kIo, "cannot write the access log to " + path);
    }
    return std::make_unique<LogFile>(descriptor);
  }

  explicit LogFile(int descriptor) : descriptor_(descriptor), log_(descriptor) {}

  [[nodiscard]] server::AccessLog& log() { return log_; }

 private:
  const Descriptor descriptor_;
  server::AccessLog log_;  // writes what is left before the descriptor is closed
};

void ReportStore(const engine::Engine& engine, server::MetricsText& text) {
  const storage::StoreStatistics store = engine.StoreStatistics();
  const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    text.Begin(name, "counter", help);
    text.Add(value);
  };
  const auto gauge = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    text.Begin(name, "gauge", help);
    text.Add(value);
  };
  counter("stator_store_batches_total", "Batches written", store.batches);
  counter("stator_store_groups_total", "Writes to the log, each of one batch or more",
          store.groups);
  counter("stator_store_syncs_total", "Syncs of the log", store.syncs);
  counter("stator_store_written_bytes_total", "Bytes of the batches written", store.bytes);
  counter("stator_store_sync_micros_total", "Time spent in synced writes", store.sync_micros);
  gauge("stator_store_disk_bytes", "Table files in use", store.disk_bytes);
  gauge("stator_store_memory_bytes", "Memtables, cache, filters and indexes", store.memory_bytes);
}

// What the example command needs to trust a certificate that only we vouch for.
std::string TrustHint(const ServeArguments& arguments) {
  return arguments.tls_self_signed && !arguments.tls_certificate.empty()
             ? "AWS_CA_BUNDLE=" + arguments.tls_certificate + " "
             : "";
}

void PrintBanner(const ServeArguments& arguments, const std::string& endpoint) {
  std::printf("Stator %.*s\n", static_cast<int>(kVersion.size()), kVersion.data());
  std::printf("  endpoint   %s\n", endpoint.c_str());
  std::printf("  data       %s\n",
              arguments.memory ? "in memory, gone when this process ends" : arguments.data.c_str());
  if (!arguments.memory) {
    std::printf("  writes     %s\n", arguments.relaxed
                                         ? "RELAXED: a power cut loses the last moments"
                                         : "synced to disk before they are acknowledged");
  }
  std::printf("  try        %saws dynamodb list-tables --endpoint-url %s --region %s\n",
              TrustHint(arguments).c_str(), endpoint.c_str(), arguments.region.c_str());
  std::fflush(stdout);
}

// Signals are taken by waiting for them, so nothing runs inside a handler. To be called before any
// thread is started.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Asks the system to send SIGTERM when the parent ends. False when it has ended already.
bool DieWithParent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  return getppid() == parent;
}

// Every connection is a file to the system, whose first limit is often 1,024; the store needs some.
void RaiseFileLimit(std::size_t connections) {
  constexpr rlim_t kOthers = 2048;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, connections + kOthers));
    setrlimit(RLIMIT_NOFILE, &files);
  }
}

Result<server::ServerOptions> OptionsOf(const ServeArguments& arguments) {
  using std::chrono::seconds;
  server::ServerOptions options = {.host = arguments.host,
                                   .port = arguments.port,
                                   .threads = arguments.threads,
                                   .limits = {.connections = arguments.connections_max,
                                              .header_bytes = arguments.header_bytes_max,
                                              .body_bytes = arguments.body_bytes_max,
                                              .memory_bytes = arguments.request_memory_max,
                                              .idle_time = seconds(arguments.idle_seconds),
                                              .request_time = seconds(arguments.request_seconds),
                                              .write_time = seconds(arguments.write_seconds)},
                                   .region = arguments.region,
                                   .cors_origins = SplitAtCommas(arguments.cors),
                                   .serves_metrics = !arguments.no_metrics,
                                   .version = std::string(kVersion)};
  options.tls = TRY(TlsOf(arguments));
  options.credentials = TRY(CredentialsOf(arguments));
  return options;
}

Result<void> Serve(const ServeArguments& arguments) {
  const sigset_t signals = BlockStopSignals();
  if (arguments.die_with_parent && !DieWithParent()) {
    return {};
  }
  RaiseFileLimit(arguments.connections_max);
  server::ServerOptions options = TRY(OptionsOf(arguments));
  std::unique_ptr<LogFile> log;
  if (!arguments.access_log.empty()) {
    log = TRY(LogFile::Open(arguments.access_log));
    options.access_log = &log->log();
  }
  const std::unique_ptr<engine::Engine> engine = TRY(OpenEngine(arguments));
  options.is_ready = [&engine] { return engine->Health().has_value(); };
  options.report_metrics = [&engine](server::MetricsText& text) { ReportStore(*engine, text); };
  wire::DatabaseHandler handler(*engine);
  const std::unique_ptr<server::Server> server =
      TRY(server::Server::Start(std::move(options), handler));
  PrintBanner(arguments, server->endpoint());
  int received = 0;
  sigwait(&signals, &received);
  // Who asks again does not want to wait.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  server->Stop(kGrace);
  return engine->Close();
}

}  // namespace

int RunServe(const ServeArguments& arguments) {
  const Result<void> served = Serve(arguments);
  if (!served) {
    const bool port_is_taken = served.error().code == ErrorCode::kResourceInUse;
    std::fprintf(stderr, "stator: %s%s\n", served.error().message.c_str(),
                 port_is_taken ? "; choose another with --port, 0 takes a free one" : "");
    return kFailure;
  }
  return kSuccess;
}

}  // namespace stator::cli
