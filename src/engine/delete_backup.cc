#include <algorithm>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/backups.h"
#include "engine/history.h"
#include "engine/operations.h"

namespace stator::engine {

Result<DeleteBackupOutput> DeleteBackup(EngineCore& core, const DeleteBackupInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const Backup backup = TRY(FindBackup(core, input.backup_arn));
  const std::string arn = ArnOf(backup);
  if (backup.row.type == BackupType::kSystem) {
    return Invalid("User is not allowed to delete the system backup with arn " + arn +
                   ". It will automatically expire on " +
                   CommitTimeText(CommitTimeOf(backup.row.expires.value_or(TimePoint()))));
  }
  if (IsBeingRestored(core, arn)) {
    return Fail(ErrorCode::kBackupInUse, "Backup is being used to restore table: " + arn);
  }
  DeleteBackupOutput output{.backup_description = DescribeBackup(backup)};
  output.backup_description.backup_details.backup_status = BackupStatus::kDeleted;
  if (!TRY(RemoveBackup(core, backup))) {
    return Fail(ErrorCode::kBackupNotFound, "Backup not found: " + arn);
  }
  return output;
}

}  // namespace stator::engine
