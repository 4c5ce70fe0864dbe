// GetItem: reads one item by its key.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct GetItemInput {
  std::string table_name;
  Item key;
  bool consistent_read = false;
  std::optional<std::string> projection_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<std::vector<std::string>> attributes_to_get = std::nullopt;
  std::optional<TimePoint> as_of = std::nullopt;  // see common.h, "Reading the past"
};

struct GetItemOutput {
  std::optional<Item> item = std::nullopt;  // absent when there is no such item
  std::optional<ConsumedCapacity> consumed_capacity = std::nullopt;
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

}  // namespace stator
