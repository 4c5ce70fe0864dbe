// UpdateTimeToLive and DescribeTimeToLive: which attribute says when an item expires.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stator {

enum class TimeToLiveStatus : std::uint8_t { kEnabling, kDisabling, kEnabled, kDisabled };

struct TimeToLiveSpecification {
  bool enabled;
  std::string attribute_name;

  friend bool operator==(const TimeToLiveSpecification&, const TimeToLiveSpecification&) = default;
};

struct UpdateTimeToLiveInput {
  std::string table_name;
  TimeToLiveSpecification time_to_live_specification;
};

struct UpdateTimeToLiveOutput {
  TimeToLiveSpecification time_to_live_specification;
};

struct DescribeTimeToLiveInput {
  std::string table_name;
};

struct DescribeTimeToLiveOutput {
  TimeToLiveStatus time_to_live_status = TimeToLiveStatus::kDisabled;
  std::optional<std::string> attribute_name = std::nullopt;
};

}  // namespace stator
