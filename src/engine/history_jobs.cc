// The part of history.h that changes tables: history on and off, and floors that move.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/engine_core.h"
#include "engine/history.h"
#include "engine/rewind.h"
#include "keyspace/format_version.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

constexpr std::uint64_t kMinuteMicros = 60'000'000;
constexpr std::uint64_t kDayMicros = 24 * 60 * kMinuteMicros;
constexpr std::int64_t kDaysByDefault = 35;
// As long as an index is being filled its job goes by the schema that it began with.
constexpr std::chrono::seconds kSwitchWaitMax{20};
// Somebody may switch history off just then.
constexpr int kAttemptsMax = 3;

Result<TablePtr> FindForBackups(EngineCore& core, const std::string& name) {
  Result<TablePtr> table = core.catalog.Find(name);
  if (!table) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + name);
  }
  return table;
}

// From here on writes that are decided anew make undo rows. Whether older ones have to be awaited.
Result<bool> BeginHistory(EngineCore& core, const std::string& name, std::uint32_t& table_id) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = TRY(FindForBackups(core, name));
  TRY_VOID(CheckIsOpen(*current));
  table_id = current->id;
  if (current->history) {
    return current->history->since == 0;
  }
  TRY_VOID(RaiseFormat(core));
  Table next = *current;
  next.history.emplace();
  TRY_VOID(core.catalog.Publish(std::move(next)));
  return true;
}

// All writers make undo rows: every change behind this moment has one. False when history was
// switched off meanwhile, or the table is being rewound.
Result<bool> FinishHistory(EngineCore& core, std::uint32_t table_id, const HistoryUse& use) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = core.catalog.FindId(table_id);
  if (current == nullptr || !current->history || current->is_closed()) {
    return false;
  }
  const std::uint64_t settled = core.store->queue().SettledTime();
  Table next = *current;
  if (next.history->since == 0) {
    CHECK_THAT(settled > 0, "0 says that history has not begun");
    next.history = keyspace::History{.since = settled, .floor = settled};
    core.history->SetHorizon(table_id, settled);
  }
  storage::WriteBatch batch;
  TRY_VOID(use(settled, next, batch));
  RememberTime(batch);
  TRY_VOID(core.catalog.Publish(std::move(next), std::move(batch)));
  return true;
}

Result<void> CompactHistory(EngineCore& core, std::uint32_t table_id) {
  std::string prefix;
  keyspace::AppendUndoRowsPrefix(table_id, prefix);
  const std::uint64_t before = core.history->rows_removed();
  TRY_VOID(
      core.store->CompactRange(prefix, keyspace::PrefixEnd(prefix), storage::Family::kHistory));
  if (const std::uint64_t rows = core.history->rows_removed() - before; rows > 0) {
    core.Say(std::to_string(rows) + " rows of history that nobody needs any more were removed");
  }
  return {};
}

// REQUIRES: ChangeLock is held, and nothing pins the table.
Result<void> EndHistory(EngineCore& core, Table next) STATOR_REQUIRES(core.catalog.change_mutex()) {
  const std::uint32_t table_id = next.id;
  CHECK_THAT(!next.recovery && !core.history->IsPinned(table_id), "somebody needs this history");
  next.history.reset();
  TRY_VOID(core.catalog.Publish(std::move(next)));
  // What writers by the old schema still add stays behind the horizon, and goes another time.
  core.history->SetHorizon(table_id, core.store->queue().SettledTime());
  core.background->Enqueue([&core, table_id] { return CompactHistory(core, table_id); });
  return {};
}

Result<void> SwitchOff(EngineCore& core, const std::string& name) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = TRY(FindForBackups(core, name));
  TRY_VOID(CheckIsOpen(*current));
  if (!current->recovery) {
    return {};
  }
  Table next = *current;
  next.recovery.reset();
  if (!core.history->IsPinned(next.id)) {
    return EndHistory(core, std::move(next));
  }
  TRY_VOID(core.catalog.Publish(std::move(next)));
  return {};
}

// Where the floor of a table should be; nothing when it is not worth a write. Without recovery only
// pins are of use.
std::optional<std::uint64_t> NextFloor(EngineCore& core, const Table& table) {
  if (!table.recovery) {
    const std::uint64_t settled = core.store->queue().SettledTime();
    return settled < table.history->floor + kMinuteMicros ? std::nullopt : std::optional(settled);
  }
  const std::uint64_t now = CommitTimeOf(core.clock.Now());
  const std::uint64_t period = static_cast<std::uint64_t>(table.recovery->days) * kDayMicros;
  const std::uint64_t step = std::max(kMinuteMicros, period / 200);
  if (now < period || now - period < table.history->floor + step) {
    return std::nullopt;
  }
  return now - period;
}

}  // namespace

Result<void> RaiseFormat(EngineCore& core) {
  if (core.store->HasHistory()) {
    return {};
  }
  TRY_VOID(core.store->RaiseFormat(keyspace::kFormatVersion));
  storage::WriteBatch batch;
  batch.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion());
  return core.store->Write(std::move(batch));
}

void RememberTime(storage::WriteBatch& batch) {
  batch.TakeTime();
}

Result<void> UseHistory(EngineCore& core, const std::string& table_name, const HistoryUse& use) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    std::uint32_t table_id = 0;
    if (TRY(BeginHistory(core, table_name, table_id)) &&
        !TRY(core.background->AwaitNewSchema(table_id, kSwitchWaitMax))) {
      break;
    }
    if (TRY(FinishHistory(core, table_id, use))) {
      return {};
    }
  }
  return Fail(ErrorCode::kResourceInUse,
              "Backups are being enabled for the table: " + table_name + ". Please retry later");
}

Result<void> SwitchRecovery(EngineCore& core, const std::string& table_name, bool enabled,
                            std::optional<std::int64_t> days) {
  if (!enabled) {
    return SwitchOff(core, table_name);
  }
  return UseHistory(core, table_name,
                    [&](std::uint64_t settled, Table& table, storage::WriteBatch&) -> Result<void> {
                      if (!table.recovery) {
                        table.recovery =
                            keyspace::Recovery{.since = settled, .days = kDaysByDefault};
                      }
                      table.recovery->days = days.value_or(table.recovery->days);
                      return {};
                    });
}

Result<void> ReleaseHistory(EngineCore& core, std::uint32_t table_id) {
  const auto lock = core.catalog.ChangeLock();
  if (core.history->IsPinned(table_id)) {
    return {};
  }
  const TablePtr current = core.catalog.FindId(table_id);
  if (current == nullptr) {
    core.background->Enqueue([&core, table_id] { return CleanDroppedTable(core, table_id); });
    return {};
  }
  // One that has no moment yet is just being switched on.
  if (!current->history || current->recovery || current->history->since == 0) {
    return {};
  }
  return EndHistory(core, *current);
}

Result<void> TrimHistory(EngineCore& core) {
  // Nobody waits for tables that are only looked through.
  std::vector<std::uint32_t> ids;
  for (const TablePtr& table : core.catalog.All()) {
    if (table->history) {
      ids.push_back(table->id);
    }
  }
  for (const std::uint32_t table_id : ids) {
    std::optional<Table> moved;
    {
      const auto lock = core.catalog.ChangeLock();
      const TablePtr current = core.catalog.FindId(table_id);
      if (current == nullptr || !current->history || current->history->since == 0) {
        continue;
      }
      const std::optional<std::uint64_t> floor = NextFloor(core, *current);
      if (!floor) {
        continue;
      }
      moved = *current;
      moved->history->floor = *floor;
      storage::WriteBatch batch;
      RememberTime(batch);
      TRY_VOID(core.catalog.Publish(*moved, std::move(batch)));
      core.history->SetHorizon(table_id, *floor);
    }
    if (core.history->ClaimCompaction(table_id, *moved->history, CommitTimeOf(core.clock.Now()))) {
      TRY_VOID(CompactHistory(core, table_id));
    }
  }
  return {};
}

}  // namespace stator::engine
