#include "stator/api/continuous_backups.h"

#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<PointInTimeRecoverySpecification> {
  static constexpr std::string_view kName = "PointInTimeRecoverySpecification";
  static void Visit(auto& visit, auto& specification) {
    visit.Required("PointInTimeRecoveryEnabled", specification.enabled);
    visit.Optional("RecoveryPeriodInDays", specification.recovery_period_in_days);
  }
};

template <>
struct Shape<ContinuousBackupsDescription> {
  static constexpr std::string_view kName = "ContinuousBackupsDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Switch("ContinuousBackupsStatus", description.continuous_backups_enabled);
    visit.Nested("PointInTimeRecoveryDescription", [&description](auto& recovery) {
      recovery.Switch("PointInTimeRecoveryStatus", description.point_in_time_recovery_enabled);
      recovery.Optional("RecoveryPeriodInDays", description.recovery_period_in_days);
      recovery.Optional("EarliestRestorableDateTime", description.earliest_restorable_date_time);
      recovery.Optional("LatestRestorableDateTime", description.latest_restorable_date_time);
    });
  }
};

template <>
struct Shape<UpdateContinuousBackupsInput> {
  static constexpr std::string_view kName = "UpdateContinuousBackupsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("PointInTimeRecoverySpecification", input.point_in_time_recovery_specification);
  }
};

template <>
struct Shape<UpdateContinuousBackupsOutput> {
  static constexpr std::string_view kName = "UpdateContinuousBackupsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ContinuousBackupsDescription", output.continuous_backups_description);
  }
};

template <>
struct Shape<DescribeContinuousBackupsInput> {
  static constexpr std::string_view kName = "DescribeContinuousBackupsInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DescribeContinuousBackupsOutput> {
  static constexpr std::string_view kName = "DescribeContinuousBackupsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ContinuousBackupsDescription", output.continuous_backups_description);
  }
};

template struct Body<UpdateContinuousBackupsInput>;
template struct Body<UpdateContinuousBackupsOutput>;
template struct Body<DescribeContinuousBackupsInput>;
template struct Body<DescribeContinuousBackupsOutput>;

}  // namespace stator::wire
