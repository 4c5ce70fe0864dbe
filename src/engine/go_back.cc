// Takes the whole database back to a checkpoint; see checkpoints.h.
//
// Every part can be done again after it was done: what is left to do follows from what is there (undo
// rows behind the moment) and from the checkpoint's row, and the rows of tables are changed last.

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/arn.h"
#include "engine/as_of_cursor.h"
#include "engine/background.h"
#include "engine/backups.h"
#include "engine/checkpoints.h"
#include "engine/history.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/outgoing.h"
#include "engine/rewind.h"
#include "engine/stream_row.h"
#include "engine/table_row.h"
#include "engine/transfers.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/token_row.h"
#include "value/item_codec.h"

namespace stator::engine {
namespace {

constexpr std::chrono::seconds kReadersWaitMax{20};

// Rows of a change that is not written by itself.
class Rows final : public PendingWrite {
 public:
  using PendingWrite::PendingWrite;

 private:
  void OnAnswer(const Result<void>& /*outcome*/) override {}
};

// Collects what is to be written; writes a part of it when it becomes too much.
class Steps {
 public:
  Steps(EngineCore& core, const Checkpoint& checkpoint, bool& begun)
      : core_(core), checkpoint_(checkpoint), begun_(begun) {}

  storage::WriteBatch batch;

  // Between two items: what belongs together is added together.
  Result<void> WriteIfMuch() {
    if (batch.bytes() < core_.going_back.at_once.bytes) {
      return {};
    }
    if (!checkpoint_.row.restoring && !std::exchange(marked_, true)) {
      TRY_VOID(FreezeReaders());
      keyspace::CheckpointRow row = checkpoint_.row;
      row.restoring = true;
      std::string bytes;
      keyspace::AppendCheckpointRow(row, bytes);
      storage::WriteBatch mark;
      mark.Put(keyspace::CheckpointKey(checkpoint_.name), bytes);
      TRY_VOID(core_.store->Write(std::move(mark)));
      begun_ = true;
    }
    return core_.store->Write(std::exchange(batch, {}));
  }

  Result<void> DeleteAll(const std::string& begin, const std::string& end) {
    storage::Cursor cursor = core_.store->NewCursor(nullptr, begin, end);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      batch.Delete(cursor.key());
      TRY_VOID(WriteIfMuch());
    }
    return cursor.status();
  }

  // Whether the row of the checkpoint says that it is being restored.
  [[nodiscard]] bool is_marked() const { return marked_ || checkpoint_.row.restoring; }

 private:
  // From here on they see what was before, until tables are opened. GoBack is called with the lock,
  // which clang cannot see from here.
  Result<void> FreezeReaders() STATOR_NO_THREAD_SAFETY_ANALYSIS {
    const std::shared_ptr<const FrozenMoment> moment = Freeze(core_);
    std::vector<std::uint32_t> ids;
    for (const TablePtr& table : core_.catalog.All()) {
      Table next = *table;
      next.frozen = moment;
      ids.push_back(next.id);
      core_.catalog.Show(std::move(next));
    }
    for (const std::uint32_t id : ids) {
      if (!TRY(core_.background->AwaitNewSchema(id, kReadersWaitMax))) {
        return Fail(ErrorCode::kResourceInUse, "requests that began before are still under way");
      }
    }
    return {};
  }

  EngineCore& core_;
  const Checkpoint& checkpoint_;
  bool& begun_;
  bool marked_ = false;
};

// How a table is now, as far as its items are concerned.
struct Present {
  std::set<std::uint32_t> indexes;           // the ids of those that have rows
  std::optional<std::string> ttl_attribute;  // whose expiry rows there are
  std::uint32_t next_index_id = 1;
};

class GoingBack {
 public:
  GoingBack(EngineCore& core, const Checkpoint& checkpoint, bool& begun)
      : core_(core),
        checkpoint_(checkpoint),
        time_(checkpoint.row.time),
        steps_(core, checkpoint, begun) {}

  Result<WentBack> Run() {
    for (const keyspace::TableRow& row : checkpoint_.row.tables) {
      // A copy: nobody who holds a table itself may wait for those who do (FreezeReaders).
      std::optional<Table> now;
      if (const TablePtr current = core_.catalog.FindId(row.settings.id)) {
        now = *current;
      }
      tables_.push_back(now ? TRY(TakeBackTable(*now, TableOf(row)))
                            : TRY(ReturnTable(TableOf(row))));
    }
    RemoveNewTables();
    TRY_VOID(TakeBackStreams());
    TRY_VOID(ForgetTokens());
    TRY_VOID(ForgetLaterMoments());
    TRY_VOID(Finish());
    return went_back_;
  }

 private:
  // A table that was there all the time.
  Result<Table> TakeBackTable(const Table& now, Table then) {
    CHECK_THAT(now.history, "a pinned table keeps history");
    then.history = now.history;
    Present present{.indexes = {},
                    .ttl_attribute = now.ttl_attribute,
                    .next_index_id = std::max(now.next_index_id, then.next_index_id)};
    for (const Index& index : now.indexes) {
      present.indexes.insert(index.id);
    }
    TRY_VOID(TakeBackItems(present, then));
    return then;
  }

  // A table that was dropped since: its items and undo rows were kept.
  Result<Table> ReturnTable(Table then) {
    storage::PinnedValue value;
    const std::string key = keyspace::DroppedTableKey(then.id);
    if (!TRY(core_.store->Get(key, value))) {
      return Fail(ErrorCode::kCorruption, "table " + then.name + " is in the checkpoint " +
                                              checkpoint_.name + ", and nothing of it was kept");
    }
    const keyspace::DroppedTableRow dropped = TRY(keyspace::DecodeDroppedTableRow(value.view()));
    if (!dropped.table || !dropped.table->settings.history) {
      return Fail(ErrorCode::kCorruption,
                  "table " + then.name + " was dropped, and kept no history");
    }
    std::uint32_t next_index_id = then.next_index_id;
    next_index_id = std::max(next_index_id, dropped.table->settings.next_index_id);
    then.history = dropped.table->settings.history;
    then.history->floor = std::max(then.history->floor, dropped.dropped_at.value_or(0));
    std::string indexes;
    keyspace::AppendIndexesPrefix(then.id, indexes);
    TRY_VOID(steps_.DeleteAll(indexes, keyspace::PrefixEnd(indexes)));
    TRY_VOID(TakeBackItems(
        {.indexes = {}, .ttl_attribute = dropped.ttl_attribute, .next_index_id = next_index_id},
        then));
    last_.Delete(key);
    ++went_back_.tables_returned;
    return then;
  }

  // Items, and what hangs on them. Indexes of `then` that have no rows get new ids, and rows.
  Result<void> TakeBackItems(const Present& present, Table& then) {
    // What single items are changed by: what there is now and stays.
    Table by = then;
    by.closed = false;
    std::erase_if(by.indexes,
                  [&](const Index& index) { return !present.indexes.contains(index.id); });
    const bool same_expiry = present.ttl_attribute == then.ttl_attribute;
    by.ttl_attribute = same_expiry ? then.ttl_attribute : std::nullopt;
    by.ttl_disabling = same_expiry ? std::nullopt : present.ttl_attribute;
    TRY_VOID(ChangeItems(by));
    for (const std::uint32_t id : present.indexes) {
      if (std::ranges::find(then.indexes, id, &Index::id) == then.indexes.end()) {
        std::string prefix;
        keyspace::AppendIndexPrefix(then.id, id, prefix);
        TRY_VOID(steps_.DeleteAll(prefix, keyspace::PrefixEnd(prefix)));
      }
    }
    then.next_index_id = present.next_index_id;
    std::vector<const Index*> empty;
    for (Index& index : then.indexes) {
      if (!present.indexes.contains(index.id)) {
        index.id = then.next_index_id++;
        empty.push_back(&index);
      }
    }
    if (!empty.empty() || !same_expiry) {
      TRY_VOID(Fill(then, empty, same_expiry ? std::nullopt : present.ttl_attribute,
                    same_expiry ? std::nullopt : then.ttl_attribute));
    }
    return {};
  }

  // Makes the items what they were, and removes their undo rows from since.
  Result<void> ChangeItems(const Table& by) {
    std::string begin;
    keyspace::AppendItemsPrefix(by.id, begin);
    const LockRequest none;  // nobody writes
    WriterView view(core_, none);
    Rows rows(core_.keys, *core_.store);
    while (!begin.empty()) {
      ChangedItems changed = TRY(
          ReadChangedItems(core_, by.id, time_, begin, core_.going_back.per_step, UndoTimes::kAll));
      for (const ChangedItem& item : changed.items) {
        rows.Reset();
        went_back_.items +=
            TRY(TakeBack(core_, by, item, ChangeOrigin::kCheckpoint, 0, view, rows)) ? 1 : 0;
        steps_.batch.Append(rows.batch);
        for (const std::uint64_t time : item.times) {
          std::string key;
          keyspace::AppendUndoKey(item.item_key, time, key);
          steps_.batch.Delete(key, storage::Family::kHistory);
        }
        TRY_VOID(steps_.WriteIfMuch());
      }
      begin = std::move(changed.next);
    }
    return {};
  }

  // Rows of indexes that have none, and of expiry by another attribute.
  Result<void> Fill(const Table& then, const std::vector<const Index*>& indexes,
                    const std::optional<std::string>& no_ttl,
                    const std::optional<std::string>& ttl) {
    std::string prefix;
    keyspace::AppendItemsPrefix(then.id, prefix);
    const storage::Snapshot snapshot = core_.store->TakeSnapshot();
    AsOfCursor cursor(*core_.store, snapshot, keyspace::RangeOfPrefix(prefix), time_);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      const Item item = TRY(value::DecodeItem(cursor.value()));
      TRY_VOID(CheckStoredItem(then, item, cursor.key()));
      for (const Index* index : indexes) {
        if (BelongsTo(*index, item)) {
          std::string row;
          value::AppendItem(ProjectionOf(then, *index, item), row);
          steps_.batch.Put(IndexKeyOf(then, *index, item), row);
        }
      }
      PutExpiry(no_ttl, item, cursor.key(), /*is_there=*/false);
      PutExpiry(ttl, item, cursor.key(), /*is_there=*/true);
      TRY_VOID(steps_.WriteIfMuch());
    }
    return cursor.status();
  }

  void PutExpiry(const std::optional<std::string>& attribute, const Item& item,
                 std::string_view item_key, bool is_there) {
    const std::optional<std::int64_t> expiry =
        attribute ? ExpiryOf(*attribute, item) : std::nullopt;
    if (!expiry) {
      return;
    }
    std::string key;
    keyspace::AppendExpiryKey(*expiry, item_key, key);
    if (is_there) {
      steps_.batch.Put(key, "");
    } else {
      steps_.batch.Delete(key);
    }
  }

  // Those that were made since are dropped, and cleaned up like any others.
  void RemoveNewTables() {
    std::set<std::uint32_t> kept;
    for (const Table& table : tables_) {
      kept.insert(table.id);
    }
    for (const TablePtr& table : core_.catalog.All()) {
      if (kept.contains(table->id)) {
        continue;
      }
      last_.Delete(keyspace::TableKey(table->name));
      std::string row;
      keyspace::AppendDroppedTableRow({.name = table->name, .ttl_attribute = table->ttl_attribute},
                                      row);
      last_.Put(keyspace::DroppedTableKey(table->id), row);
      gone_.insert(table->id);
      ++went_back_.tables_removed;
    }
  }

  // Streams as they were: without records from since, without those that were made since.
  Result<void> TakeBackStreams() {
    std::map<std::uint32_t, StreamRow> now;
    for (StreamRow& row : TRY(ReadStreams(core_))) {
      now.emplace(row.stream.id, std::move(row));
    }
    for (StreamRow row : checkpoint_.row.streams) {
      std::string begin;
      keyspace::AppendStreamRecordKey(row.stream.id, checkpoint_.row.sequence + 1, begin);
      std::string prefix;
      keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
      TRY_VOID(steps_.DeleteAll(begin, keyspace::PrefixEnd(prefix)));
      if (const auto found = now.find(row.stream.id); found != now.end()) {
        row.trimmed_through = std::min(std::max(row.trimmed_through, found->second.trimmed_through),
                                       checkpoint_.row.sequence);
        now.erase(found);
      }
      PutStream(row, last_);
    }
    for (const auto& [id, row] : now) {
      std::string prefix;
      keyspace::AppendStreamRecordsPrefix(id, prefix);
      TRY_VOID(steps_.DeleteAll(prefix, keyspace::PrefixEnd(prefix)));
      last_.Delete(keyspace::StreamKey(id));
      gone_streams_.push_back(id);
    }
    return {};
  }

  // So that the next test can use the same ones.
  Result<void> ForgetTokens() {
    const keyspace::CheckpointRow& row = checkpoint_.row;
    std::string begin;
    keyspace::AppendTokenExpiryPrefix(row.tokens_until, begin);
    const std::string end =
        keyspace::PrefixEnd(keyspace::KindPrefix(keyspace::KeyKind::kTokenExpiry));
    storage::Cursor cursor = core_.store->NewCursor(nullptr, begin, end);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      const keyspace::TokenExpiryKey entry = TRY(keyspace::DecodeTokenExpiryKey(cursor.key()));
      if (entry.seconds == row.tokens_until &&
          std::ranges::find(row.tokens, entry.token) != row.tokens.end()) {
        continue;
      }
      steps_.batch.Delete(cursor.key());
      std::string token_key;
      keyspace::AppendTokenKey(entry.token, token_key);
      steps_.batch.Delete(token_key);
      TRY_VOID(steps_.WriteIfMuch());
    }
    return cursor.status();
  }

  // Backups and checkpoints of moments that there have not been, and what is told of exports and imports
  // that have not begun. None of them is under way.
  Result<void> ForgetLaterMoments() {
    TRY_VOID(VisitBackups(core_, {}, [&](const Backup& backup) -> Result<bool> {
      if (backup.row.time > time_) {
        last_.Delete(keyspace::BackupKey(backup.id));
        unpinned_.emplace_back(backup.row.table.settings.id, backup.row.time);
      }
      return true;
    }));
    for (const KeyKind kind : {KeyKind::kExport, KeyKind::kImport}) {
      TRY_VOID(VisitTransfers(core_, kind, std::nullopt,
                              [&](const TransferId& id, std::string_view /*row*/) -> Result<bool> {
                                const bool is_later = BeginOf(id) > TimeOfCommit(time_);
                                if (is_later) {
                                  last_.Delete(keyspace::TransferKey(kind, id));
                                }
                                return is_later;
                              }));
    }
    return VisitCheckpoints(core_, [&](const Checkpoint& later) -> Result<void> {
      if (later.row.time > time_) {
        last_.Delete(keyspace::CheckpointKey(later.name));
        for (const keyspace::TableRow& table : later.row.tables) {
          unpinned_.emplace_back(table.settings.id, later.row.time);
        }
      }
      return {};
    });
  }

  // The step that is seen. GoBack is called with the lock, which clang cannot see from here.
  Result<void> Finish() STATOR_NO_THREAD_SAFETY_ANALYSIS {
    for (const Table& table : tables_) {
      std::string row;
      AppendTable(table, row);
      last_.Put(keyspace::TableKey(table.name), row);
    }
    if (steps_.is_marked()) {
      keyspace::CheckpointRow row = checkpoint_.row;
      row.restoring = false;
      std::string bytes;
      keyspace::AppendCheckpointRow(row, bytes);
      last_.Put(keyspace::CheckpointKey(checkpoint_.name), bytes);
    }
    steps_.batch.Append(last_);
    RememberTime(steps_.batch);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> horizons;
    for (const Table& table : tables_) {
      horizons.emplace_back(table.id, table.history->floor);
    }
    TRY_VOID(core_.catalog.Replace(std::move(tables_), std::move(steps_.batch)));
    for (const auto& [id, floor] : horizons) {
      core_.history->SetHorizon(id, floor);
    }
    for (const auto& [id, time] : unpinned_) {
      core_.history->Unpin(id, time);
      if (core_.catalog.FindId(id) == nullptr) {
        gone_.insert(id);
      }
    }
    TellStreams();
    for (const std::uint32_t id : gone_) {
      core_.background->Enqueue([&core = core_, id]() -> Result<void> {
        TRY_VOID(core.background->AwaitNewSchema(id));
        return CleanDroppedTable(core, id);
      });
    }
    core_.parked_calls.AdmitOpened();
    return {};
  }

  void TellStreams() {
    for (const std::uint32_t id : gone_streams_) {
      core_.streams.Remove(id);
      core_.outgoing_streams.Remove(id);
    }
    for (const StreamRow& row : checkpoint_.row.streams) {
      StreamDirectory& directory = DirectoryOf(core_, row);
      directory.Remove(row.stream.id);
      directory.Add(row.stream.id, ArnOf(row), row.table_name, TimePoint::min());
    }
    core_.outgoing->Wake();
  }

  EngineCore& core_;
  const Checkpoint& checkpoint_;
  const std::uint64_t time_;
  Steps steps_;
  storage::WriteBatch last_;  // what must not be there before everything else is
  std::vector<Table> tables_;
  std::set<std::uint32_t> gone_;  // tables
  std::vector<std::uint32_t> gone_streams_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> unpinned_;
  WentBack went_back_;
};

}  // namespace

Result<WentBack> GoBack(EngineCore& core, const Checkpoint& checkpoint, bool& begun) {
  begun = begun || checkpoint.row.restoring;
  return GoingBack(core, checkpoint, begun).Run();
}

Result<void> FinishGoingBack(EngineCore& core) {
  if (!core.store->HasHistory()) {
    return {};
  }
  std::optional<Checkpoint> unfinished;
  TRY_VOID(VisitCheckpoints(core, [&](const Checkpoint& checkpoint) -> Result<void> {
    if (checkpoint.row.restoring) {
      unfinished = checkpoint;
    }
    return {};
  }));
  if (!unfinished) {
    return {};
  }
  const auto lock = core.catalog.ChangeLock();
  bool begun = true;
  TRY_VOID(GoBack(core, *unfinished, begun));
  return {};
}

}  // namespace stator::engine
