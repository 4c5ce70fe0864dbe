#include "expression/legacy_arguments.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace stator::expression {
namespace {

using Type = AttributeValue::Type;

bool TakesCount(ComparisonOperator comparison, std::size_t count) {
  switch (comparison) {
    case ComparisonOperator::kNull:
    case ComparisonOperator::kNotNull:
      return count == 0;
    case ComparisonOperator::kIn:
      return count >= 1;
    case ComparisonOperator::kBetween:
      return count == 2;
    default:
      return count == 1;
  }
}

bool TakesType(ComparisonOperator comparison, Type type) {
  const bool scalar = type == Type::kString || type == Type::kNumber || type == Type::kBinary;
  switch (comparison) {
    case ComparisonOperator::kEq:
    case ComparisonOperator::kNe:
    case ComparisonOperator::kNull:
    case ComparisonOperator::kNotNull:
      return true;
    case ComparisonOperator::kContains:
    case ComparisonOperator::kNotContains:
      return scalar || type == Type::kBool || type == Type::kNull;
    case ComparisonOperator::kBeginsWith:
      return type == Type::kString || type == Type::kBinary;
    default:
      return scalar;
  }
}

}  // namespace

std::string_view NameOf(ComparisonOperator comparison) {
  switch (comparison) {
    case ComparisonOperator::kEq:
      return "EQ";
    case ComparisonOperator::kNe:
      return "NE";
    case ComparisonOperator::kIn:
      return "IN";
    case ComparisonOperator::kLe:
      return "LE";
    case ComparisonOperator::kLt:
      return "LT";
    case ComparisonOperator::kGe:
      return "GE";
    case ComparisonOperator::kGt:
      return "GT";
    case ComparisonOperator::kBetween:
      return "BETWEEN";
    case ComparisonOperator::kNotNull:
      return "NOT_NULL";
    case ComparisonOperator::kNull:
      return "NULL";
    case ComparisonOperator::kContains:
      return "CONTAINS";
    case ComparisonOperator::kNotContains:
      return "NOT_CONTAINS";
    case ComparisonOperator::kBeginsWith:
      return "BEGINS_WITH";
  }
  std::unreachable();
}

std::unexpected<Error> InvalidParameter(std::string_view what) {
  return Invalid("One or more parameter values were invalid: " + std::string(what));
}

Result<void> CheckArguments(ComparisonOperator comparison,
                            std::span<const AttributeValue> arguments) {
  if (!TakesCount(comparison, arguments.size())) {
    return InvalidParameter("Invalid number of argument(s) for the " +
                            std::string(NameOf(comparison)) + " ComparisonOperator");
  }
  if (arguments.empty()) {
    return {};
  }
  const Type type = arguments.front().type();
  if (std::ranges::any_of(arguments, [&](const auto& value) { return value.type() != type; })) {
    return InvalidParameter("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!TakesType(comparison, type)) {
    return InvalidParameter("ComparisonOperator " + std::string(NameOf(comparison)) +
                            " is not valid for " + std::string(TypeName(type)) +
                            " AttributeValue type");
  }
  if (comparison == ComparisonOperator::kBetween &&
      CompareScalars(arguments[0], arguments[1]) > 0) {
    return Invalid(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

}  // namespace stator::expression
