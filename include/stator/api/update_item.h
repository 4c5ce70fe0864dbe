// UpdateItem: changes attributes of an item, making the item if there is none.

#pragma once

#include <optional>
#include <string>

#include "stator/api/common.h"
#include "stator/api/legacy_parameters.h"

namespace stator {

struct UpdateItemInput {
  std::string table_name;
  Item key;
  std::optional<std::string> update_expression = std::nullopt;
  std::optional<std::string> condition_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  ReturnValues return_values = ReturnValues::kNone;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
  std::optional<AttributeUpdates> attribute_updates = std::nullopt;
  std::optional<ExpectedAttributes> expected = std::nullopt;
  std::optional<ConditionalOperator> conditional_operator = std::nullopt;
};

struct UpdateItemOutput {
  std::optional<Item> attributes = std::nullopt;
  std::optional<ConsumedCapacity> consumed_capacity = std::nullopt;
  std::optional<ItemCollectionMetrics> item_collection_metrics = std::nullopt;
};

}  // namespace stator
