// ExecuteStatement: one statement of PartiQL, a read or a write of one item. docs/partiql.md has
// the language.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/common.h"

namespace stator {

struct ExecuteStatementInput {
  std::string statement;  // "SELECT * FROM orders WHERE customer = ?"
  // What the question marks stand for, from left to right.
  std::optional<std::vector<AttributeValue>> parameters = std::nullopt;
  bool consistent_read = false;
  std::optional<std::string> next_token = std::nullopt;  // of the page before
  std::optional<std::int32_t> limit = std::nullopt;      // items read, before the condition
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  std::optional<TimePoint> as_of = std::nullopt;  // of a read; see common.h, "Reading the past"
};

struct ExecuteStatementOutput {
  std::vector<Item> items = {};                          // of a read, or of RETURNING
  std::optional<std::string> next_token = std::nullopt;  // there may be more
  std::optional<ConsumedCapacity> consumed_capacity = std::nullopt;
  std::optional<TimePoint> as_of = std::nullopt;  // the moment that was read, if one was asked for
};

}  // namespace stator
