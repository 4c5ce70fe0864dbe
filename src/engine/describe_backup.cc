#include "api/constraints.h"
#include "base/try.h"
#include "engine/backups.h"
#include "engine/operations.h"

namespace stator::engine {

Result<DescribeBackupOutput> DescribeBackup(EngineCore& core, const DescribeBackupInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const Backup backup = TRY(FindBackup(core, input.backup_arn));
  return DescribeBackupOutput{.backup_description = DescribeBackup(backup)};
}

}  // namespace stator::engine
