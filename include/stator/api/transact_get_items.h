// TransactGetItems: reads up to 100 items as they were at one moment.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct TransactGet {
  std::string table_name;
  Item key;
  std::optional<std::string> projection_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
};

struct TransactGetItemsInput {
  std::vector<TransactGet> transact_items;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<TimePoint> as_of = std::nullopt;  // see common.h, "Reading the past"
};

struct TransactGetItemsOutput {
  std::vector<std::optional<Item>> responses = {};  // in the order of the request
  std::vector<ConsumedCapacity> consumed_capacity = {};
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

}  // namespace stator
