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

void Read(JsonObject body, Decoding& decoding, UpdateTimeToLiveInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const UpdateTimeToLiveInput& input, std::string& out) {
  Codec<UpdateTimeToLiveInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, UpdateTimeToLiveOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const UpdateTimeToLiveOutput& output, std::string& out) {
  Codec<UpdateTimeToLiveOutput>::Append(output, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeTimeToLiveInput& input) {
  ReadBody(body, decoding, input);
}

void Append(const DescribeTimeToLiveInput& input, std::string& out) {
  Codec<DescribeTimeToLiveInput>::Append(input, out);
}

void Read(JsonObject body, Decoding& decoding, DescribeTimeToLiveOutput& output) {
  ReadBody(body, decoding, output);
}

void Append(const DescribeTimeToLiveOutput& output, std::string& out) {
  Codec<DescribeTimeToLiveOutput>::Append(output, out);
}

}  // namespace stator::wire
