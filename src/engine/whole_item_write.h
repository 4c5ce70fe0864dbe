// What PutItem and DeleteItem are asked in the same words: they replace or remove an item as a
// whole, under a condition, and can return the old one. Templates, because their inputs have these
// members in common and no base.

#pragma once

#include <optional>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/request_expressions.h"
#include "value/check_value.h"

namespace stator::engine {

// The checks that need no table and no expression. `item` is the item, or the key.
template <class Input>
Result<void> CheckWholeItemWrite(const Input& input, const Item& item) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"Expected", input.expected.has_value()}},
      .expression = {{"ConditionExpression", input.condition_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = input.expression_attribute_values ? &*input.expression_attribute_values : nullptr,
  }));
  TRY_VOID(value::CheckItem(item));
  if (input.return_values != ReturnValues::kNone && input.return_values != ReturnValues::kAllOld) {
    return Invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  return {};
}

// Borrows from `input`.
template <class Input>
Result<std::optional<expression::Condition>> WriteConditionOf(Core& core, const Input& input) {
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  std::optional<expression::Condition> condition = TRY(ConditionOf(
      core, input.condition_expression, input.expected, input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return condition;
}

}  // namespace stator::engine
