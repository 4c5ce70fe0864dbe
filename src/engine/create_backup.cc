#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/backups.h"
#include "engine/history.h"
#include "engine/operations.h"
#include "engine/table_row.h"

namespace stator::engine {

Result<CreateBackupOutput> CreateBackup(EngineCore& core, const CreateBackupInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  Backup backup;
  bool pinned = false;
  const auto use = [&](std::uint64_t settled, Table& table,
                       storage::WriteBatch& batch) -> Result<void> {
    backup.id = TRY(TakeBackupId(core, BackupType::kUser));
    backup.row = {.name = input.backup_name,
                  .type = BackupType::kUser,
                  .time = settled,
                  .table = RowOf(table)};
    std::string row;
    keyspace::AppendBackupRow(backup.row, row);
    batch.Put(keyspace::BackupKey(backup.id), row);
    core.history->Pin(table.id, settled);
    pinned = true;
    return {};
  };
  if (const Result<void> done = UseHistory(core, input.table_name, use); !done) {
    if (pinned) {
      core.history->Unpin(backup.row.table.settings.id, backup.row.time);
    }
    return std::unexpected(done.error());
  }
  CreateBackupOutput output{.backup_details = DetailsOf(backup)};
  output.backup_details.backup_status = BackupStatus::kCreating;
  return output;
}

}  // namespace stator::engine
