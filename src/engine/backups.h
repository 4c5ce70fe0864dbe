// Backups: names for moments of tables. A backup is one row, which has the table as it was then and pins
// its moment (history.h); no item is copied. What the items were is found when somebody restores them.
//
// Rows are the only list of backups that there is.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/engine_core.h"
#include "keyspace/backup_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/keys.h"
#include "stator/api/backups.h"
#include "stator/base/result.h"

namespace stator::engine {

struct Backup {
  keyspace::BackupId id;
  keyspace::BackupRow row;
};

std::string ArnOf(const Backup& backup);

// The id in an ARN; fails in the words of the service when it is none of a backup, or of another
// account's.
Result<keyspace::BackupId> BackupIdFrom(const Account& account, std::string_view arn);

// kBackupNotFound when there is none.
Result<Backup> FindBackup(EngineCore& core, const std::string& arn);

// Calls `visit` with backups from `first` on, in their order, until it says false.
Result<void> VisitBackups(EngineCore& core, const keyspace::BackupId& first,
                          const std::function<Result<bool>(const Backup&)>& visit);

// An id that no backup has. REQUIRES: ChangeLock is held until it is used.
Result<keyspace::BackupId> TakeBackupId(EngineCore& core, BackupType type);

// Removes the row, and what nothing else keeps; false when somebody else did. REQUIRES: ChangeLock is not
// held.
Result<bool> RemoveBackup(EngineCore& core, const Backup& backup);

// Whether a table is being restored from it.
bool IsBeingRestored(EngineCore& core, const std::string& arn);

BackupDetails DetailsOf(const Backup& backup);
BackupDescription DescribeBackup(const Backup& backup);

// A table was dropped, and nobody writes to it any more: fixes the moment behind which nothing was
// changed and, if recovery was on, makes the system backup of it. Changes `dropped` and its row.
Result<void> KeepDroppedTable(EngineCore& core, std::uint32_t table_id,
                              keyspace::DroppedTableRow& dropped);

// Housekeeping: removes system backups whose time has come.
Result<void> ForgetOldBackups(EngineCore& core);

}  // namespace stator::engine
