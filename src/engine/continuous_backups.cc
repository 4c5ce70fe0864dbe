// UpdateContinuousBackups and DescribeContinuousBackups. There is no point-in-time recovery here:
// what they say is what Amazon says of a table that has it switched off, and it cannot be switched
// on, because nobody would notice before the day of the restore.

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"

namespace stator::engine {
namespace {

constexpr ContinuousBackupsDescription kSwitchedOff = {.continuous_backups_enabled = true};

// These two operations have an error of their own for it.
Result<void> CheckExists(EngineCore& core, const std::string& table_name) {
  if (!core.catalog.Find(table_name)) {
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + table_name);
  }
  return {};
}

}  // namespace

Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
    EngineCore& core, const UpdateContinuousBackupsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExists(core, input.table_name));
  if (input.point_in_time_recovery_specification.enabled) {
    return Invalid(
        "This database has no point-in-time recovery. A backup of it is a copy of its data "
        "directory that is made while no process has it open");
  }
  return UpdateContinuousBackupsOutput{.continuous_backups_description = kSwitchedOff};
}

Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
    EngineCore& core, const DescribeContinuousBackupsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExists(core, input.table_name));
  return DescribeContinuousBackupsOutput{.continuous_backups_description = kSwitchedOff};
}

}  // namespace stator::engine
