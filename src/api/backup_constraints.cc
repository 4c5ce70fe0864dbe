// Constraints of the requests about backups, restores, rewinds and checkpoints.

#include <cstdint>
#include <string>

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "api/shape_constraints.h"

namespace stator::api {
namespace {

constexpr LengthRange kBackupArnLength = {37, 1024};  // [model] BackupArn
constexpr std::int64_t kListBackupsLimitMax = 100;    // [model] BackupsInputLimit
constexpr std::int64_t kOverrideUnitsMin = 1;

// [model] ProvisionedThroughput
void CheckThroughput(ConstraintChecker& checker,
                     const std::optional<ProvisionedThroughput>& throughput) {
  constexpr std::string_view kName = "ProvisionedThroughputOverride";
  if (!checker.Readable(kName) || !throughput) {
    return;
  }
  const MemberPath path = checker.PathOf(kName);
  ConstraintChecker inner(checker.violations(), &path);
  inner.AtLeast("ReadCapacityUnits", throughput->read_capacity_units, kOverrideUnitsMin);
  inner.AtLeast("WriteCapacityUnits", throughput->write_capacity_units, kOverrideUnitsMin);
}

// The names of indexes; whether there are such indexes the source knows.
template <class Indexes>
void CheckIndexNames(ConstraintChecker& checker, std::string_view name, const Indexes& indexes) {
  if (!checker.Readable(name) || !indexes) {
    return;
  }
  const MemberPath list = checker.PathOf(name);
  for (std::size_t i = 0; i < indexes->size(); ++i) {
    const MemberPath path = MemberPath::Element(&list, i);
    if (checker.violations().ReportUnreadable(path)) {
      continue;
    }
    ConstraintChecker element(checker.violations(), &path);
    element.Name("IndexName", (*indexes)[i].index_name);
    CheckKeySchema(element, (*indexes)[i].key_schema, {1, SIZE_MAX});
    element.Read("Projection");
  }
}

void CheckOverrides(ConstraintChecker& checker, const RestoreOverrides& overrides) {
  checker.Read("BillingModeOverride");
  CheckIndexNames(checker, "GlobalSecondaryIndexOverride",
                  overrides.global_secondary_index_override);
  CheckIndexNames(checker, "LocalSecondaryIndexOverride", overrides.local_secondary_index_override);
  CheckThroughput(checker, overrides.provisioned_throughput_override);
  checker.Read("OnDemandThroughputOverride");
  checker.Read("SSESpecificationOverride");
}

}  // namespace

void CheckConstraints(const CreateBackupInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Name("BackupName", input.backup_name);
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const DescribeBackupInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("BackupArn", input.backup_arn, kBackupArnLength);
}

void CheckConstraints(const DeleteBackupInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("BackupArn", input.backup_arn, kBackupArnLength);
}

void CheckConstraints(const ListBackupsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  if (input.table_name) {
    CheckTableLengthOfTableOperation(checker, *input.table_name);
  }
  checker.Within("Limit", input.limit, 1, kListBackupsLimitMax);
  checker.Read("TimeRangeLowerBound");
  checker.Read("TimeRangeUpperBound");
  checker.Text("ExclusiveStartBackupArn", input.exclusive_start_backup_arn, kBackupArnLength);
  checker.Read("BackupType");
  if (input.table_name) {
    CheckTableName(checker, *input.table_name);
  }
}

void CheckConstraints(const RestoreTableFromBackupInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Name("TargetTableName", input.target_table_name);
  checker.Text("BackupArn", input.backup_arn, kBackupArnLength);
  CheckOverrides(checker, input.overrides);
}

void CheckConstraints(const RestoreTableToPointInTimeInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Read("SourceTableArn");
  checker.Name("SourceTableName", input.source_table_name);
  checker.Name("TargetTableName", input.target_table_name);
  checker.Read("UseLatestRestorableTime");
  checker.Read("RestoreDateTime");
  CheckOverrides(checker, input.overrides);
}

void CheckConstraints(const RewindTableInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckTableLengthOfTableOperation(checker, input.table_name);
  checker.Read("RewindDateTime");
  CheckTableName(checker, input.table_name);
}

void CheckConstraints(const CreateCheckpointInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Name("CheckpointName", input.checkpoint_name);
  checker.Read("Replace");
}

void CheckConstraints(const RestoreCheckpointInput& input, Violations& violations) {
  ConstraintChecker(violations).Name("CheckpointName", input.checkpoint_name);
}

void CheckConstraints(const DeleteCheckpointInput& input, Violations& violations) {
  ConstraintChecker(violations).Name("CheckpointName", input.checkpoint_name);
}

void CheckConstraints(const ListCheckpointsInput& /*input*/, Violations& /*violations*/) {}

}  // namespace stator::api
