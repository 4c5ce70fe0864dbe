#include "expression/expression_kind.h"

#include <string>
#include <utility>

#include "base/limits.h"

namespace stator::expression {

std::string_view ParameterName(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::kCondition:
      return "ConditionExpression";
    case ExpressionKind::kFilter:
      return "FilterExpression";
    case ExpressionKind::kKeyCondition:
      return "KeyConditionExpression";
    case ExpressionKind::kUpdate:
      return "UpdateExpression";
    case ExpressionKind::kProjection:
      return "ProjectionExpression";
    case ExpressionKind::kStatement:
      return "Statement";
  }
  std::unreachable();
}

std::unexpected<Error> InvalidExpression(ExpressionKind kind, std::string_view what) {
  if (kind == ExpressionKind::kStatement) {
    return Invalid(std::string(what));
  }
  std::string message = "Invalid ";
  message += ParameterName(kind);
  message += ": ";
  message += what;
  return Invalid(std::move(message));
}

Result<void> CheckExpressionSize(ExpressionKind kind, std::string_view text) {
  if (text.empty()) {
    return InvalidExpression(kind, "The expression can not be empty;");
  }
  if (text.size() > limits::kExpressionBytesMax) {
    return InvalidExpression(kind,
                             "Expression size has exceeded the maximum allowed size; "
                             "expression size: " +
                                 std::to_string(text.size()));
  }
  return {};
}

Result<void> CheckOperatorCount(ExpressionKind kind, std::size_t operators) {
  if (operators > limits::kExpressionOperatorsMax) {
    // The service stops counting at the first operator that is too many.
    return InvalidExpression(kind, "The expression contains too many operators; operator count: " +
                                       std::to_string(limits::kExpressionOperatorsMax + 1));
  }
  return {};
}

}  // namespace stator::expression
