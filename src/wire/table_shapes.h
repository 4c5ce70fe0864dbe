// What a table is made of, in requests and in descriptions.

#pragma once

#include "stator/api/table_types.h"
#include "wire/enum_names.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<AttributeDefinition> {
  static constexpr std::string_view kName = "AttributeDefinition";
  static void Visit(auto& visit, auto& definition) {
    visit.Required("AttributeName", definition.attribute_name);
    visit.Required("AttributeType", definition.attribute_type);
  }
};

template <>
struct Shape<KeySchemaElement> {
  static constexpr std::string_view kName = "KeySchemaElement";
  static void Visit(auto& visit, auto& element) {
    visit.Required("AttributeName", element.attribute_name);
    visit.Required("KeyType", element.key_type);
  }
};

template <>
struct Shape<Projection> {
  static constexpr std::string_view kName = "Projection";
  static void Visit(auto& visit, auto& projection) {
    visit.Optional("ProjectionType", projection.projection_type);
    visit.Optional("NonKeyAttributes", projection.non_key_attributes);
  }
};

template <>
struct Shape<ProvisionedThroughput> {
  static constexpr std::string_view kName = "ProvisionedThroughput";
  static void Visit(auto& visit, auto& throughput) {
    visit.Required("ReadCapacityUnits", throughput.read_capacity_units);
    visit.Required("WriteCapacityUnits", throughput.write_capacity_units);
  }
};

template <>
struct Shape<OnDemandThroughput> {
  static constexpr std::string_view kName = "OnDemandThroughput";
  static void Visit(auto& visit, auto& throughput) {
    visit.Optional("MaxReadRequestUnits", throughput.max_read_request_units);
    visit.Optional("MaxWriteRequestUnits", throughput.max_write_request_units);
  }
};

template <>
struct Shape<WarmThroughput> {
  static constexpr std::string_view kName = "WarmThroughput";
  static void Visit(auto& visit, auto& throughput) {
    visit.Optional("ReadUnitsPerSecond", throughput.read_units_per_second);
    visit.Optional("WriteUnitsPerSecond", throughput.write_units_per_second);
  }
};

template <>
struct Shape<LocalSecondaryIndex> {
  static constexpr std::string_view kName = "LocalSecondaryIndex";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
  }
};

template <>
struct Shape<GlobalSecondaryIndex> {
  static constexpr std::string_view kName = "GlobalSecondaryIndex";
  static void Visit(auto& visit, auto& index) {
    visit.Required("IndexName", index.index_name);
    visit.Required("KeySchema", index.key_schema);
    visit.Required("Projection", index.projection);
    visit.Optional("ProvisionedThroughput", index.provisioned_throughput);
    visit.Optional("OnDemandThroughput", index.on_demand_throughput);
    visit.Optional("WarmThroughput", index.warm_throughput);
  }
};

template <>
struct Shape<StreamSpecification> {
  static constexpr std::string_view kName = "StreamSpecification";
  static void Visit(auto& visit, auto& specification) {
    visit.Required("StreamEnabled", specification.stream_enabled);
    visit.Optional("StreamViewType", specification.stream_view_type);
  }
};

template <>
struct Shape<SseSpecification> {
  static constexpr std::string_view kName = "SSESpecification";
  static void Visit(auto& visit, auto& specification) {
    visit.Optional("Enabled", specification.enabled);
    visit.Optional("SSEType", specification.sse_type);
    visit.Optional("KMSMasterKeyId", specification.kms_master_key_id);
  }
};

template <>
struct Shape<Tag> {
  static constexpr std::string_view kName = "Tag";
  static void Visit(auto& visit, auto& tag) {
    visit.Required("Key", tag.key);
    visit.Required("Value", tag.value);
  }
};

}  // namespace stator::wire
