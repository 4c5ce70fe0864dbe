// UpdateContinuousBackups and DescribeContinuousBackups: whether a table keeps history, and how far
// back (history.h).

#include <algorithm>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"

namespace stator::engine {
namespace {

Result<ContinuousBackupsDescription> Describe(EngineCore& core, const std::string& table_name) {
  const Result<TablePtr> table = core.catalog.Find(table_name);
  if (!table) {
    // These two operations have an error of their own for it.
    return Fail(ErrorCode::kTableNotFound, "Table not found: " + table_name);
  }
  ContinuousBackupsDescription description{.continuous_backups_enabled = true};
  if (!(*table)->recovery) {
    return description;
  }
  const auto to_seconds = [](std::uint64_t time) {
    return TimePoint(std::chrono::floor<std::chrono::seconds>(TimeOfCommit(time)));
  };
  const std::uint64_t earliest = EarliestTime(core, **table);
  description.point_in_time_recovery_enabled = true;
  description.recovery_period_in_days = (*table)->recovery->days;
  description.earliest_restorable_date_time = to_seconds(earliest);
  description.latest_restorable_date_time =
      to_seconds(std::max(earliest, RestorableTime(core, **table)));
  return description;
}

}  // namespace

Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
    EngineCore& core, const UpdateContinuousBackupsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const PointInTimeRecoverySpecification& wanted = input.point_in_time_recovery_specification;
  TRY_VOID(SwitchRecovery(core, input.table_name, wanted.enabled, wanted.recovery_period_in_days));
  return UpdateContinuousBackupsOutput{.continuous_backups_description =
                                           TRY(Describe(core, input.table_name))};
}

Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
    EngineCore& core, const DescribeContinuousBackupsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  return DescribeContinuousBackupsOutput{.continuous_backups_description =
                                             TRY(Describe(core, input.table_name))};
}

}  // namespace stator::engine
