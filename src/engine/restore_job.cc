// Carries a restore out: copies the rows of items as they were, without taking them apart, a part at a
// time; then has the indexes filled, and lets the table be seen. See background.h.

#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/try.h"
#include "engine/as_of_cursor.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/job_progress.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/restore_row.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

// What is done before other jobs have their turn.
constexpr std::size_t kTurnBytes = std::size_t{64} << 20;

Result<keyspace::RestoreRow> ReadProgress(EngineCore& core, const Table& table) {
  storage::PinnedValue value;
  if (TRY(core.store->Get(keyspace::RestoreKey(table.id), value))) {
    PROBE("a restore goes on where an earlier turn ended");
    return keyspace::DecodeRestoreRow(value.view());
  }
  keyspace::RestoreRow begin;
  keyspace::AppendItemsPrefix(table.restore->source, begin.next);
  return begin;
}

// Writes a batch while the next one is read.
class Copies {
 public:
  Copies(EngineCore& core, const Table& table) : core_(core), table_(table) {}

  // Begins to write the batch, with how far that is, when the one before is written.
  Result<void> Write(const keyspace::RestoreRow& progress) {
    std::string row;
    keyspace::AppendRestoreRow(progress, row);
    batch.Put(keyspace::RestoreKey(table_.id), row);
    TRY_VOID(in_flight_.Await());
    in_flight_ = TRY(core_.store->StartWrite(std::exchange(batch, {})));
    table_.statistics->items = progress.figures.items;
    table_.statistics->bytes = progress.figures.bytes;
    return {};
  }

  Result<void> Await() { return in_flight_.Await(); }

  storage::WriteBatch batch;

 private:
  EngineCore& core_;
  const Table& table_;
  storage::Store::InFlight in_flight_;
};

// Copies items from where the last turn ended. Whether these were all.
Result<bool> CopyItems(EngineCore& core, const Table& table, JobProgress& told) {
  keyspace::RestoreRow progress = TRY(ReadProgress(core, table));
  std::string prefix;
  keyspace::AppendItemsPrefix(table.restore->source, prefix);
  keyspace::KeyRange range = keyspace::RangeOfPrefix(prefix);
  range.begin = progress.next;
  table.statistics->items = progress.figures.items;
  table.statistics->bytes = progress.figures.bytes;
  told.Tell(core, table, progress.figures.items);
  if (range.empty()) {
    PROBE("a restore that has copied all goes on with its indexes");
    return true;  // an earlier run has copied all
  }
  const HistoryKeeper::Lease lease =
      TRY(core.history->Take(table.restore->source, table.restore->time));
  const storage::Snapshot snapshot = core.store->TakeSnapshot();
  AsOfCursor cursor(*core.store, snapshot, range, table.restore->time);
  Copies copies(core, table);
  std::size_t written = 0;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    copies.batch.Put(keyspace::ItemKeyInTable(cursor.key(), table.id), cursor.value());
    progress.figures.items += 1;
    progress.figures.bytes += static_cast<std::int64_t>(TRY(value::CheckItem(cursor.value())));
    DCHECK(cursor.key() >= progress.next);
    progress.next.assign(cursor.key()).push_back('\0');
    if (copies.batch.bytes() < core.walks.copied_bytes) {
      continue;
    }
    written += copies.batch.bytes();
    TRY_VOID(copies.Write(progress));
    told.Tell(core, table, progress.figures.items);
    if (core.background->stopping()) {
      return Fail(ErrorCode::kUnavailable, "the engine is stopping");
    }
    if (written >= kTurnBytes) {
      TRY_VOID(copies.Await());
      return false;
    }
  }
  TRY_VOID(cursor.status());
  progress.next = range.end;
  TRY_VOID(copies.Write(progress));
  TRY_VOID(copies.Await());
  return true;
}

Result<void> FinishRestore(EngineCore& core, std::uint32_t table_id) {
  keyspace::Restore restore;
  std::string whole;
  {
    const auto lock = core.catalog.ChangeLock();
    const TablePtr current = core.catalog.FindId(table_id);
    CHECK_THAT(current != nullptr && current->restore, "a table that is being restored stays");
    whole = "table " + current->name +
            " is restored: " + std::to_string(current->statistics->items) + " items";
    Table next = *current;
    restore = *std::exchange(next.restore, std::nullopt);
    storage::WriteBatch batch;
    batch.Delete(keyspace::RestoreKey(table_id));
    TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
    core.history->Unpin(restore.source, restore.time);
  }
  core.Say(whole);
  return ReleaseHistory(core, restore.source);
}

Result<void> CopyOn(EngineCore& core, std::uint32_t table_id, JobProgress told) {
  TablePtr table = core.catalog.FindId(table_id);
  if (table == nullptr || !table->restore) {
    return {};
  }
  if (!TRY(CopyItems(core, *table, told))) {
    core.background->Enqueue([&core, table_id, told] { return CopyOn(core, table_id, told); });
    return {};
  }
  std::vector<std::uint32_t> indexes;
  for (const Index& index : table->indexes) {
    indexes.push_back(index.id);
  }
  table.reset();
  for (const std::uint32_t index_id : indexes) {
    TRY_VOID(BackfillIndex(core, table_id, index_id));
  }
  return FinishRestore(core, table_id);
}

}  // namespace

Result<void> ContinueRestore(EngineCore& core, std::uint32_t table_id) {
  return CopyOn(core, table_id, JobProgress("being restored"));
}

}  // namespace stator::engine
