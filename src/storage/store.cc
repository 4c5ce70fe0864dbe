#include "storage/store.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "storage/directory.h"
#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"
#include "storage/file_check.h"
#include "storage/rocksdb_options.h"
#include "storage/rocksdb_status.h"
#include "storage/store_env.h"
#include "storage/store_state.h"

namespace stator::storage {
namespace {

// How often a directory that another process writes is looked at until it holds still.
constexpr int kLooksMax = 20;

// On disk: cannot change.
constexpr char kHistoryName[] = "history";

// Of a store in memory; nobody sees it.
constexpr char kPathInMemory[] = "/stator";

StoreOptions WithPath(StoreOptions options) {
  if (options.in_memory) {
    options.path = kPathInMemory;
  }
  return options;
}

std::shared_ptr<rocksdb::FileSystem> FilesOf(const StoreOptions& options) {
  if (options.disk != nullptr) {
    return options.disk->file_system();
  }
  return rocksdb::FileSystem::Default();
}

std::shared_ptr<LogFiles> MakeLogFiles(const StoreOptions& options) {
  return options.in_memory ? nullptr : std::make_shared<LogFiles>(FilesOf(options));
}

std::unique_ptr<rocksdb::Env> MakeEnv(const StoreOptions& options,
                                      const std::shared_ptr<LogFiles>& log_files,
                                      const FailureLatch& failure,
                                      std::shared_ptr<FlushJobs> flushes) {
  if (options.in_memory) {
    return MakeMemoryEnv();
  }
  return MakeStoreEnv(log_files, failure, std::move(flushes));
}

Result<void> OpenFailure(const rocksdb::Status& status, const StoreOptions& options) {
  if (IsHeldLock(status)) {
    return Fail(ErrorCode::kIo,
                "the directory \"" + options.path + "\" is in use by another process");
  }
  Result<void> result = ToResult(status, "opening \"" + options.path + "\"");
  if (status.IsCorruption()) {
    result.error().message += "; " + Remedy(options.path);
  }
  return result;
}

// What is in the directory and may be read. A process that writes it meanwhile moves its files and
// its ledger on, so whoever only reads may have to look again.
Result<FileCheck> CheckDirectory(rocksdb::FileSystem& files, const StoreOptions& options) {
  std::optional<LedgerState> ledger = TRY(PrepareDirectory(files, options));
  if (!options.read_only) {
    TRY_VOID(CheckNotInUse(files, options));
  }
  for (int look = 1;; ++look) {
    Result<FileCheck> check = CheckFiles(files, options.path, ledger ? &*ledger : nullptr);
    const bool is_good = check.has_value() && check->losses.empty();
    if (is_good || !options.read_only || look == kLooksMax) {
      return check;
    }
    std::optional<LedgerState> again = TRY(PrepareDirectory(files, options));
    if (!ledger || !again || again->number == ledger->number) {
      return check;
    }
    ledger = std::move(again);
  }
}

bool HasFamily(const rocksdb::Options& settings, const std::string& path) {
  std::vector<std::string> names;
  return rocksdb::DB::ListColumnFamilies(settings, path, &names).ok() &&
         std::ranges::find(names, kHistoryName) != names.end();
}

Result<void> RefuseLosses(const std::vector<std::string>& losses, const std::string& path) {
  if (losses.empty()) {
    return {};
  }
  const std::string others =
      losses.size() == 1 ? "" : " (and " + std::to_string(losses.size() - 1) + " more)";
  return Fail(ErrorCode::kCorruption,
              losses.front() + others + "; nothing was changed; " + Remedy(path));
}

}  // namespace

Store::State::State(const StoreOptions& from)
    : options(WithPath(from)),
      rows(RowCacheBytes(options)),
      runs(RunCacheBytes(options)),
      listener(std::make_shared<StoreListener>(failure, flushes)),
      log_files(MakeLogFiles(options)),
      env(MakeEnv(options, log_files, failure, flushes)) {
  failure.set_on_failure([this] {
    if (Watch* const to_be_woken = waker) {
      to_be_woken->Wake();
    }
  });
}

Result<void> Store::State::PrepareFiles() {
  rocksdb::FileSystem& files = *env->GetFileSystem();
  if (options.in_memory) {
    TRY_VOID(PrepareDirectory(files, options));
    return {};
  }
  FileCheck check = TRY(CheckDirectory(*FilesOf(options), options));
  // Without a whole list of tables nobody knows which ones are missing; see salvage.h.
  if (!options.salvage || check.list_is_damaged) {
    TRY_VOID(RefuseLosses(check.losses, options.path));
  }
  losses = std::move(check.losses);
  ledger_number = check.ledger.number;
  log_files->SetCuts(std::move(check.cuts));
  if (options.read_only) {
    return {};
  }
  if (check.ledger.number == 0) {
    TRY_VOID(AddLedger(*FilesOf(options), options));
  }
  check.ledger.durability = options.durability;
  log_files->SetLedger(
      TRY(Ledger::Open(*FilesOf(options), MarkerPath(options), std::move(check.ledger))));
  return {};
}

bool Store::State::HasMovedOn() const {
  if (!options.read_only || !ledger_number) {
    return false;
  }
  const Result<std::optional<LedgerState>> ledger = PrepareDirectory(*FilesOf(options), options);
  return ledger && *ledger && (*ledger)->number != *ledger_number;
}

Result<void> Store::State::OpenDatabase() {
  TRY_VOID(PrepareFiles());
  format = TRY(FormatOf(*env->GetFileSystem(), options));
  rocksdb::Options settings = MakeRocksDbOptions(options, env.get(), listener);
  // Also what a crash in RaiseFormat has left to do.
  settings.create_missing_column_families = true;
  std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, settings}};
  if (format >= kHistorySince && (!options.read_only || HasFamily(settings, options.path))) {
    families.emplace_back(kHistoryName, MakeHistoryOptions(options, settings));
  }
  rocksdb::DB* opened = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status =
      options.read_only
          ? rocksdb::DB::OpenForReadOnly(settings, options.path, families, &handles, &opened)
          : rocksdb::DB::Open(settings, options.path, families, &handles, &opened);
  if (!status.ok()) {
    return OpenFailure(status, options);
  }
  database.reset(opened);
  // Of the first one RocksDB keeps a handle of its own.
  static_cast<void>(database->DestroyColumnFamilyHandle(handles.front()));
  return handles.size() > 1 ? TakeHistory(handles.back()) : Result<void>();
}

Result<void> Store::State::TakeHistory(rocksdb::ColumnFamilyHandle* handle) {
  CHECK(history == nullptr && handle != nullptr);
  history = handle;
  if (handle->GetID() != kHistoryNumber) {
    return Fail(ErrorCode::kCorruption, "the history in \"" + options.path +
                                            "\" has another number than it was written with; " +
                                            Remedy(options.path));
  }
  return {};
}

rocksdb::ColumnFamilyHandle* Store::State::HandleOf(Family family) const {
  rocksdb::ColumnFamilyHandle* const handle =
      family == Family::kMain ? database->DefaultColumnFamily() : history.load();
  CHECK_THAT(handle != nullptr, "the store has no history");
  return handle;
}

rocksdb::Status Store::State::CloseDatabase() {
  if (rocksdb::ColumnFamilyHandle* const handle = history.exchange(nullptr)) {
    static_cast<void>(database->DestroyColumnFamilyHandle(handle));
  }
  rocksdb::Status closed = database->Close();
  database.reset();
  return closed;
}

Store::State::~State() {
  watch.reset();
  background_sync.reset();
  queue.reset();
  if (database != nullptr) {
    CloseDatabase().PermitUncheckedError();
  }
}

std::uint32_t Store::format() const {
  return state_->format;
}

bool Store::HasHistory() const {
  return state_->history != nullptr;
}

Result<void> Store::RaiseFormat(std::uint32_t version) {
  State& state = *state_;
  CHECK(version >= kHistorySince && !state.options.read_only);
  TRY_VOID(Health());
  if (state.format < version) {
    if (state.log_files != nullptr) {
      TRY_VOID(ToResult(state.log_files->ReplaceFirstLine(FirstLineOf(version)),
                        "writing \"" + MarkerPath(state.options) + "\""));
    }
    state.format = version;
  }
  if (HasHistory()) {
    return {};
  }
  const rocksdb::Options settings =
      MakeRocksDbOptions(state.options, state.env.get(), state.listener);
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  TRY_VOID(ToResult(state.database->CreateColumnFamily(MakeHistoryOptions(state.options, settings),
                                                       kHistoryName, &handle),
                    "adding the history"));
  return state.TakeHistory(handle);
}

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  auto state = std::make_unique<State>(options);
  Result<void> opened = state->OpenDatabase();
  // A process that writes the directory removes files while they are being opened for reading.
  for (int tries = 1; !opened && tries < kLooksMax && state->HasMovedOn(); ++tries) {
    state = std::make_unique<State>(options);
    opened = state->OpenDatabase();
  }
  TRY_VOID(opened);
  State* raw = state.get();
  raw->RefreshSizes();
  if (options.read_only) {
    return std::unique_ptr<Store>(new Store(std::move(state)));
  }
  raw->queue = std::make_unique<CommitQueue>(
      CommitQueueOptions{.group_bytes_max = options.group_bytes_max,
                         .queue_bytes_max = options.queue_bytes_max,
                         .clock = options.clock,
                         .commit_clock = options.commit_clock},
      [raw] { return raw->failure.Check(); },
      [raw](std::span<const QueuedWritePtr> group) { return raw->CommitGroup(group); });
  if (!options.in_memory && options.durability == Durability::kRelaxed) {
    raw->background_sync = std::make_unique<BackgroundSync>(
        options.sync_interval, [raw] { static_cast<void>(raw->SyncLog()); });
  }
  if (!options.in_memory && options.watch_interval.count() > 0) {
    raw->watch = std::make_unique<Watch>(options.watch_interval, [raw] { raw->Maintain(); });
    raw->waker = raw->watch.get();
  }
  return std::unique_ptr<Store>(new Store(std::move(state)));
}

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}

Store::~Store() {
  static_cast<void>(Close());
}

Result<bool> Store::Get(std::string_view key, PinnedValue& value, const Snapshot* snapshot) const {
  CHECK_THAT(state_->database != nullptr, "a read after Close");
  value.Reset();
  RowCache::Visit visit;
  if (snapshot == nullptr) {
    value.row_ = state_->rows.Find(key, visit);
    if (value.row_ != nullptr) {
      return true;
    }
  }
  if (value.slice_ == nullptr) {
    value.slice_ = std::make_unique<rocksdb::PinnableSlice>();
  }
  rocksdb::Status status;
  rocksdb::DB& database = *state_->database;
  if (snapshot == nullptr) {
    status = database.Get(state_->latest, database.DefaultColumnFamily(), ToSlice(key),
                          value.slice_.get());
  } else {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot->snapshot_;
    status =
        database.Get(options, database.DefaultColumnFamily(), ToSlice(key), value.slice_.get());
  }
  if (status.IsNotFound()) {
    return false;
  }
  TRY_VOID(ToResult(status, "reading"));
  state_->rows.Offer(key, visit, value.view());
  return true;
}

Result<std::vector<std::optional<std::string>>> Store::GetMany(
    std::span<const std::string_view> keys, const Snapshot* snapshot) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot != nullptr ? snapshot->snapshot_ : nullptr;
  std::vector<rocksdb::Slice> slices;
  slices.reserve(keys.size());
  for (const std::string_view key : keys) {
    slices.push_back(ToSlice(key));
  }
  std::vector<rocksdb::PinnableSlice> found(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  state_->database->MultiGet(options, state_->database->DefaultColumnFamily(), keys.size(),
                             slices.data(), found.data(), statuses.data(), /*sorted_input=*/true);
  std::vector<std::optional<std::string>> values(keys.size());
  for (std::size_t at = 0; at < keys.size(); ++at) {
    if (statuses[at].IsNotFound()) {
      continue;
    }
    TRY_VOID(ToResult(statuses[at], "reading"));
    values[at] = found[at].ToString();
  }
  return values;
}

Snapshot Store::TakeSnapshot() const {
  CHECK_THAT(state_->database != nullptr, "a snapshot after Close");
  return Snapshot(state_->database.get());
}

void Store::State::RefreshSizes() {
  const auto property = [this](const std::string& name) {
    std::uint64_t value = 0;
    return database->GetIntProperty(name, &value) ? value : 0;
  };
  const auto of_all = [this](const std::string& name) {
    std::uint64_t value = 0;
    return database->GetAggregatedIntProperty(name, &value) ? value : 0;
  };
  using Properties = rocksdb::DB::Properties;
  disk_bytes = of_all(Properties::kLiveSstFilesSize);
  // The cache is one for all.
  memory_bytes = of_all(Properties::kCurSizeAllMemTables) + property(Properties::kBlockCacheUsage) +
                 of_all(Properties::kEstimateTableReadersMem) + rows.bytes() + runs.bytes();
  keys_estimate = property(Properties::kEstimateNumKeys);
  writes_are_slowed = property(Properties::kActualDelayedWriteRate) != 0 ||
                      of_all(Properties::kIsWriteStopped) != 0;
}

StoreStatistics Store::Statistics() const {
  return {
      .batches = state_->batches,
      .groups = state_->groups,
      .syncs = state_->syncs,
      .bytes = state_->bytes,
      .sync_micros = state_->sync_micros,
      .disk_bytes = state_->disk_bytes,
      .memory_bytes = state_->memory_bytes,
      .keys_estimate = state_->keys_estimate,
      .writes_are_slowed = state_->writes_are_slowed,
      .unsettled_places = state_->queue != nullptr ? state_->queue->unsettled() : 0,
      .unsettled_bytes = state_->queue != nullptr ? state_->queue->unsettled_bytes() : 0,
      .oldest_unsettled = state_->queue != nullptr ? state_->queue->OldestAge() : Duration::zero(),
      .refusals = state_->failure.count(),
      .stalls = state_->stalls,
      .refuses_writes = state_->failure.failed(),
      .is_stalled = state_->IsStalled(),
  };
}

Result<void> Store::Close() {
  if (state_ == nullptr || state_->database == nullptr) {
    return {};
  }
  // Whoever tries to go on waits for RocksDB, perhaps for long; the logs have what is acknowledged.
  const bool gives_up = state_->failure.failed();
  if (gives_up) {
    rocksdb::CancelAllBackgroundWork(state_->database.get(), /*wait=*/false);
  }
  // The commit queue finishes what has a place.
  if (state_->watch != nullptr) {
    state_->watch->Stop();
  }
  if (state_->queue != nullptr && !gives_up && !state_->options.in_memory) {
    state_->queue->ReturnTimes();
  }
  state_->queue.reset();
  state_->background_sync.reset();
  // What is in tables needs no log. After a failure RocksDB writes nothing more, and its Close
  // complains of that in other words.
  Result<void> finished = state_->SyncLog();
  if (finished && !gives_up && !state_->options.read_only && !state_->options.in_memory) {
    finished = Flush();
  }
  const Result<void> closed = ToResult(state_->CloseDatabase(), "closing");
  if (finished && state_->log_files != nullptr) {
    finished = ToResult(state_->log_files->SyncLedger(), "syncing the ledger");
  }
  return finished ? closed : finished;
}

}  // namespace stator::storage

#ifdef __SANITIZE_THREAD__
// RocksDB's library is not instrumented: the sanitizer sees its copies and comparisons of bytes,
// but not the atomic operations that order them. Here, because every program with a store has this
// file. NOLINTNEXTLINE(bugprone-reserved-identifier): the name that the sanitizer looks for.
extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:librocksdb.so\nrace:librocksdb.so\n";
}
#endif
