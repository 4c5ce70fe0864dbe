#include <algorithm>
#include <compare>
#include <string>
#include <string_view>

#include "expression/condition.h"
#include "expression/substring.h"

namespace stator::expression {
namespace {

using Kind = ConditionNode::Kind;

// The service counts a string's length in UTF-16 units.
std::size_t Utf16Length(std::string_view utf8) {
  std::size_t units = 0;
  for (const char byte : utf8) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xC0U) != 0x80U) {
      units += bits >= 0xF0U ? 2 : 1;
    }
  }
  return units;
}

// size(value), or -1 for what has none.
struct SizeVisitor {
  std::int64_t operator()(const std::string& value) const {
    return static_cast<std::int64_t>(Utf16Length(value));
  }
  std::int64_t operator()(const Binary& value) const {
    return static_cast<std::int64_t>(value.bytes.size());
  }
  std::int64_t operator()(Null) const { return -1; }
  std::int64_t operator()(bool) const { return -1; }
  std::int64_t operator()(const Number&) const { return -1; }
  template <class Collection>
  std::int64_t operator()(const Collection& value) const {
    return static_cast<std::int64_t>(value.size());
  }
};

bool BeginsWith(const AttributeValue& value, const AttributeValue& prefix) {
  if (const auto* text = value.If<std::string>()) {
    const auto* start = prefix.If<std::string>();
    return start != nullptr && text->starts_with(*start);
  }
  if (const auto* binary = value.If<Binary>()) {
    const auto* start = prefix.If<Binary>();
    return start != nullptr && binary->bytes.starts_with(start->bytes);
  }
  return false;
}

// Whether a set holds the value; false also when the value is of another type than the members.
template <class Set>
bool SetContains(const Set& set, const AttributeValue& value) {
  const auto* member = value.If<typename Set::value_type>();
  return member != nullptr && set.contains(*member);
}

bool Contains(const AttributeValue& value, const AttributeValue& part) {
  if (const auto* text = value.If<std::string>()) {
    const auto* inner = part.If<std::string>();
    return inner != nullptr && HasSubstring(*text, *inner);
  }
  if (const auto* binary = value.If<Binary>()) {
    const auto* inner = part.If<Binary>();
    return inner != nullptr && HasSubstring(binary->bytes, inner->bytes);
  }
  if (const auto* strings = value.If<StringSet>()) {
    return SetContains(*strings, part);
  }
  if (const auto* numbers = value.If<NumberSet>()) {
    return SetContains(*numbers, part);
  }
  if (const auto* binaries = value.If<BinarySet>()) {
    return SetContains(*binaries, part);
  }
  const auto* list = value.If<List>();
  return list != nullptr && std::ranges::find(*list, part) != list->end();
}

class Evaluation {
 public:
  Evaluation(const ConditionTree& tree, const Bindings& bindings, const Item* item)
      : tree_(tree), bindings_(bindings), item_(item) {}

  [[nodiscard]] bool IsTrue(std::uint32_t number) const {
    const ConditionNode& node = tree_.nodes[number];
    const std::span<const std::uint32_t> operands = tree_.OperandsOf(node);
    switch (node.kind) {
      case Kind::kAnd:
        return std::ranges::all_of(operands, [this](auto operand) { return IsTrue(operand); });
      case Kind::kOr:
        return std::ranges::any_of(operands, [this](auto operand) { return IsTrue(operand); });
      case Kind::kNot:
        return !IsTrue(operands[0]);
      case Kind::kAttributeExists:
        return Exists(operands[0]);
      case Kind::kAttributeNotExists:
        return !Exists(operands[0]);
      default:
        return Compare(node.kind, operands);
    }
  }

 private:
  [[nodiscard]] bool Exists(std::uint32_t operand) const {
    AttributeValue unused;
    return Find(operand, unused) != nullptr;
  }

  // Operators on the values of their operands. What is not there, or of the wrong type, is equal
  // to nothing and in no order with anything.
  [[nodiscard]] bool Compare(Kind kind, std::span<const std::uint32_t> operands) const {
    AttributeValue left_size;
    const AttributeValue* left = Find(operands[0], left_size);
    if (left == nullptr) {
      return kind == Kind::kNotEqual;
    }
    AttributeValue right_size;
    if (kind == Kind::kIn) {
      return std::ranges::any_of(operands.subspan(1), [&](std::uint32_t operand) {
        const AttributeValue* right = Find(operand, right_size);
        return right != nullptr && *left == *right;
      });
    }
    const AttributeValue* right = Find(operands[1], right_size);
    if (right == nullptr) {
      return kind == Kind::kNotEqual;
    }
    switch (kind) {
      case Kind::kEqual:
        return *left == *right;
      case Kind::kNotEqual:
        return *left != *right;
      case Kind::kLess:
        return CompareScalars(*left, *right) < 0;
      case Kind::kLessOrEqual:
        return CompareScalars(*left, *right) <= 0;
      case Kind::kGreater:
        return CompareScalars(*left, *right) > 0;
      case Kind::kGreaterOrEqual:
        return CompareScalars(*left, *right) >= 0;
      case Kind::kBetween:
        return CompareScalars(*left, *right) >= 0 && IsAtMost(*left, operands[2]);
      case Kind::kAttributeType:
        return TypeName(left->type()) == *right->If<std::string>();
      case Kind::kBeginsWith:
        return BeginsWith(*left, *right);
      default:
        return Contains(*left, *right);
    }
  }

  [[nodiscard]] bool IsAtMost(const AttributeValue& value, std::uint32_t bound) const {
    AttributeValue size;
    const AttributeValue* upper = Find(bound, size);
    return upper != nullptr && CompareScalars(value, *upper) <= 0;
  }

  // The value of an operand, or null. A size is made in `size`, which then must live as long as
  // the result.
  [[nodiscard]] const AttributeValue* Find(std::uint32_t operand, AttributeValue& size) const {
    const ConditionNode& node = tree_.nodes[operand];
    if (node.kind == Kind::kPath) {
      return FindPath(tree_.symbols, bindings_, tree_.paths[node.symbol()], item_);
    }
    if (node.kind == Kind::kValue) {
      return bindings_.values[node.symbol()];
    }
    AttributeValue unused;
    const AttributeValue* sized = Find(tree_.OperandsOf(node)[0], unused);
    const std::int64_t count = sized == nullptr ? -1 : sized->Visit(SizeVisitor{});
    if (count < 0) {
      return nullptr;
    }
    size = AttributeValue(count);
    return &size;
  }

  const ConditionTree& tree_;
  const Bindings& bindings_;
  const Item* item_;
};

}  // namespace

bool Condition::Matches(const Item* item) const {
  return Evaluation(*tree_, bindings_, item).IsTrue(tree_->root());
}

}  // namespace stator::expression
