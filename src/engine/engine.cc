#include "engine/engine.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "base/work.h"
#include "bulk/file_bucket.h"
#include "engine/background.h"
#include "engine/checkpoints.h"
#include "engine/engine_core.h"
#include "engine/history_statistics.h"
#include "engine/operation_call.h"
#include "engine/operations.h"
#include "engine/outgoing.h"
#include "engine/read_history.h"
#include "engine/rewind.h"
#include "engine/stream_row.h"
#include "keyspace/format_version.h"
#include "keyspace/keys.h"

namespace stator::engine {

struct Engine::State {
  State(std::shared_ptr<HistoryKeeper> history, std::unique_ptr<storage::Store> store,
        const EngineOptions& options)
      : core(std::move(history), std::move(store), options.account, *options.clock,
             *options.random),
        background(core, options.housekeeping_interval),
        outgoing(core, options.change_receiver, options.log) {
    core.lock_wait_max = options.lock_wait_max;
    core.going_back = options.going_back;
    core.walks = options.walks;
    core.restorable_after = options.restorable_after;
    core.transient_states.set_duration(options.transient_states);
    core.background = &background;
    core.log = options.log;
    core.open_bucket = options.open_bucket;
    if (!core.open_bucket) {
      bucket_folder = MakeBucketFolder(options);
      core.open_bucket = [this](const std::string& name) { return bucket_folder->Open(name); };
    }
    core.outgoing = &outgoing;
  }

  static std::unique_ptr<bulk::BucketFolder> MakeBucketFolder(const EngineOptions& options) {
    if (options.buckets.empty() && options.store.in_memory) {
      return std::make_unique<bulk::BucketFolder>(*options.random);
    }
    return std::make_unique<bulk::BucketFolder>(
        options.buckets.empty() ? std::filesystem::path(options.store.path) / "buckets"
                                : std::filesystem::path(options.buckets));
  }

  std::unique_ptr<bulk::BucketFolder> bucket_folder;  // null: the caller has buckets of its own
  EngineCore core;
  BackgroundWork background;
  OutgoingWork outgoing;
  bool closed = false;
};

namespace {

bool IsEmpty(const storage::Store& store) {
  storage::Cursor cursor = store.NewCursor(nullptr, "", "");
  cursor.SeekToFirst();
  return !cursor.Valid() && cursor.status().has_value();
}

// A new store gets its version; an old one has to have a version that this program can read.
Result<void> CheckFormat(storage::Store& store, bool read_only) {
  storage::PinnedValue value;
  if (TRY(store.Get(keyspace::FormatVersionKey(), value))) {
    const std::uint32_t version = TRY(keyspace::DecodeFormatVersion(value.view()));
    if (version >= store.format() || read_only) {
      return {};
    }
    // A crash came between the file STATOR and the row (Store::RaiseFormat).
    storage::WriteBatch batch;
    batch.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion(store.format()));
    return store.Write(std::move(batch));
  }
  if (read_only || !IsEmpty(store)) {
    return Fail(ErrorCode::kCorruption,
                "the directory has no row with the format version, which is the first that is "
                "written: something of it is lost; put a copy in its place, or save what can be "
                "read with `stator check --repair-into NEW_DIRECTORY`");
  }
  storage::WriteBatch batch;
  batch.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion(store.format()));
  return store.Write(std::move(batch));
}

}  // namespace

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {
  CHECK(state_ != nullptr && state_->core.background != nullptr);
}

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options) {
  CHECK(options.clock != nullptr && options.random != nullptr);
  storage::StoreOptions store_options = options.store;
  store_options.format_version = keyspace::kFormatVersion;
  const auto history = std::make_shared<HistoryKeeper>();
  store_options.history_filters = history;
  store_options.commit_clock = options.clock;
  std::unique_ptr<storage::Store> store = TRY(storage::Store::Open(store_options));
  TRY_VOID(CheckFormat(*store, store_options.read_only));
  auto state = std::make_unique<State>(history, std::move(store), options);
  TRY_VOID(state->core.catalog.Load());
  TRY_VOID(LoadStreamDirectory(state->core));
  if (!store_options.read_only) {
    TRY_VOID(StartNumbering(state->core));
    TRY_VOID(LoadHistory(state->core));
    TRY_VOID(FinishGoingBack(state->core));
    ParkedCalls& parked_calls = state->core.parked_calls;
    state->core.store->queue().set_on_room([&parked_calls] { parked_calls.AdmitWaiting(); });
    parked_calls.Start();
    TRY_VOID(ResumeJobs(state->core));
    state->background.Start();
    state->outgoing.Start();
  }
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

Engine::~Engine() {
  const Result<void> closed = Close();
  static_cast<void>(closed);
}

Result<void> Engine::Close() {
  if (std::exchange(state_->closed, true)) {
    return {};
  }
  state_->outgoing.Stop();
  state_->background.Stop();
  state_->core.parked_calls.AwaitEmpty();
  Thaw(state_->core);
  const Result<void> saved = SaveStatistics(state_->core);
  const Result<void> stored = state_->core.store->Close();
  state_->core.parked_calls.Stop();
  CHECK_THAT(state_->core.keys.IsEmpty(), "a write is left behind");
  TRY_VOID(stored);
  return saved;
}

Result<VersionsPage> Engine::VersionsOf(const VersionsAsked& asked) const {
  for (;;) {
    const TablePtr table = TRY(state_->core.catalog.Find(asked.table_name));
    if (!table->recovery) {
      return Invalid("Point in time recovery is not enabled for table '" + table->name +
                     "': what it was is not known");
    }
    VersionsPage page = TRY(ReadVersions(*state_->core.store, *table, asked));
    // Rows below a floor that has moved, which it does once a minute, may be gone, and others not.
    const TablePtr now = TRY(state_->core.catalog.Find(asked.table_name));
    if (now->id == table->id && now->history && now->history->floor == table->history->floor) {
      return page;
    }
  }
}

Result<void> Engine::RunHousekeeping() {
  return state_->background.RunHousekeeping();
}

void Engine::AwaitBackgroundJobs() {
  state_->background.AwaitIdle();
}

Result<void> Engine::Health() const {
  return state_->core.store->Health();
}

bool Engine::IsStalled() const {
  return state_->core.store->IsStalled();
}

bool Engine::IsQuiet() const {
  const EngineCore& core = state_->core;
  return core.parked_calls.IsEmpty() && core.store->queue().unsettled() == 0 &&
         core.store->queue().unsettled_bytes() == 0 && core.keys.IsEmpty();
}

const TransferFigures& Engine::Transfers() const {
  return state_->core.transfers;
}

storage::StoreStatistics Engine::StoreStatistics() const {
  return state_->core.store->Statistics();
}

HistoryStatistics Engine::HistoryFigures() const {
  const EngineCore& core = state_->core;
  HistoryStatistics figures{.removed_rows = core.history->rows_removed(),
                            .removed_bytes = core.history->bytes_removed()};
  for (const TablePtr& table : core.catalog.All()) {
    if (table->restore) {
      figures.restores += 1;
      figures.restored_items +=
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, table->statistics->items.load()));
    }
    figures.rewinds += table->rewind ? 1 : 0;
  }
  return figures;
}

OutgoingStatistics Engine::OutgoingFigures() const {
  return state_->outgoing.Statistics();
}

// Item writes are calls that others may carry on; see call.h. Everything else is one call;
// those that change tables wait for each other and for the disk.
#define STATOR_ITEM_WRITE(Name, ...)                                                  \
  static constexpr WriteOperation k##Name{Plan##Name, Decide##Name,                   \
                                          kReader<Name##Input, Name##Output>};        \
  Result<Name##Output> Engine::Name(const Name##Input& input) {                       \
    return RunCall(state_->core, k##Name, input);                                     \
  }                                                                                   \
  void Engine::Start##Name(const Name##Input& input, Completion<Name##Output> done) { \
    StartCall(state_->core, k##Name, input, std::move(done));                         \
  }
#define STATOR_OPERATION(Name, ...)                             \
  Result<Name##Output> Engine::Name(const Name##Input& input) { \
    return engine::Name(state_->core, input);                   \
  }
#define STATOR_TABLE_WRITE(Name, ...)                           \
  Result<Name##Output> Engine::Name(const Name##Input& input) { \
    TRY_VOID(base::AskToWait());                                \
    return engine::Name(state_->core, input);                   \
  }
#include "stator/api/operations.inc"

}  // namespace stator::engine
