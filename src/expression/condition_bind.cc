#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "expression/binder.h"
#include "expression/condition.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;
using Type = AttributeValue::Type;

constexpr std::array kTypeNames = {"N", "BS", "L", "B", "NULL", "M", "S", "SS", "NS", "BOOL"};

bool HasOrder(Type type) {
  return type == Type::kString || type == Type::kNumber || type == Type::kBinary;
}

bool IsText(Type type) {
  return type == Type::kString || type == Type::kBinary;
}

bool HasSize(Type type) {
  return type != Type::kNumber && type != Type::kBool && type != Type::kNull;
}

// Nothing for operators, which have as many operands as the grammar gave them.
std::optional<std::size_t> OperandCount(Kind kind) {
  switch (kind) {
    case Kind::kAttributeExists:
    case Kind::kAttributeNotExists:
    case Kind::kSize:
      return 1;
    case Kind::kAttributeType:
    case Kind::kBeginsWith:
    case Kind::kContains:
      return 2;
    default:
      return std::nullopt;
  }
}

// A bound of BETWEEN, as the service shows it. Binaries appear as Java prints them.
std::string BoundText(const AttributeValue& value) {
  std::string text = "AttributeValue: {";
  text += TypeName(value.type());
  text += ':';
  if (const auto* string = value.If<std::string>()) {
    text += *string;
  } else if (const auto* number = value.If<Number>()) {
    number->AppendTo(text);
  } else if (const auto* binary = value.If<Binary>()) {
    const std::string size = std::to_string(binary->bytes.size());
    text += "java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + ']';
  }
  text += '}';
  return text;
}

// Binds the leaves of a tree and checks its operators. Nodes stand behind their operands, so
// going through them in order is going through the text from left to right.
class ConditionBinder {
 public:
  ConditionBinder(ExpressionKind kind, const ConditionTree& tree, Substitutions& substitutions)
      : kind_(kind), tree_(tree), binder_(kind, tree.symbols, substitutions) {}
  ConditionBinder(ExpressionKind kind, const ConditionTree& tree, Bindings bindings)
      : kind_(kind), tree_(tree), binder_(kind, tree.symbols, std::move(bindings)) {}

  Result<Bindings> Bind() {
    for (const ConditionNode& node : tree_.nodes) {
      TRY_VOID(BindNode(node));
    }
    TRY_VOID(CheckOperatorCount(kind_, tree_.operator_count));
    return binder_.Take();
  }

 private:
  Result<void> BindNode(const ConditionNode& node);
  [[nodiscard]] Result<void> CheckOperator(const ConditionNode& node) const;
  [[nodiscard]] Result<void> CheckDistinct(const ConditionNode& node) const;
  [[nodiscard]] Result<void> CheckTypes(const ConditionNode& node, bool (*allowed)(Type)) const;
  [[nodiscard]] Result<void> CheckBounds(const ConditionNode& node) const;
  [[nodiscard]] Result<void> CheckTypeName(const ConditionNode& node) const;

  [[nodiscard]] const ConditionNode& Operand(const ConditionNode& node, std::size_t index) const {
    return tree_.nodes[tree_.OperandsOf(node)[index]];
  }
  [[nodiscard]] const AttributeValue* ValueOf(const ConditionNode& operand) const {
    return operand.kind == Kind::kValue ? binder_.bindings().values[operand.symbol()] : nullptr;
  }
  // Nothing for a path: what it leads to is not known yet.
  [[nodiscard]] std::optional<Type> TypeOf(const ConditionNode& operand) const {
    if (operand.kind == Kind::kSize) {
      return Type::kNumber;
    }
    const AttributeValue* value = ValueOf(operand);
    return value != nullptr ? std::optional(value->type()) : std::nullopt;
  }

  ExpressionKind kind_;
  const ConditionTree& tree_;
  Binder binder_;
};

Result<void> ConditionBinder::BindNode(const ConditionNode& node) {
  switch (node.kind) {
    case Kind::kPath:
      return binder_.BindPath(tree_.paths[node.symbol()]);
    case Kind::kValue:
      return binder_.BindValue(node.symbol());
    case Kind::kAnd:
    case Kind::kOr:
    case Kind::kNot:
      return {};
    default:
      return CheckOperator(node);
  }
}

Result<void> ConditionBinder::CheckOperator(const ConditionNode& node) const {
  const std::optional<std::size_t> count = OperandCount(node.kind);
  if (count && *count != node.count) {
    return binder_.Fail(WrongOperandCount(OperatorName(node.kind), node.count));
  }
  TRY_VOID(CheckDistinct(node));
  switch (node.kind) {
    case Kind::kLess:
    case Kind::kLessOrEqual:
    case Kind::kGreater:
    case Kind::kGreaterOrEqual:
      return CheckTypes(node, HasOrder);
    case Kind::kBetween:
      TRY_VOID(CheckTypes(node, HasOrder));
      return CheckBounds(node);
    case Kind::kIn:
      if (node.count - 1U > limits::kExpressionOperandsOfInMax) {
        return binder_.Fail(
            "The IN operator is provided with too many operands; number of operands: " +
            std::to_string(node.count - 1));
      }
      return {};
    case Kind::kAttributeExists:
    case Kind::kAttributeNotExists:
      if (Operand(node, 0).kind != Kind::kPath) {
        return binder_.Fail(PathRequired(OperatorName(node.kind)));
      }
      return {};
    case Kind::kAttributeType:
      return CheckTypeName(node);
    case Kind::kBeginsWith:
      return CheckTypes(node, IsText);
    case Kind::kSize:
      return CheckTypes(node, HasSize);
    default:
      return {};
  }
}

Result<void> ConditionBinder::CheckDistinct(const ConditionNode& node) const {
  const ConditionNode& first = Operand(node, 0);
  if (first.kind != Kind::kPath) {
    return {};
  }
  const Path path = tree_.paths[first.symbol()];
  for (std::size_t i = 1; i < node.count; ++i) {
    const ConditionNode& other = Operand(node, i);
    if (other.kind != Kind::kPath) {
      continue;
    }
    const Path other_path = tree_.paths[other.symbol()];
    if (path.step_count == other_path.step_count &&
        Relate(tree_.symbols, binder_.bindings(), path, other_path) == PathRelation::kOverlap) {
      return binder_.Fail(
          "The first operand must be distinct from the remaining operands for this operator or "
          "function; operator: " +
          std::string(OperatorName(node.kind)) +
          ", first operand: " + PathText(tree_.symbols, binder_.bindings(), path));
    }
  }
  return {};
}

Result<void> ConditionBinder::CheckTypes(const ConditionNode& node, bool (*allowed)(Type)) const {
  for (std::size_t i = 0; i < node.count; ++i) {
    const std::optional<Type> type = TypeOf(Operand(node, i));
    if (type && !allowed(*type)) {
      return binder_.Fail(WrongOperandType(OperatorName(node.kind), TypeName(*type)));
    }
  }
  return {};
}

Result<void> ConditionBinder::CheckBounds(const ConditionNode& node) const {
  const AttributeValue* lower = ValueOf(Operand(node, 1));
  const AttributeValue* upper = ValueOf(Operand(node, 2));
  if (lower == nullptr || upper == nullptr) {
    return {};
  }
  std::string_view wrong;
  if (lower->type() != upper->type()) {
    wrong = "The BETWEEN operator requires same data type for lower and upper bounds";
  } else if (CompareScalars(*lower, *upper) > 0) {
    wrong = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound";
  } else {
    return {};
  }
  return binder_.Fail(std::string(wrong) + "; lower bound operand: " + BoundText(*lower) +
                      ", upper bound operand: " + BoundText(*upper));
}

Result<void> ConditionBinder::CheckTypeName(const ConditionNode& node) const {
  const ConditionNode& operand = Operand(node, 1);
  const std::optional<Type> type = TypeOf(operand);
  if (type != Type::kString) {
    // Of a path every type is possible, and the service lists them.
    return binder_.Fail(WrongOperandType(
        OperatorName(node.kind), type ? TypeName(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"));
  }
  const std::string& name = *ValueOf(operand)->If<std::string>();
  if (std::ranges::find(kTypeNames, name) != kTypeNames.end()) {
    return {};
  }
  std::string valid;
  for (const std::string_view known : kTypeNames) {
    valid += valid.empty() ? "" : ",";
    valid += known;
  }
  return binder_.Fail("Invalid attribute type name found; type: " + name + ", valid types: {" +
                      valid + '}');
}

}  // namespace

Result<Condition> Condition::Bind(ExpressionKind kind, std::shared_ptr<const ConditionTree> tree,
                                  Substitutions& substitutions) {
  Bindings bindings = TRY(ConditionBinder(kind, *tree, substitutions).Bind());
  return Condition(std::move(tree), std::move(bindings));
}

Result<Condition> Condition::Bind(ExpressionKind kind, std::shared_ptr<const ConditionTree> tree,
                                  Bindings bindings) {
  Bindings checked = TRY(ConditionBinder(kind, *tree, std::move(bindings)).Bind());
  return Condition(std::move(tree), std::move(checked));
}

std::vector<std::string_view> Condition::TopLevelAttributes() const {
  return expression::TopLevelAttributes(tree_->symbols, bindings_, tree_->paths);
}

bool Condition::LooksInside(std::string_view attribute) const {
  return expression::LooksInside(tree_->symbols, bindings_, tree_->paths, attribute);
}

}  // namespace stator::expression
