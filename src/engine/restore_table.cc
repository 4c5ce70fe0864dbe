// RestoreTableFromBackup and RestoreTableToPointInTime: what they check, in the order of the service,
// and how a restore begins. restore_job.cc carries it out.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/backups.h"
#include "engine/history.h"
#include "engine/operations.h"
#include "engine/restored_table.h"
#include "engine/table_description.h"
#include "engine/table_row.h"

namespace stator::engine {
namespace {

constexpr std::ptrdiff_t kRestoresMax = 50;

// REQUIRES: ChangeLock is held.
Result<void> CheckTargetIsFree(EngineCore& core, const std::string& name) {
  const Result<TablePtr> there = core.catalog.FindAny(name);
  if (there && (*there)->restore) {
    return Fail(ErrorCode::kResourceInUse,
                "Table: " + name + " is already being restored from backup: " +
                    (*there)->restore->backup_arn.value_or((*there)->restore->source_arn));
  }
  if (there || core.transient_states.Find(name)) {
    return Fail(ErrorCode::kTableAlreadyExists, "Table already exists: " + name);
  }
  const auto restores = std::ranges::count_if(
      core.catalog.All(), [](const TablePtr& table) { return table->restore.has_value(); });
  if (restores >= kRestoresMax) {
    return Fail(ErrorCode::kLimitExceeded, "Only 50 restore operations can be active at a time");
  }
  return {};
}

// From here on the target is there, without items. REQUIRES: ChangeLock is held; the moment is pinned or
// leased.
Result<TableDescription> BeginRestore(EngineCore& core, const Table& source,
                                      const std::string& name, const RestoreOverrides& overrides,
                                      keyspace::Restore restore)
    STATOR_REQUIRES(core.catalog.change_mutex()) {
  Table table = TRY(BuildRestoredTable(core, source, name, overrides));
  storage::WriteBatch batch;
  table.id = core.catalog.TakeTableId(batch);
  RememberTime(batch);
  core.history->Pin(restore.source, restore.time);
  table.restore = restore;
  const std::uint32_t table_id = table.id;
  const Result<TablePtr> published = core.catalog.Publish(std::move(table), std::move(batch));
  if (!published) {
    core.history->Unpin(restore.source, restore.time);
    return std::unexpected(published.error());
  }
  core.background->Enqueue([&core, table_id] { return ContinueRestore(core, table_id); });
  return Describe(**published);
}

Result<std::string> SourceOf(const RestoreTableToPointInTimeInput& input) {
  if (input.source_table_arn.has_value() && input.source_table_name.has_value()) {
    return Invalid("Must provide exactly one of: sourceTableArn, sourceTableName");
  }
  if (input.source_table_name) {
    return *input.source_table_name;
  }
  if (!input.source_table_arn) {
    return Invalid("The parameter 'TableName' is required");
  }
  if (!input.source_table_arn->starts_with("arn:") || !TableNameFrom(*input.source_table_arn)) {
    return Invalid("sourceTableArn is not a valid ARN");
  }
  return *input.source_table_arn;
}

Result<void> CheckOneTime(const RestoreTableToPointInTimeInput& input) {
  const bool latest = input.use_latest_restorable_time.value_or(false);
  if (latest && input.restore_date_time) {
    return Invalid(
        "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for "
        "point-in-time restore request. Please specify only one of them");
  }
  if (!latest && !input.restore_date_time) {
    return Invalid(
        "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be "
        "specified, but not both");
  }
  return {};
}

}  // namespace

Result<RestoreTableToPointInTimeOutput> RestoreTableToPointInTime(
    EngineCore& core, const RestoreTableToPointInTimeInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const std::string source_name = TRY(SourceOf(input));
  TRY_VOID(CheckOneTime(input));
  Result<TablePtr> source = core.catalog.Find(source_name);
  if (!source) {
    return source.error().code == ErrorCode::kTableNotFound
               ? Fail(ErrorCode::kTableNotFound, "Table not found: " + source_name)
               : std::unexpected(source.error());
  }
  const std::uint32_t source_id = (*source)->id;
  const HistoryKeeper::Lease lease = TRY(LeaseToRestore(
      core, **source, input.restore_date_time.value_or(TimePoint::max()), &RestorableTime));
  source->reset();  // whoever changes tables may wait for those who have it
  const auto lock = core.catalog.ChangeLock();
  // It may have been dropped meanwhile.
  const TablePtr current = core.catalog.FindId(source_id);
  if (current == nullptr || !current->recovery) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + source_name);
  }
  TRY_VOID(CheckTargetIsFree(core, input.target_table_name));
  return RestoreTableToPointInTimeOutput{
      .table_description = TRY(
          BeginRestore(core, *current, input.target_table_name, input.overrides,
                       {.source = current->id, .source_arn = current->arn, .time = lease.time()}))};
}

Result<RestoreTableFromBackupOutput> RestoreTableFromBackup(
    EngineCore& core, const RestoreTableFromBackupInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const auto lock = core.catalog.ChangeLock();
  const Backup backup = TRY(FindBackup(core, input.backup_arn));
  const std::string arn = ArnOf(backup);
  if (IsBeingRestored(core, arn)) {
    return Fail(ErrorCode::kBackupInUse, "Backup is being used to restore another table: " + arn);
  }
  TRY_VOID(CheckTargetIsFree(core, input.target_table_name));
  const Table source = TableOf(backup.row.table);
  return RestoreTableFromBackupOutput{
      .table_description = TRY(BeginRestore(core, source, input.target_table_name, input.overrides,
                                            {.source = source.id,
                                             .source_arn = source.arn,
                                             .time = backup.row.time,
                                             .backup_arn = arn}))};
}

}  // namespace stator::engine
