// UpdateContinuousBackups and DescribeContinuousBackups: whether what a table was in any second of its
// last days is kept, and can be read (common.h, "Reading the past").

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stator/base/clock.h"

namespace stator {

struct PointInTimeRecoverySpecification {
  bool enabled;
  // 1 to 35. Nothing: 35, or what it is while it is on.
  std::optional<std::int64_t> recovery_period_in_days = std::nullopt;

  friend bool operator==(const PointInTimeRecoverySpecification&,
                         const PointInTimeRecoverySpecification&) = default;
};

// Amazon keeps continuous backups of every table; only with point-in-time recovery can they be
// used, and only then are there days and times to tell.
struct ContinuousBackupsDescription {
  bool continuous_backups_enabled = false;
  bool point_in_time_recovery_enabled = false;
  std::optional<std::int64_t> recovery_period_in_days = std::nullopt;
  std::optional<TimePoint> earliest_restorable_date_time = std::nullopt;
  std::optional<TimePoint> latest_restorable_date_time = std::nullopt;
};

struct UpdateContinuousBackupsInput {
  std::string table_name;
  PointInTimeRecoverySpecification point_in_time_recovery_specification;
};

struct UpdateContinuousBackupsOutput {
  ContinuousBackupsDescription continuous_backups_description = {};
};

struct DescribeContinuousBackupsInput {
  std::string table_name;
};

struct DescribeContinuousBackupsOutput {
  ContinuousBackupsDescription continuous_backups_description = {};
};

}  // namespace stator
