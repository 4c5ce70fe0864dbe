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

template <>
struct Shape<DescribeContinuousBackupsInput> {
  static constexpr std::string_view kName = "DescribeContinuousBackupsInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DescribeContinuousBackupsOutput> {
  static constexpr std::string_view kName = "DescribeContinuousBackupsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Nested("ContinuousBackupsDescription", [&output](auto& description) {
      description.Switch("ContinuousBackupsStatus", output.continuous_backups_enabled);
      description.Nested("PointInTimeRecoveryDescription", [&output](auto& recovery) {
        recovery.Switch("PointInTimeRecoveryStatus", output.point_in_time_recovery_enabled);
        recovery.Optional("EarliestRestorableDateTime", output.earliest_restorable_date_time);
        recovery.Optional("LatestRestorableDateTime", output.latest_restorable_date_time);
      });
    });
  }
};

void Read(JsonObject body, Decoding& decoding, DescribeLimitsInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const DescribeLimitsInput& input, std::string& out) {
  Codec<DescribeLimitsInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeLimitsOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const DescribeLimitsOutput& output, std::string& out) {
  Codec<DescribeLimitsOutput>::Append(output, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeEndpointsInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const DescribeEndpointsInput& input, std::string& out) {
  Codec<DescribeEndpointsInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeEndpointsOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const DescribeEndpointsOutput& output, std::string& out) {
  Codec<DescribeEndpointsOutput>::Append(output, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeContinuousBackupsInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const DescribeContinuousBackupsInput& input, std::string& out) {
  Codec<DescribeContinuousBackupsInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeContinuousBackupsOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const DescribeContinuousBackupsOutput& output, std::string& out) {
  Codec<DescribeContinuousBackupsOutput>::Append(output, out);
}

}  // namespace stator::wire
