// The places of a request that hold an expression. They share a grammar; an error message begins
// with the name of the place. Statements of PartiQL have conditions and updates of the same meaning,
// and their errors begin with nothing.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stator/base/result.h"

namespace stator::expression {

enum class ExpressionKind : std::uint8_t {
  kCondition,
  kFilter,
  kKeyCondition,
  kUpdate,
  kProjection,
  kStatement,
};

// "ConditionExpression", "FilterExpression", ...: the name of the parameter, or "Statement".
std::string_view ParameterName(ExpressionKind kind);

// "Invalid ConditionExpression: <what>"; of a statement <what> alone.
std::unexpected<Error> InvalidExpression(ExpressionKind kind, std::string_view what);

// Fails when the text is empty or longer than DynamoDB takes; comes before all parsing.
Result<void> CheckExpressionSize(ExpressionKind kind, std::string_view text);

// Fails when an expression has more operators and functions than DynamoDB takes; the last of its
// checks.
Result<void> CheckOperatorCount(ExpressionKind kind, std::size_t operators);

}  // namespace stator::expression
