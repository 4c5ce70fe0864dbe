#include "cli/serve_command.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
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
  if (arguments.tls_self_signed) {
    return TRY(server::MakeDevelopmentIdentity(SystemClock().Now(), SystemRandom()));
  }
  if (arguments.tls_certificate.empty() != arguments.tls_key.empty()) {
    return Invalid("--tls-cert and --tls-key are only useful together");
  }
  if (arguments.tls_certificate.empty()) {
    return std::nullopt;
  }
  return TRY(server::ReadTlsIdentity(arguments.tls_certificate, arguments.tls_key));
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

// A file descriptor that is closed at the end, unless it is standard output's.
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
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() {
    if (descriptor_ != STDOUT_FILENO) {
      close(descriptor_);
    }
  }

  [[nodiscard]] server::AccessLog& log() { return log_; }

 private:
  const int descriptor_;
  server::AccessLog log_;
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
  std::printf("  try        aws dynamodb list-tables --endpoint-url %s --region %s\n",
              endpoint.c_str(), arguments.region.c_str());
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

Result<void> Serve(const ServeArguments& arguments) {
  if (arguments.die_with_parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  const sigset_t signals = BlockStopSignals();
  server::ServerOptions options;
  options.host = arguments.host;
  options.port = arguments.port;
  options.threads = arguments.threads;
  options.limits.connections = arguments.connections_max;
  options.region = arguments.region;
  options.version = kVersion;
  options.cors_origins = SplitAtCommas(arguments.cors);
  options.tls = TRY(TlsOf(arguments));
  options.credentials = TRY(CredentialsOf(arguments));
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
  server->Stop(kGrace);
  return engine->Close();
}

}  // namespace

int RunServe(const ServeArguments& arguments) {
  const Result<void> served = Serve(arguments);
  if (!served) {
    std::fprintf(stderr, "stator: %s\n", served.error().message.c_str());
    return kFailure;
  }
  return kSuccess;
}

}  // namespace stator::cli
