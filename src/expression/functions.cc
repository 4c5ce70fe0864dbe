#include "expression/functions.h"

namespace stator::expression {

std::optional<ConditionNode::Kind> ConditionFunction(std::string_view name) {
  using Kind = ConditionNode::Kind;
  for (const Kind kind : {Kind::kAttributeExists, Kind::kAttributeNotExists, Kind::kAttributeType,
                          Kind::kBeginsWith, Kind::kContains, Kind::kSize}) {
    if (name == OperatorName(kind)) {
      return kind;
    }
  }
  return std::nullopt;
}

std::optional<UpdateOperand::Kind> UpdateFunction(std::string_view name) {
  using Kind = UpdateOperand::Kind;
  for (const Kind kind : {Kind::kIfNotExists, Kind::kListAppend}) {
    if (name == OperatorName(kind)) {
      return kind;
    }
  }
  return std::nullopt;
}

}  // namespace stator::expression
