// What several operations share: choices of what to return, capacity figures, placeholders.
//
// Fields keep their wire names in snake_case. Where DynamoDB tells an absent parameter from an
// empty one, the field is optional.
//
// READING THE PAST. With `as_of` reads (GetItem, BatchGetItem, TransactGetItems, Query, Scan, and
// ExecuteStatement of a SELECT) see tables as they were at a moment: with everything that was committed up to then and nothing else. TimePoint::max() is the latest moment
// that can be read. It is not DynamoDB's: Stator has it, for tables with point-in-time recovery and
// as far back as that reaches; an endpoint that does not is noticed and the read fails. Indexes have
// no history. The answer says which moment it was, so the pages of one read can all be of one.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/value/attribute_value.h"

namespace stator {

// "#placeholder" to attribute name.
using AttributeNames = std::map<std::string, std::string>;

enum class ReturnValues : std::uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class ReturnValuesOnConditionCheckFailure : std::uint8_t { kNone, kAllOld };
enum class ReturnConsumedCapacity : std::uint8_t { kNone, kTotal, kIndexes };
enum class ReturnItemCollectionMetrics : std::uint8_t { kNone, kSize };
enum class Select : std::uint8_t {
  kAllAttributes,
  kAllProjectedAttributes,
  kSpecificAttributes,
  kCount,
};

// Capacity units of one table or index. Which of the fields are set depends on the operation:
// transactions tell reads from writes, others give the sum alone.
struct Capacity {
  double capacity_units = 0;
  std::optional<double> read_capacity_units = std::nullopt;
  std::optional<double> write_capacity_units = std::nullopt;

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

struct ConsumedCapacity {
  std::string table_name;
  double capacity_units = 0;
  std::optional<double> read_capacity_units = std::nullopt;
  std::optional<double> write_capacity_units = std::nullopt;
  // With ReturnConsumedCapacity::kIndexes only.
  std::optional<Capacity> table = std::nullopt;
  std::map<std::string, Capacity> local_secondary_indexes = {};
  std::map<std::string, Capacity> global_secondary_indexes = {};

  friend bool operator==(const ConsumedCapacity&, const ConsumedCapacity&) = default;
};

// Of a table with local indexes: the items of one partition key, over table and local indexes.
struct ItemCollectionMetrics {
  Item item_collection_key;
  std::array<double, 2> size_estimate_range_gb = {0, 0};  // at least, at most

  friend bool operator==(const ItemCollectionMetrics&, const ItemCollectionMetrics&) = default;
};

}  // namespace stator
