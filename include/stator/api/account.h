// Questions about the account and the endpoint rather than about data.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace stator
