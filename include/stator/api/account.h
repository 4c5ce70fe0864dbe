// Questions about the account and the endpoint rather than about data.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"

namespace stator {

struct DescribeLimitsInput {};

struct DescribeLimitsOutput {
  std::int64_t account_max_read_capacity_units = 0;
  std::int64_t account_max_write_capacity_units = 0;
  std::int64_t table_max_read_capacity_units = 0;
  std::int64_t table_max_write_capacity_units = 0;
};

struct DescribeEndpointsInput {};

struct Endpoint {
  std::string address;
  std::int64_t cache_period_in_minutes = 0;
};

struct DescribeEndpointsOutput {
  std::vector<Endpoint> endpoints;
};

struct DescribeContinuousBackupsInput {
  std::string table_name;
};

struct DescribeContinuousBackupsOutput {
  bool continuous_backups_enabled = false;
  bool point_in_time_recovery_enabled = false;
  std::optional<TimePoint> earliest_restorable_date_time = std::nullopt;
  std::optional<TimePoint> latest_restorable_date_time = std::nullopt;
};

}  // namespace stator
