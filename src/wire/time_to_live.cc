#include "stator/api/time_to_live.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<TimeToLiveSpecification> {
  static constexpr std::string_view kName = "TimeToLiveSpecification";
  static void Visit(auto& visit, auto& specification) {
    visit.Required("Enabled", specification.enabled);
    visit.Required("AttributeName", specification.attribute_name);
  }
};

template <>
struct Shape<UpdateTimeToLiveInput> {
  static constexpr std::string_view kName = "UpdateTimeToLiveInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableName", input.table_name);
    visit.Required("TimeToLiveSpecification", input.time_to_live_specification);
  }
};

template <>
struct Shape<UpdateTimeToLiveOutput> {
  static constexpr std::string_view kName = "UpdateTimeToLiveOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("TimeToLiveSpecification", output.time_to_live_specification);
  }
};

template <>
struct Shape<DescribeTimeToLiveInput> {
  static constexpr std::string_view kName = "DescribeTimeToLiveInput";
  static void Visit(auto& visit, auto& input) { visit.Required("TableName", input.table_name); }
};

template <>
struct Shape<DescribeTimeToLiveOutput> {
  static constexpr std::string_view kName = "DescribeTimeToLiveOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Nested("TimeToLiveDescription", [&output](auto& description) {
      description.Required("TimeToLiveStatus", output.time_to_live_status);
      description.Optional("AttributeName", output.attribute_name);
    });
  }
};

template struct Body<UpdateTimeToLiveInput>;
template struct Body<UpdateTimeToLiveOutput>;
template struct Body<DescribeTimeToLiveInput>;
template struct Body<DescribeTimeToLiveOutput>;

}  // namespace stator::wire
