// The part of history.h that an engine does at its start.

#include <string>
#include <utility>

#include "base/try.h"
#include "engine/checkpoints.h"
#include "engine/engine_core.h"
#include "engine/history.h"
#include "engine/transfers.h"
#include "keyspace/backup_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// Calls `visit(key, value)` for every row of a kind.
template <class Visit>
Result<void> ForEachRow(EngineCore& core, keyspace::KeyKind kind, const Visit& visit) {
  const keyspace::KeyRange range = keyspace::RangeOfPrefix(keyspace::KindPrefix(kind));
  storage::Cursor cursor = core.store->NewCursor(nullptr, range.begin, range.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    TRY_VOID(visit(cursor.key(), cursor.value()));
  }
  return cursor.status();
}

// What rows refer to; there is no list of pins that could say something else.
Result<void> LoadPins(EngineCore& core) {
  for (const TablePtr& table : core.catalog.All()) {
    if (table->restore) {
      core.history->Pin(table->restore->source, table->restore->time);
    }
    if (table->rewind) {
      core.history->Pin(table->id, table->rewind->time);
    }
  }
  TRY_VOID(VisitCheckpoints(core, [&](const Checkpoint& checkpoint) -> Result<void> {
    PinTables(core, checkpoint.row);
    return {};
  }));
  TRY_VOID(PinExports(core));
  return ForEachRow(core, keyspace::KeyKind::kBackup,
                    [&](std::string_view, std::string_view value) -> Result<void> {
                      const keyspace::BackupRow backup = TRY(keyspace::DecodeBackupRow(value));
                      core.history->Pin(backup.table.settings.id, backup.time);
                      return {};
                    });
}

Result<void> LoadDroppedTables(EngineCore& core) {
  return ForEachRow(
      core, keyspace::KeyKind::kDroppedTable,
      [&](std::string_view key, std::string_view value) -> Result<void> {
        const std::uint32_t id = TRY(keyspace::TableOfDroppedTableKey(key));
        const keyspace::DroppedTableRow row = TRY(keyspace::DecodeDroppedTableRow(value));
        if (row.table && row.table->settings.history) {
          core.history->SetHorizon(id, row.dropped_at.value_or(row.table->settings.history->floor));
        }
        return {};
      });
}

// Some writers kept history, perhaps not all.
bool WasBeingSwitchedOn(EngineCore& core, const Table& table) {
  return table.history &&
         (table.history->since == 0 || (!table.recovery && !core.history->IsPinned(table.id)));
}

}  // namespace

Result<void> LoadHistory(EngineCore& core) {
  std::uint64_t last = 0;
  storage::PinnedValue value;
  const std::string key = keyspace::CounterKey(keyspace::Counter::kCommitTime);
  if (TRY(core.store->Get(key, value))) {
    last = TRY(keyspace::DecodeCounter(value.view()));
  }
  core.store->queue().StartTimesBehind(last, key);
  if (!core.store->HasHistory()) {
    return {};
  }
  const auto lock = core.catalog.ChangeLock();
  TRY_VOID(LoadPins(core));
  TRY_VOID(LoadDroppedTables(core));
  for (const TablePtr& table : core.catalog.All()) {
    if (WasBeingSwitchedOn(core, *table)) {
      Table next = *table;
      next.history.reset();
      TRY_VOID(core.catalog.Publish(std::move(next)));
      core.history->SetHorizon(table->id, last);
    } else {
      core.history->SetHorizon(table->id, table->history ? table->history->floor : last);
    }
  }
  return {};
}

}  // namespace stator::engine
