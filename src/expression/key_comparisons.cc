#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "expression/key_condition.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;

// a < :v is the same as :v > a.
KeyComparison::Kind Mirrored(KeyComparison::Kind kind) {
  switch (kind) {
    case KeyComparison::Kind::kLess:
      return KeyComparison::Kind::kGreater;
    case KeyComparison::Kind::kLessOrEqual:
      return KeyComparison::Kind::kGreaterOrEqual;
    case KeyComparison::Kind::kGreater:
      return KeyComparison::Kind::kLess;
    case KeyComparison::Kind::kGreaterOrEqual:
      return KeyComparison::Kind::kLessOrEqual;
    default:
      return kind;
  }
}

KeyComparison::Kind ComparisonOf(Kind kind) {
  switch (kind) {
    case Kind::kEqual:
      return KeyComparison::Kind::kEqual;
    case Kind::kLess:
      return KeyComparison::Kind::kLess;
    case Kind::kLessOrEqual:
      return KeyComparison::Kind::kLessOrEqual;
    case Kind::kGreater:
      return KeyComparison::Kind::kGreater;
    case Kind::kGreaterOrEqual:
      return KeyComparison::Kind::kGreaterOrEqual;
    case Kind::kBetween:
      return KeyComparison::Kind::kBetween;
    case Kind::kBeginsWith:
      return KeyComparison::Kind::kBeginsWith;
    default:
      return KeyComparison::Kind::kNotIndexable;
  }
}

class Comparer {
 public:
  explicit Comparer(const Condition& condition)
      : tree_(condition.tree()), bindings_(condition.bindings()) {}

  Result<std::vector<KeyComparison>> Compare() {
    TRY_VOID(Visit(tree_.nodes[tree_.root()]));
    return std::move(comparisons_);
  }

 private:
  // Recursion is bounded: the parser bounds how deep conditions nest.
  Result<void> Visit(const ConditionNode& node) {
    if (node.kind == Kind::kAnd) {
      return VisitOperands(node);
    }
    if (ComparisonOf(node.kind) == KeyComparison::Kind::kNotIndexable) {
      return Invalid("Invalid operator used in KeyConditionExpression: " +
                     std::string(OperatorName(node.kind)));
    }
    if ((node.kind == Kind::kBetween || node.kind == Kind::kBeginsWith) &&
        Operand(node, 0).kind != Kind::kPath) {
      return Invalid(
          "Invalid condition in KeyConditionExpression: " + std::string(OperatorName(node.kind)) +
          " operator must have the key attribute as its first operand");
    }
    return Add(node);
  }

  Result<void> VisitOperands(const ConditionNode& node) {
    for (const std::uint32_t operand : tree_.OperandsOf(node)) {
      TRY_VOID(Visit(tree_.nodes[operand]));
    }
    return {};
  }

  Result<void> Add(const ConditionNode& node) {
    KeyComparison comparison{.attribute = {}, .kind = ComparisonOf(node.kind)};
    bool named = false;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const ConditionNode& operand = Operand(node, i);
      if (operand.kind == Kind::kSize) {
        return Invalid("KeyConditionExpressions cannot contain nested operations");
      }
      if (operand.kind == Kind::kValue) {
        const AttributeValue* value = bindings_.values[operand.symbol()];
        (comparison.value == nullptr ? comparison.value : comparison.second) = value;
        continue;
      }
      if (named) {
        return Invalid(
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
            "condition");
      }
      const Path path = tree_.paths[operand.symbol()];
      if (path.step_count > 1) {
        return Invalid("KeyConditionExpressions cannot have conditions on nested attributes");
      }
      comparison.attribute = bindings_.names[tree_.symbols.StepsOf(path).front().number];
      named = true;
      if (i > 0) {
        comparison.kind = Mirrored(comparison.kind);
      }
    }
    if (!named) {
      return Invalid("Invalid condition in KeyConditionExpression: No key attribute specified");
    }
    if (std::ranges::find(comparisons_, comparison.attribute, &KeyComparison::attribute) !=
        comparisons_.end()) {
      return Invalid(
          "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition "
          "per key");
    }
    comparisons_.push_back(comparison);
    return {};
  }

  [[nodiscard]] const ConditionNode& Operand(const ConditionNode& node, std::uint32_t index) const {
    return tree_.nodes[tree_.OperandsOf(node)[index]];
  }

  const ConditionTree& tree_;
  const Bindings& bindings_;
  std::vector<KeyComparison> comparisons_;
};

}  // namespace

Result<std::vector<KeyComparison>> CompareKeys(const Condition& condition) {
  return Comparer(condition).Compare();
}

}  // namespace stator::expression
