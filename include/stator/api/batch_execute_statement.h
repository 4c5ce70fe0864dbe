// BatchExecuteStatement: up to 25 statements, all reads or all writes, each on one item of its own.
// They succeed or fail one by one.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct BatchStatementRequest {
  std::string statement;
  std::optional<std::vector<AttributeValue>> parameters = std::nullopt;
  bool consistent_read = false;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct BatchExecuteStatementInput {
  std::vector<BatchStatementRequest> statements;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchStatementError {
  std::string code;  // "ConditionalCheckFailed", "DuplicateItem", "ValidationError", ...
  std::string message;
  std::optional<Item> item = std::nullopt;
};

struct BatchStatementResponse {
  std::optional<BatchStatementError> error = std::nullopt;
  std::optional<std::string> table_name = std::nullopt;
  std::optional<Item> item = std::nullopt;
};

struct BatchExecuteStatementOutput {
  std::vector<BatchStatementResponse> responses = {};  // in the order of the request
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace stator
