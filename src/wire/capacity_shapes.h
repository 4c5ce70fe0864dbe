// Capacity figures in answers.

#pragma once

#include "stator/api/common.h"
#include "wire/enum_names.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<Capacity> {
  static constexpr std::string_view kName = "Capacity";
  static void Visit(auto& visit, auto& capacity) {
    visit.Optional("ReadCapacityUnits", capacity.read_capacity_units);
    visit.Optional("WriteCapacityUnits", capacity.write_capacity_units);
    visit.Required("CapacityUnits", capacity.capacity_units);
  }
};

template <>
struct Shape<ConsumedCapacity> {
  static constexpr std::string_view kName = "ConsumedCapacity";
  static void Visit(auto& visit, auto& consumed) {
    visit.Required("TableName", consumed.table_name);
    visit.Required("CapacityUnits", consumed.capacity_units);
    visit.Optional("ReadCapacityUnits", consumed.read_capacity_units);
    visit.Optional("WriteCapacityUnits", consumed.write_capacity_units);
    visit.Optional("Table", consumed.table);
    visit.Optional("LocalSecondaryIndexes", consumed.local_secondary_indexes);
    visit.Optional("GlobalSecondaryIndexes", consumed.global_secondary_indexes);
  }
};

template <>
struct Shape<ItemCollectionMetrics> {
  static constexpr std::string_view kName = "ItemCollectionMetrics";
  static void Visit(auto& visit, auto& metrics) {
    visit.Required("ItemCollectionKey", metrics.item_collection_key);
    visit.Required("SizeEstimateRangeGB", metrics.size_estimate_range_gb);
  }
};

}  // namespace stator::wire
