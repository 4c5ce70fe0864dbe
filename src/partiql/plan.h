// How a SELECT is read, and which item a write is about: the condition against the keys of a table
// or an index.
//
// A SELECT is a Query, or several, when every way in which its condition can hold names a
// partition: pk = x, pk IN [x, y], pk = x OR pk = y, each with more. Otherwise it is a Scan. An
// index is never chosen by itself.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "expression/condition.h"
#include "expression/key_condition.h"
#include "partiql/statement.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::partiql {

// What is read of one partition: the union of its ranges.
struct PartitionPlan {
  const AttributeValue* value = nullptr;
  // Conditions on the sort key; nothing for the whole partition. Never empty.
  std::vector<std::optional<expression::KeyComparison>> ranges;
  // DynamoDB refuses ranges that overlap, except where a condition negates the sort key.
  bool may_overlap = false;
};

struct SelectPlan {
  bool is_scan = true;
  std::vector<PartitionPlan> partitions;  // in the order in which they are read, each value once
  bool needs_filter = false;              // whether the condition says more than the keys
  bool keyed_by_in = false;               // such reads have small pages
  bool has_top_level_or = false;
  bool forward = true;
};

// REQUIRES: the schema has one partition attribute and at most one sort attribute.
Result<SelectPlan> PlanSelect(const Select& select, const expression::Condition* where,
                              const expression::KeySchema& schema);

struct KeyedItem {
  Item key;
  bool has_rest = false;  // whether the condition says more than the key
};

// The item that the condition names by an equality on every key attribute; fails with kValidation
// when it does not name one.
Result<KeyedItem> FindKey(const expression::Condition* where, const expression::KeySchema& schema);

// The value can be that key attribute.
Result<void> CheckKeyValue(const expression::KeyAttribute& attribute, const AttributeValue& value);

}  // namespace stator::partiql
