#include "engine/backups.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "base/work.h"
#include "bulk/export_files.h"
#include "engine/history.h"
#include "engine/item_store.h"
#include "engine/table_row.h"
#include "engine/transfers.h"
#include "keyspace/key_range.h"

namespace stator::engine {
namespace {

constexpr std::string_view kTablePart = ":table/";
constexpr std::string_view kBackupPart = "/backup/";
// The service keeps the backup of a deleted table so long, whatever the period of its recovery was.
constexpr std::chrono::days kSystemBackupLife{35};

std::uint64_t MillisecondsOf(TimePoint time) {
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return milliseconds < 0 ? 0 : static_cast<std::uint64_t>(milliseconds);
}

Result<Backup> DecodeBackup(std::string_view key, std::string_view value) {
  const keyspace::BackupId id = TRY(keyspace::BackupOfKey(key));
  keyspace::BackupRow row = TRY(keyspace::DecodeBackupRow(value));
  return Backup{.id = id, .row = std::move(row)};
}

}  // namespace

std::string ArnOf(const Backup& backup) {
  return std::string(backup.row.table.settings.arn)
      .append(kBackupPart)
      .append(bulk::IdText(backup.id.created_ms, backup.id.number));
}

Result<keyspace::BackupId> BackupIdFrom(const Account& account, std::string_view arn) {
  const TimedArn parsed =
      TRY(ParseTimedArn(account, arn, kBackupPart, "Invalid Backup ARN", "BackupArn is not valid"));
  return parsed.id;
}

Result<Backup> FindBackup(EngineCore& core, const std::string& arn) {
  const keyspace::BackupId id = TRY(BackupIdFrom(core.account, arn));
  const std::string key = keyspace::BackupKey(id);
  storage::PinnedValue value;
  if (TRY(core.store->Get(key, value))) {
    Backup backup = TRY(DecodeBackup(key, value.view()));
    const std::size_t name = arn.find(kTablePart) + kTablePart.size();
    if (std::string_view(arn).substr(name, arn.find(kBackupPart) - name) ==
        backup.row.table.settings.name) {
      return backup;
    }
  }
  return Fail(ErrorCode::kBackupNotFound, "Backup not found: " + arn);
}

Result<void> VisitBackups(EngineCore& core, const keyspace::BackupId& first,
                          const std::function<Result<bool>(const Backup&)>& visit) {
  const keyspace::KeyRange range =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kBackup));
  storage::Cursor cursor = core.store->NewCursor(nullptr, keyspace::BackupKey(first), range.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    TRY_VOID(base::SpendWork(WorkOfRow(cursor.value().size())));
    const Backup backup = TRY(DecodeBackup(cursor.key(), cursor.value()));
    if (!TRY(visit(backup))) {
      return {};
    }
  }
  return cursor.status();
}

Result<keyspace::BackupId> TakeBackupId(EngineCore& core, BackupType type) {
  keyspace::BackupId id{.created_ms = MillisecondsOf(core.clock.Now())};
  while (true) {
    if (type == BackupType::kUser) {
      // 0 is of system backups.
      id.number = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(core.random.Next()));
    }
    storage::PinnedValue value;
    if (!TRY(core.store->Get(keyspace::BackupKey(id), value))) {
      return id;
    }
    ++id.created_ms;
  }
}

bool IsBeingRestored(EngineCore& core, const std::string& arn) {
  return std::ranges::any_of(core.catalog.All(), [&](const TablePtr& table) {
    return table->restore && table->restore->backup_arn == arn;
  });
}

Result<bool> RemoveBackup(EngineCore& core, const Backup& backup) {
  const std::uint32_t table_id = backup.row.table.settings.id;
  {
    const auto lock = core.catalog.ChangeLock();
    const std::string key = keyspace::BackupKey(backup.id);
    storage::PinnedValue value;
    if (!TRY(core.store->Get(key, value))) {
      return false;
    }
    storage::WriteBatch batch;
    batch.Delete(key);
    TRY_VOID(core.store->Write(std::move(batch)));
    core.history->Unpin(table_id, backup.row.time);
  }
  TRY_VOID(ReleaseHistory(core, table_id));
  return true;
}

Result<void> KeepDroppedTable(EngineCore& core, std::uint32_t table_id,
                              keyspace::DroppedTableRow& dropped) {
  CHECK(dropped.table && !dropped.dropped_at);
  const auto lock = core.catalog.ChangeLock();
  dropped.dropped_at = core.store->queue().SettledTime();
  storage::WriteBatch batch;
  RememberTime(batch);
  std::string row;
  keyspace::AppendDroppedTableRow(dropped, row);
  batch.Put(keyspace::DroppedTableKey(table_id), row);
  const bool recoverable = dropped.table->settings.recovery.has_value();
  if (recoverable) {
    const keyspace::BackupId id = TRY(TakeBackupId(core, BackupType::kSystem));
    row.clear();
    keyspace::AppendBackupRow({.name = dropped.name + "$DeletedTableBackup",
                               .type = BackupType::kSystem,
                               .time = *dropped.dropped_at,
                               .expires = core.clock.Now() + kSystemBackupLife,
                               .table = *dropped.table},
                              row);
    batch.Put(keyspace::BackupKey(id), row);
    core.history->Pin(table_id, *dropped.dropped_at);
  }
  if (Result<void> written = core.store->Write(std::move(batch)); !written) {
    if (recoverable) {
      core.history->Unpin(table_id, *dropped.dropped_at);
    }
    return written;
  }
  core.history->SetHorizon(table_id, *dropped.dropped_at);
  return {};
}

Result<void> ForgetOldBackups(EngineCore& core) {
  if (!core.store->HasHistory()) {
    return {};
  }
  const TimePoint now = core.clock.Now();
  std::vector<Backup> old;
  TRY_VOID(VisitBackups(core, {}, [&](const Backup& backup) -> Result<bool> {
    if (backup.row.expires && *backup.row.expires <= now) {
      old.push_back(backup);
    }
    return true;
  }));
  for (const Backup& backup : old) {
    TRY_VOID(RemoveBackup(core, backup));
  }
  return {};
}

}  // namespace stator::engine
