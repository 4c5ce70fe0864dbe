#include "provision/recovery.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"

namespace stator::provision {
namespace {

constexpr Duration kPause = std::chrono::seconds(1);
constexpr const char* kNone = "this endpoint has no point-in-time recovery";

std::string DaysText(std::int64_t days) {
  return std::to_string(days) + (days == 1 ? " day" : " days");
}

}  // namespace

Result<std::optional<TableDifference>> RecoverySwitch::Compare() {
  if (!spec_->recovery.enabled) {
    return std::nullopt;
  }
  TableDifference difference{.kind = Drift::kRecovery,
                             .wanted = DaysText(spec_->recovery.days),
                             .found = "off",
                             .refusal = refusal_};
  const Result<DescribeContinuousBackupsOutput> there =
      database_->DescribeContinuousBackups({.table_name = spec_->name});
  if (!there && there.error().code == ErrorCode::kUnknownOperation) {
    difference.refusal = kNone;
    return difference;
  }
  if (!there) {
    return std::unexpected(there.error());
  }
  const ContinuousBackupsDescription& backups = there->continuous_backups_description;
  if (!backups.point_in_time_recovery_enabled) {
    difference.safe = refusal_.empty();
    return difference;
  }
  // An endpoint that does not tell the period is older than the choice; it has Amazon's 35 days.
  const std::int64_t days = backups.recovery_period_in_days.value_or(35);
  if (days == spec_->recovery.days) {
    return std::nullopt;
  }
  difference.found = DaysText(days);
  difference.safe = days < spec_->recovery.days && refusal_.empty();  // Fewer days forget some.
  return difference;
}

Result<bool> RecoverySwitch::SwitchOn() {
  const Duration started = options_->clock->Elapsed();
  while (true) {
    const Result<UpdateContinuousBackupsOutput> updated = database_->UpdateContinuousBackups(
        {.table_name = spec_->name,
         .point_in_time_recovery_specification = {
             .enabled = true, .recovery_period_in_days = spec_->recovery.days}});
    if (updated) {
      return true;
    }
    const ErrorCode code = updated.error().code;
    if (code == ErrorCode::kValidation || code == ErrorCode::kUnknownOperation) {
      refusal_ = updated.error().message;
      if (refusal_.empty()) {
        refusal_ = kNone;
      }
      return false;
    }
    // Amazon starts the backups of a new table a while after the table.
    const bool too_early = code == ErrorCode::kResourceInUse;
    if (!too_early || options_->clock->Elapsed() - started >= options_->patience) {
      return std::unexpected(updated.error());
    }
    options_->clock->SleepFor(kPause);
  }
}

}  // namespace stator::provision
