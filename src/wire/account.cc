#include "stator/api/account.h"

#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<DescribeLimitsInput> {
  static constexpr std::string_view kName = "DescribeLimitsInput";
  static void Visit(auto& /*visit*/, auto& /*input*/) {}
};

template <>
struct Shape<DescribeLimitsOutput> {
  static constexpr std::string_view kName = "DescribeLimitsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("AccountMaxReadCapacityUnits", output.account_max_read_capacity_units);
    visit.Required("AccountMaxWriteCapacityUnits", output.account_max_write_capacity_units);
    visit.Required("TableMaxReadCapacityUnits", output.table_max_read_capacity_units);
    visit.Required("TableMaxWriteCapacityUnits", output.table_max_write_capacity_units);
  }
};

template <>
struct Shape<DescribeEndpointsInput> {
  static constexpr std::string_view kName = "DescribeEndpointsInput";
  static void Visit(auto& /*visit*/, auto& /*input*/) {}
};

template <>
struct Shape<Endpoint> {
  static constexpr std::string_view kName = "Endpoint";
  static void Visit(auto& visit, auto& endpoint) {
    visit.Required("Address", endpoint.address);
    visit.Required("CachePeriodInMinutes", endpoint.cache_period_in_minutes);
  }
};

template <>
struct Shape<DescribeEndpointsOutput> {
  static constexpr std::string_view kName = "DescribeEndpointsOutput";
  static void Visit(auto& visit, auto& output) { visit.Required("Endpoints", output.endpoints); }
};

template struct Body<DescribeLimitsInput>;
template struct Body<DescribeLimitsOutput>;
template struct Body<DescribeEndpointsInput>;
template struct Body<DescribeEndpointsOutput>;

}  // namespace stator::wire
