// TransactWriteItems: up to 100 writes and checks, all of them or none.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct TransactConditionCheck {
  std::string table_name;
  Item key;
  std::string condition_expression;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct TransactPut {
  std::string table_name;
  Item item;
  std::optional<std::string> condition_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct TransactDelete {
  std::string table_name;
  Item key;
  std::optional<std::string> condition_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct TransactUpdate {
  std::string table_name;
  Item key;
  std::string update_expression;
  std::optional<std::string> condition_expression = std::nullopt;
  std::optional<AttributeNames> expression_attribute_names = std::nullopt;
  std::optional<Map> expression_attribute_values = std::nullopt;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

using TransactWriteItem =
    std::variant<TransactConditionCheck, TransactPut, TransactDelete, TransactUpdate>;

struct TransactWriteItemsInput {
  std::vector<TransactWriteItem> transact_items;
  // Repeating a request with the same token within ten minutes has no further effect.
  std::optional<std::string> client_request_token = std::nullopt;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity = {};
  std::map<std::string, std::vector<ItemCollectionMetrics>> item_collection_metrics = {};
};

}  // namespace stator
