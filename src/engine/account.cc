// DescribeLimits and DescribeEndpoints.

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/operations.h"

namespace stator::engine {

Result<DescribeLimitsOutput> DescribeLimits(EngineCore& /*core*/,
                                            const DescribeLimitsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  return DescribeLimitsOutput{
      .account_max_read_capacity_units = limits::kAccountCapacityUnitsMax,
      .account_max_write_capacity_units = limits::kAccountCapacityUnitsMax,
      .table_max_read_capacity_units = limits::kTableCapacityUnitsMax,
      .table_max_write_capacity_units = limits::kTableCapacityUnitsMax,
  };
}

Result<DescribeEndpointsOutput> DescribeEndpoints(EngineCore& core,
                                                  const DescribeEndpointsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  constexpr std::int64_t kCacheMinutes = 1440;
  return DescribeEndpointsOutput{
      .endpoints = {{.address = "dynamodb." + core.account.region + ".amazonaws.com",
                     .cache_period_in_minutes = kCacheMinutes}}};
}

}  // namespace stator::engine
