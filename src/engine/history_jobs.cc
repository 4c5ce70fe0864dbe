// The part of history.h that changes tables: recovery on and off, and floors that move.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "engine/background.h"
#include "engine/engine_core.h"
#include "engine/history.h"
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

Result<TablePtr> FindForBackups(EngineCore& core, const std::string& name) {
  Result<TablePtr> table = core.catalog.Find(name);
  if (!table) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + name);
  }
  return table;
}

// Nobody may get a lower commit time than one that is stored, not even after the clock was set back.
void RememberTime(storage::WriteBatch& batch) {
  batch.PutStampedValue(keyspace::CounterKey(keyspace::Counter::kCommitTime),
                        keyspace::EncodeCounter(0), 0, storage::StampKind::kCommitTime);
}

// Carries the directory over to the version that has history.
Result<void> RaiseFormat(EngineCore& core) {
  if (core.store->HasHistory()) {
    return {};
  }
  TRY_VOID(core.store->RaiseFormat(keyspace::kFormatVersion));
  storage::WriteBatch batch;
  batch.Put(keyspace::FormatVersionKey(), keyspace::EncodeFormatVersion());
  return core.store->Write(std::move(batch));
}

// From here on writes that are decided anew make undo rows. Nothing is to be awaited when all do.
Result<std::optional<std::uint32_t>> BeginHistory(EngineCore& core, const std::string& name,
                                                  std::optional<std::int64_t> days) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = TRY(FindForBackups(core, name));
  Table next = *current;
  if (next.recovery) {
    if (days && *days != next.recovery->days) {
      next.recovery->days = *days;
      TRY(core.catalog.Publish(std::move(next)));
    }
    return std::nullopt;
  }
  if (!next.history) {
    TRY_VOID(RaiseFormat(core));
    next.history.emplace();
    TRY(core.catalog.Publish(std::move(next)));
  }
  return current->id;
}

// All writers make undo rows: every change behind this moment has one.
Result<void> FinishHistory(EngineCore& core, std::uint32_t table_id,
                           std::optional<std::int64_t> days) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = core.catalog.FindId(table_id);
  if (current == nullptr || !current->history || current->recovery) {
    return {};
  }
  const std::uint64_t since = core.store->queue().SettledTime();
  Table next = *current;
  next.history = keyspace::History{.since = since, .floor = since};
  next.recovery = keyspace::Recovery{.since = since, .days = days.value_or(kDaysByDefault)};
  storage::WriteBatch batch;
  RememberTime(batch);
  TRY(core.catalog.Publish(std::move(next), std::move(batch)));
  core.history->SetHorizon(table_id, since);
  return {};
}

Result<void> CompactHistory(EngineCore& core, std::uint32_t table_id) {
  std::string prefix;
  keyspace::AppendUndoRowsPrefix(table_id, prefix);
  return core.store->CompactRange(prefix, keyspace::PrefixEnd(prefix), storage::Family::kHistory);
}

Result<void> SwitchOff(EngineCore& core, const std::string& name) {
  const auto lock = core.catalog.ChangeLock();
  const TablePtr current = TRY(FindForBackups(core, name));
  if (!current->history) {
    return {};
  }
  Table next = *current;
  next.history.reset();
  next.recovery.reset();
  const std::uint32_t table_id = next.id;
  TRY(core.catalog.Publish(std::move(next)));
  // What writers by the old schema still add stays behind the horizon, and goes another time.
  core.history->SetHorizon(table_id, core.store->queue().SettledTime());
  core.background->Enqueue([&core, table_id] { return CompactHistory(core, table_id); });
  return {};
}

// Where the floor of a table should be; nothing when it is not worth a write.
std::optional<std::uint64_t> NextFloor(const EngineCore& core, const Table& table) {
  const std::uint64_t now = CommitTimeOf(core.clock.Now());
  const std::uint64_t period = static_cast<std::uint64_t>(table.recovery->days) * kDayMicros;
  const std::uint64_t step = std::max(kMinuteMicros, period / 200);
  if (now < period || now - period < table.history->floor + step) {
    return std::nullopt;
  }
  return now - period;
}

}  // namespace

Result<void> SwitchRecovery(EngineCore& core, const std::string& table_name, bool enabled,
                            std::optional<std::int64_t> days) {
  if (!enabled) {
    return SwitchOff(core, table_name);
  }
  const std::optional<std::uint32_t> table_id = TRY(BeginHistory(core, table_name, days));
  if (!table_id) {
    return {};
  }
  if (!TRY(core.background->AwaitNewSchema(*table_id, kSwitchWaitMax))) {
    return Fail(ErrorCode::kResourceInUse,
                "Backups are being enabled for the table: " + table_name + ". Please retry later");
  }
  return FinishHistory(core, *table_id, days);
}

Result<void> TrimHistory(EngineCore& core) {
  for (const TablePtr& seen : core.catalog.All()) {
    if (!seen->recovery) {
      continue;
    }
    const std::uint32_t table_id = seen->id;
    std::optional<Table> moved;
    {
      const auto lock = core.catalog.ChangeLock();
      const TablePtr current = core.catalog.FindId(table_id);
      if (current == nullptr || !current->recovery) {
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
      TRY(core.catalog.Publish(*moved, std::move(batch)));
      core.history->SetHorizon(table_id, *floor);
    }
    if (core.history->ClaimCompaction(table_id, *moved->history, CommitTimeOf(core.clock.Now()))) {
      TRY_VOID(CompactHistory(core, table_id));
    }
  }
  return {};
}

}  // namespace stator::engine
