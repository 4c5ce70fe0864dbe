#include "storage/store.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <utility>

#include "base/try.h"
#include "storage/directory.h"
#include "storage/faulty_disk.h"
#include "storage/faulty_file_system.h"
#include "storage/rocksdb_options.h"
#include "storage/rocksdb_status.h"
#include "storage/store_env.h"
#include "storage/store_state.h"

namespace stator::storage {
namespace {

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

// A relaxed store syncs its log by itself; a durable one has RocksDB sync it with each write.
std::shared_ptr<LogFiles> MakeLogFiles(const StoreOptions& options) {
  if (options.in_memory || options.read_only || options.durability == Durability::kDurable) {
    return nullptr;
  }
  return std::make_shared<LogFiles>(FilesOf(options));
}

std::unique_ptr<rocksdb::Env> MakeEnv(const StoreOptions& options,
                                      const std::shared_ptr<LogFiles>& log_files,
                                      const Fuse& fuse) {
  if (options.in_memory) {
    return std::unique_ptr<rocksdb::Env>(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  }
  if (log_files != nullptr) {
    return MakeStoreEnv(log_files, fuse);
  }
  return MakeStoreEnv(FilesOf(options), fuse);
}

// Damage of the list of tables, or of one of them, is reported with that list's name.
bool MayBeLogDamage(const rocksdb::Status& status) {
  return status.IsCorruption() && status.ToString().find("MANIFEST") == std::string::npos;
}

Result<void> OpenFailure(const rocksdb::Status& status, const StoreOptions& options) {
  if (IsHeldLock(status)) {
    return Fail(ErrorCode::kIo,
                "the directory \"" + options.path + "\" is in use by another process");
  }
  Result<void> result = ToResult(status, "opening \"" + options.path + "\"");
  if (MayBeLogDamage(status) && !options.salvage) {
    result.error().message +=
        "; acknowledged writes in its log are damaged, opening it to salvage keeps those before";
  }
  return result;
}

}  // namespace

Store::State::State(const StoreOptions& from)
    : options(WithPath(from)),
      listener(std::make_shared<StoreListener>(fuse)),
      log_files(MakeLogFiles(options)),
      env(MakeEnv(options, log_files, fuse)) {}

Result<void> Store::State::OpenDatabase() {
  TRY_VOID(PrepareDirectory(*env->GetFileSystem(), options));
  const rocksdb::Options settings = MakeRocksDbOptions(options, env.get(), listener);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = options.read_only
                                     ? rocksdb::DB::OpenForReadOnly(settings, options.path, &opened)
                                     : rocksdb::DB::Open(settings, options.path, &opened);
  if (!status.ok()) {
    return OpenFailure(status, options);
  }
  database.reset(opened);
  return {};
}

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  auto state = std::make_unique<State>(options);
  TRY_VOID(state->OpenDatabase());
  State* raw = state.get();
  if (options.read_only) {
    return std::unique_ptr<Store>(new Store(std::move(state)));
  }
  raw->queue = std::make_unique<CommitQueue>(
      CommitQueueOptions{.group_bytes_max = options.group_bytes_max,
                         .queue_bytes_max = options.queue_bytes_max,
                         .clock = options.clock},
      [raw] { return raw->fuse.Check(); },
      [raw](std::span<const QueuedWritePtr> group) { return raw->CommitGroup(group); });
  if (!options.in_memory && options.durability == Durability::kRelaxed) {
    raw->background_sync = std::make_unique<BackgroundSync>(
        options.sync_interval, [raw] { static_cast<void>(raw->SyncLog()); });
  }
  return std::unique_ptr<Store>(new Store(std::move(state)));
}

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}

Store::~Store() {
  static_cast<void>(Close());
}

Result<bool> Store::Get(std::string_view key, PinnedValue& value, const Snapshot* snapshot) const {
  value.Reset();
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
  return Snapshot(state_->database.get());
}

StoreStatistics Store::Statistics() const {
  const auto property = [this](const std::string& name) {
    std::uint64_t value = 0;
    return state_->database->GetIntProperty(name, &value) ? value : 0;
  };
  using Properties = rocksdb::DB::Properties;
  return {
      .batches = state_->batches,
      .groups = state_->groups,
      .syncs = state_->syncs,
      .bytes = state_->bytes,
      .sync_micros = state_->sync_micros,
      .disk_bytes = property(Properties::kLiveSstFilesSize),
      .memory_bytes = property(Properties::kCurSizeAllMemTables) +
                      property(Properties::kBlockCacheUsage) +
                      property(Properties::kEstimateTableReadersMem),
      .keys_estimate = property(Properties::kEstimateNumKeys),
      .writes_are_slowed = property(Properties::kActualDelayedWriteRate) != 0 ||
                           property(Properties::kIsWriteStopped) != 0,
      .unsettled_places = state_->queue != nullptr ? state_->queue->unsettled() : 0,
      .unsettled_bytes = state_->queue != nullptr ? state_->queue->unsettled_bytes() : 0,
      .oldest_unsettled = state_->queue != nullptr ? state_->queue->OldestAge() : Duration::zero(),
  };
}

Result<void> Store::Close() {
  if (state_ == nullptr || state_->database == nullptr) {
    return {};
  }
  // The commit queue finishes what has a place.
  state_->queue.reset();
  state_->background_sync.reset();
  // After a failure RocksDB writes nothing more, and its Close complains of that in other words.
  const Result<void> synced = state_->SyncLog();
  const Result<void> closed = ToResult(state_->database->Close(), "closing");
  state_->database.reset();
  return synced ? closed : synced;
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
