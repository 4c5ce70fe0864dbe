// BatchGetItem: reads up to 100 items of several tables; no snapshot over them, unless
// a moment is asked for.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct KeysAndAttributes {
  std::vector<Item> keys;
  bool consistent_read = false;
  std::optional<std::string> projection_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<std::vector<std::string>> attributes_to_get = std::nullopt;
};

struct BatchGetItemInput {
  std::map<std::string, KeysAndAttributes> request_items;  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  std::optional<TimePoint> as_of = std::nullopt;  // see common.h, "Reading the past"
};

struct BatchGetItemOutput {
  std::map<std::string, std::vector<Item>> responses = {};
  std::map<std::string, KeysAndAttributes> unprocessed_keys = {};  // ask again for these
  std::vector<ConsumedCapacity> consumed_capacity = {};
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

}  // namespace stator
