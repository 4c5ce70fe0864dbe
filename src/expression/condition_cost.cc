#include "base/work.h"
#include "expression/condition.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;

// Comparing with a value ends with the value, however large the item is.
constexpr std::size_t kSmallBytes = 256;

bool IsSmall(const AttributeValue& value) {
  if (const auto* text = value.If<std::string>()) {
    return text->size() <= kSmallBytes;
  }
  if (const auto* binary = value.If<Binary>()) {
    return binary->bytes.size() <= kSmallBytes;
  }
  return value.Is<Null>() || value.Is<bool>() || value.Is<Number>();
}

}  // namespace

Condition::Cost Condition::CostOfAsking() const {
  Cost cost;
  const auto is_small = [&](std::uint32_t operand) {
    const ConditionNode& node = tree_->nodes[operand];
    return node.kind == Kind::kSize ||
           (node.kind == Kind::kValue && IsSmall(*bindings_.values[node.symbol()]));
  };
  for (const ConditionNode& node : tree_->nodes) {
    const std::span<const std::uint32_t> operands = tree_->OperandsOf(node);
    switch (node.kind) {
      case Kind::kPath:
      case Kind::kValue:
        break;
      case Kind::kAnd:
      case Kind::kOr:
      case Kind::kNot:
      case Kind::kAttributeExists:
      case Kind::kAttributeNotExists:
      case Kind::kAttributeType:
        cost.fixed += base::kOperatorUnits;
        break;
      case Kind::kSize:
      case Kind::kContains:
        cost.fixed += base::kOperatorUnits;
        ++cost.scans;
        break;
      default:
        // The first operand is compared with each of the others.
        for (const std::uint32_t operand : operands.subspan(1)) {
          cost.fixed += base::kOperatorUnits;
          cost.scans += is_small(operands[0]) || is_small(operand) ? 0 : 1;
        }
    }
  }
  return cost;
}

}  // namespace stator::expression
