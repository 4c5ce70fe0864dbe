// What the legacy conditions have in common: how many values of which types an operator takes.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "expression/legacy.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// "One or more parameter values were invalid: <what>".
std::unexpected<Error> InvalidParameter(std::string_view what);

inline std::span<const AttributeValue> ArgumentsOf(const std::vector<AttributeValue>* values) {
  return values != nullptr ? std::span(*values) : std::span<const AttributeValue>();
}

// Their number, that they are of one type, that the operator takes that type, and the order of
// bounds.
Result<void> CheckArguments(ComparisonOperator comparison,
                            std::span<const AttributeValue> arguments);

}  // namespace stator::expression
