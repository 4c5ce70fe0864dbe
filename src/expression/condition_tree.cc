#include "expression/condition_tree.h"

#include <utility>

namespace stator::expression {

std::string_view OperatorName(ConditionNode::Kind kind) {
  using Kind = ConditionNode::Kind;
  switch (kind) {
    case Kind::kAnd:
      return "AND";
    case Kind::kOr:
      return "OR";
    case Kind::kNot:
      return "NOT";
    case Kind::kEqual:
      return "=";
    case Kind::kNotEqual:
      return "<>";
    case Kind::kLess:
      return "<";
    case Kind::kLessOrEqual:
      return "<=";
    case Kind::kGreater:
      return ">";
    case Kind::kGreaterOrEqual:
      return ">=";
    case Kind::kBetween:
      return "BETWEEN";
    case Kind::kIn:
      return "IN";
    case Kind::kAttributeExists:
      return "attribute_exists";
    case Kind::kAttributeNotExists:
      return "attribute_not_exists";
    case Kind::kAttributeType:
      return "attribute_type";
    case Kind::kBeginsWith:
      return "begins_with";
    case Kind::kContains:
      return "contains";
    case Kind::kSize:
      return "size";
    case Kind::kPath:
    case Kind::kValue:
      return "";
  }
  std::unreachable();
}

}  // namespace stator::expression
