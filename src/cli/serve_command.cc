#include "cli/serve_command.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <signal.h>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/free_memory.h"
#include "base/try.h"
#include "blobs/s3_bucket.h"
#include "cli/console_sources.h"
#include "cli/like_dynamodb_local.h"
#include "cli/separate_tables.h"
#include "cli/serve_files.h"
#include "cli/stop_signals.h"
#include "client/kinesis_streams.h"
#include "console/console.h"
#include "engine/engine.h"
#include "engine/history_statistics.h"
#include "engine/outgoing.h"
#include "server/access_log.h"
#include "server/descriptors.h"
#include "server/local_names.h"
#include "server/request_inspector.h"
#include "server/server.h"
#include "stator/base/version.h"
#include "wire/handler.h"
#include "wire/http_date.h"

namespace stator::cli {
namespace {

// How long a stop waits for requests that have begun.
constexpr Duration kGrace = std::chrono::seconds(10);

// What an engine needs of open files when there are several.
constexpr std::size_t kFilesMin = 32;

// To whoever watches, with the time, because it may be read much later.
void Say(std::string_view sentence) {
  std::fprintf(stderr, "stator: %s: %.*s\n", wire::FormatHttpDate(SystemClock().Now()).c_str(),
               static_cast<int>(sentence.size()), sentence.data());
}

// The directory of one of several engines, each of which has one of its own below that of the data.
Result<std::string> SeparateDirectory(const std::string& data, const std::string& name) {
  if (std::filesystem::exists(data + "/STATOR")) {
    return Fail(ErrorCode::kValidation, data +
                                            " holds tables that all access keys share; serve them "
                                            "with -sharedDb, or without --separate-tables");
  }
  std::error_code failure;
  std::filesystem::create_directories(data, failure);
  if (failure) {
    return Fail(ErrorCode::kIo, "cannot make the directory " + data + ": " + failure.message());
  }
  return data + "/" + name;
}

// `name` is of one of several engines; empty when there is one.
Result<std::unique_ptr<engine::Engine>> OpenEngine(const ServeArguments& arguments,
                                                   std::size_t open_files_max,
                                                   const std::string& name) {
  engine::EngineOptions options;
  options.store.in_memory = arguments.memory;
  options.store.path = arguments.data;
  if (!name.empty() && !arguments.memory) {
    options.store.path = TRY(SeparateDirectory(arguments.data, name));
  }
  options.store.durability =
      arguments.relaxed ? storage::Durability::kRelaxed : storage::Durability::kDurable;
  options.store.open_files_max = open_files_max;
  options.store.on_notice = [](const storage::StoreNotice& notice) { Say(notice.text); };
  options.account.region = arguments.region;
  options.transient_states = std::chrono::milliseconds(arguments.transient_state_ms);
  options.restorable_after = std::chrono::seconds(arguments.restorable_after_s);
  options.buckets = arguments.buckets;
  if (!name.empty() && !arguments.buckets.empty()) {
    options.buckets += "/" + name;
  }
  if (!arguments.s3_endpoint.empty()) {
    options.open_bucket =
        TRY(blobs::OpenS3Buckets(arguments.s3_endpoint == "aws" ? "" : arguments.s3_endpoint));
  }
  if (!arguments.kinesis_endpoint.empty()) {
    options.change_receiver = TRY(client::OpenKinesisStreams(
        arguments.kinesis_endpoint == "aws" ? "" : arguments.kinesis_endpoint, arguments.region));
  }
  options.log = [](std::string_view sentence) { Say(sentence); };
  return engine::Engine::Open(options);
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
  counter("stator_store_refusals_total", "How often the store began to refuse writes",
          store.refusals);
  counter("stator_store_stalls_total", "How often the disk began to stand still", store.stalls);
  gauge("stator_store_refuses_writes", "1 while writes are refused", store.refuses_writes ? 1 : 0);
  gauge("stator_commit_waiting", "Writes on their way to the disk", store.unsettled_places);
  text.Begin("stator_commit_oldest_seconds", "gauge",
             "How long the first write on its way to the disk has waited");
  text.Add(std::chrono::duration<double>(store.oldest_unsettled).count());
}

void ReportTransfers(const engine::TransferFigures& figures, server::MetricsText& text) {
  const auto counter = [&](std::string_view name, std::string_view help,
                           const std::atomic<std::uint64_t>& value) {
    text.Begin(name, "counter", help);
    text.Add(value.load());
  };
  counter("stator_exports_begun_total", "Exports asked for", figures.exports_begun);
  counter("stator_exports_completed_total", "Exports that are whole", figures.exports_completed);
  counter("stator_exports_failed_total", "Exports that failed", figures.exports_failed);
  counter("stator_exported_items_total", "Items and changes in files", figures.exported_items);
  counter("stator_imports_begun_total", "Imports asked for", figures.imports_begun);
  counter("stator_imports_completed_total", "Imports without an error", figures.imports_completed);
  counter("stator_imports_failed_total", "Imports with errors", figures.imports_failed);
  counter("stator_imported_items_total", "Items imported", figures.imported_items);
  counter("stator_import_errors_total", "Records of files that are no items",
          figures.import_errors);
}

void ReportHistory(const engine::HistoryStatistics& figures, server::MetricsText& text) {
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                       std::uint64_t value) {
    text.Begin(name, type, help);
    text.Add(value);
  };
  add("stator_restores_under_way", "gauge", "Tables that are being restored", figures.restores);
  add("stator_restored_items", "gauge", "Items that those tables have so far",
      figures.restored_items);
  add("stator_rewinds_under_way", "gauge", "Tables that are being rewound", figures.rewinds);
  add("stator_history_removed_rows_total", "counter", "Rows of history that nobody needed any more",
      figures.removed_rows);
  add("stator_history_removed_bytes_total", "counter", "Their bytes", figures.removed_bytes);
}

void ReportOutgoing(const engine::OutgoingStatistics& figures, server::MetricsText& text) {
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                       std::uint64_t value) {
    text.Begin(name, type, help);
    text.Add(value);
  };
  add("stator_kinesis_destinations", "gauge",
      "Tables whose changes are sent to Kinesis, or not yet", figures.destinations);
  add("stator_kinesis_failing", "gauge", "Of them, those for which the last call failed",
      figures.failing);
  add("stator_kinesis_delivered_total", "counter", "Records that Kinesis took", figures.delivered);
  add("stator_kinesis_calls_total", "counter", "Calls of PutRecords", figures.calls);
  add("stator_kinesis_failures_total", "counter",
      "Of them, those that failed wholly or for some of their records", figures.failures);
  add("stator_kinesis_dropped_total", "counter", "Records that were never sent", figures.dropped);
  text.Begin("stator_kinesis_oldest_seconds", "gauge",
             "How long the oldest record that is still to be sent has waited");
  text.Add(std::chrono::duration<double>(figures.oldest).count());
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
  if (!arguments.no_console) {
    std::printf("  console    %s/_stator/\n", endpoint.c_str());
  }
  std::printf("  try        %saws dynamodb list-tables --endpoint-url %s --region %s\n",
              TrustHint(arguments).c_str(), endpoint.c_str(), arguments.region.c_str());
  std::fflush(stdout);
}

void WarnOfOpenDoors(const ServeArguments& arguments, const server::ServerOptions& options) {
  const bool is_local = server::IsLocalName(arguments.host) || arguments.host == "::1";
  if (!is_local && !options.tls) {
    Say("listening beyond this machine without TLS: requests are signed, but everybody on the way "
        "can read the data; give --tls-cert and --tls-key, or --tls-self-signed");
  }
  struct stat status{};
  if (!arguments.memory && ::stat(arguments.data.c_str(), &status) == 0 &&
      (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    Say("other users can look into " + arguments.data + "; close it with: chmod 700 " +
        arguments.data);
  }
}

// Until a signal asks for the end. SIGHUP asks for it where there is nothing to read again, which
// is what closing the terminal of a server that somebody tries out should do.
void WaitForStop(const sigset_t& signals, const ServeArguments& arguments, server::Server& server) {
  for (;;) {
    const int received = WaitForSignal(signals);
    if (received != SIGHUP || !HasFilesToReadAgain(arguments)) {
      break;
    }
    const Result<void> read = ReadAgain(arguments, server);
    Say(read ? "credentials and certificates were read again"
             : "credentials and certificates stay as they were: " + read.error().message);
  }
  // Who asks again does not want to wait.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// As many connections as the limit of open files leaves beside the store.
Result<server::DescriptorShares> FitDescriptors(std::size_t connections) {
  const std::size_t limit = server::RaiseDescriptorLimit(connections);
  const server::DescriptorShares shares = TRY(server::ShareDescriptors(limit, connections));
  if (shares.connections < connections) {
    Say("only " + std::to_string(shares.connections) + " connections at once instead of " +
        std::to_string(connections) + ", because " + std::to_string(limit) +
        " files may be open; raise the limit (ulimit -n, LimitNOFILE= of systemd)");
  }
  return shares;
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
                                              .head_time = seconds(arguments.head_seconds),
                                              .request_time = seconds(arguments.request_seconds),
                                              .write_time = seconds(arguments.write_seconds)},
                                   .region = arguments.region,
                                   .hosts = SplitAtCommas(arguments.allowed_hosts),
                                   .cors_origins = SplitAtCommas(arguments.cors),
                                   .serves_metrics = !arguments.no_metrics,
                                   .version = std::string(kVersion),
                                   .report_fault = Say};
  options.tls = TRY(TlsOf(arguments));
  options.credentials = TRY(CredentialsOf(arguments));
  options.metrics_key = TRY(MetricsKeyOf(arguments));
  return options;
}

console::Home HomeOf(const ServeArguments& arguments) {
  return {.version = std::string(kVersion),
          .location = arguments.memory ? "memory" : arguments.data,
          .kind = arguments.memory ? "memory" : "files",
          .durability = arguments.memory    ? ""
                        : arguments.relaxed ? "relaxed"
                                            : "durable",
          .region = arguments.region,
          .demands_signatures = !arguments.credentials_file.empty()};
}

Result<void> Serve(const ServeArguments& arguments) {
  base::KeepNoLargeBlocks();
  const sigset_t signals = BlockStopSignals();
  if (arguments.die_with_parent && !DieWithParent()) {
    return {};
  }
  umask(S_IRWXG | S_IRWXO);  // Data, logs and keys are nobody else's.
  server::ServerOptions options = TRY(OptionsOf(arguments));
  const server::DescriptorShares shares = TRY(FitDescriptors(arguments.connections_max));
  options.limits.connections = shares.connections;
  std::unique_ptr<LogFile> log;
  if (!arguments.access_log.empty()) {
    log = TRY(LogFile::Open(arguments.access_log));
    options.access_log = &log->log();
  }
  const std::size_t files = arguments.separate_tables
                                ? std::max(kFilesMin, shares.store / kSeparateCallersMax)
                                : shares.store;
  const std::unique_ptr<engine::Engine> engine =
      TRY(OpenEngine(arguments, files, arguments.separate_tables ? "unsigned" : ""));
  options.is_ready = [&engine] { return engine->Health().has_value() && !engine->IsStalled(); };
  options.report_metrics = [&engine](server::MetricsText& text) {
    ReportStore(*engine, text);
    ReportTransfers(engine->Transfers(), text);
    ReportHistory(engine->HistoryFigures(), text);
    ReportOutgoing(engine->OutgoingFigures(), text);
  };
  server::RequestInspector inspector;
  console::Console console(HomeOf(arguments), TRY(SourcesOf(arguments.console_files, *engine)),
                           inspector, *engine, SystemClock());
  if (!arguments.no_console) {
    options.pages = &console;
    options.inspector = &inspector;
  }
  WarnOfOpenDoors(arguments, options);
  LikeDynamoDbLocal like_local(*engine);
  wire::DatabaseHandler handler(arguments.like_dynamodb_local ? static_cast<Database&>(like_local)
                                                              : *engine);
  SeparateTables separate(
      [&](const std::string& name) { return OpenEngine(arguments, files, name); },
      arguments.like_dynamodb_local, handler);
  const std::unique_ptr<server::Server> server = TRY(server::Server::Start(
      std::move(options),
      arguments.separate_tables ? static_cast<wire::Handler&>(separate) : handler));
  PrintBanner(arguments, server->endpoint());
  base::ReturnCode();
  WaitForStop(signals, arguments, *server);
  server->Stop(kGrace);
  const Result<void> closed = separate.Close();
  TRY_VOID(engine->Close());
  return closed;
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
