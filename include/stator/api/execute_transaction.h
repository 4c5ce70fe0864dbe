// ExecuteTransaction: up to 100 statements, all reads or all writes, which happen all or not at all.
// EXISTS(SELECT ...) is a condition of a transaction of writes.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct ParameterizedStatement {
  std::string statement;
  std::optional<std::vector<AttributeValue>> parameters = std::nullopt;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};

struct ExecuteTransactionInput {
  std::vector<ParameterizedStatement> transact_statements;
  // For ten minutes the same token with the same statements is answered without doing them again.
  std::optional<std::string> client_request_token = std::nullopt;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ExecuteTransactionOutput {
  std::vector<std::optional<Item>> responses = {};  // of reads, in the order of the request
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

}  // namespace stator
