#include "expression/update_values.h"

#include <utility>

#include "base/try.h"

namespace stator::expression {
namespace {

using Kind = UpdateOperand::Kind;

// Both operands as sets of that kind, combined by `combine`; nothing when one is none.
template <class Set, class Combine>
std::optional<Set> Combined(const AttributeValue& old, const AttributeValue& value,
                            Combine combine) {
  const auto* left = old.If<Set>();
  const auto* right = value.If<Set>();
  if (left == nullptr || right == nullptr) {
    return std::nullopt;
  }
  Set result = *left;
  combine(result, *right);
  return result;
}

constexpr auto kAddMembers = [](auto& set, const auto& other) { set.Add(other); };
constexpr auto kRemoveMembers = [](auto& set, const auto& other) { set.Remove(other); };

}  // namespace

Result<std::optional<AttributeValue>> UpdateValues::After(const UpdateAction& action) const {
  if (action.kind == UpdateAction::Kind::kRemove) {
    return std::nullopt;
  }
  if (action.kind == UpdateAction::Kind::kSet) {
    return TRY(Evaluate(action.operand));
  }
  const AttributeValue& value = *bindings_.values[tree_.operands[action.operand].first];
  const AttributeValue* old = FindPath(tree_.symbols, bindings_, tree_.paths[action.path], before_);
  if (action.kind == UpdateAction::Kind::kAdd) {
    return old == nullptr ? value : TRY(Added(*old, value));
  }
  if (old == nullptr) {
    return std::nullopt;
  }
  return Deleted(*old, value);
}

Result<AttributeValue> UpdateValues::Evaluate(std::uint32_t operand) const {
  const UpdateOperand& node = tree_.operands[operand];
  switch (node.kind) {
    case Kind::kValue:
      return *bindings_.values[node.first];
    case Kind::kPath: {
      const AttributeValue* value =
          FindPath(tree_.symbols, bindings_, tree_.paths[node.first], before_);
      if (value == nullptr) {
        return Invalid(
            "The provided expression refers to an attribute that does not exist in the item");
      }
      return *value;
    }
    case Kind::kAdd:
    case Kind::kSubtract:
      return Sum(node);
    case Kind::kIfNotExists:
      return IfNotExists(node);
    case Kind::kListAppend:
      return ListAppend(node);
  }
  std::unreachable();
}

Result<AttributeValue> UpdateValues::Sum(const UpdateOperand& operand) const {
  const AttributeValue left = TRY(Evaluate(tree_.arguments[operand.first]));
  const auto* left_number = left.If<Number>();
  if (left_number == nullptr) {
    return WrongType();
  }
  const AttributeValue right = TRY(Evaluate(tree_.arguments[operand.first + 1U]));
  const auto* right_number = right.If<Number>();
  if (right_number == nullptr) {
    return WrongType();
  }
  return TRY(operand.kind == Kind::kAdd ? Number::Add(*left_number, *right_number)
                                        : Number::Subtract(*left_number, *right_number));
}

Result<AttributeValue> UpdateValues::IfNotExists(const UpdateOperand& operand) const {
  // The second operand is computed, and may fail, even where it is not needed.
  AttributeValue otherwise = TRY(Evaluate(tree_.arguments[operand.first + 1U]));
  const UpdateOperand& path = tree_.operands[tree_.arguments[operand.first]];
  const AttributeValue* value =
      FindPath(tree_.symbols, bindings_, tree_.paths[path.first], before_);
  if (value != nullptr) {
    return *value;
  }
  return otherwise;
}

Result<AttributeValue> UpdateValues::ListAppend(const UpdateOperand& operand) const {
  AttributeValue left = TRY(Evaluate(tree_.arguments[operand.first]));
  auto* list = left.If<List>();
  if (list == nullptr) {
    return WrongType();
  }
  const AttributeValue right = TRY(Evaluate(tree_.arguments[operand.first + 1U]));
  const auto* more = right.If<List>();
  if (more == nullptr) {
    return WrongType();
  }
  list->insert(list->end(), more->begin(), more->end());
  return left;
}

Result<AttributeValue> UpdateValues::Added(const AttributeValue& old,
                                           const AttributeValue& value) const {
  if (const auto* number = old.If<Number>()) {
    const auto* added = value.If<Number>();
    if (added == nullptr) {
      return WrongType();
    }
    return TRY(Number::Add(*number, *added));
  }
  if (auto strings = Combined<StringSet>(old, value, kAddMembers)) {
    return *std::move(strings);
  }
  if (auto numbers = Combined<NumberSet>(old, value, kAddMembers)) {
    return *std::move(numbers);
  }
  if (auto binaries = Combined<BinarySet>(old, value, kAddMembers)) {
    return *std::move(binaries);
  }
  // Only AttributeUpdates adds lists to lists; binding refuses them in an expression.
  const auto* list = old.If<List>();
  const auto* more = value.If<List>();
  if (list == nullptr || more == nullptr) {
    return WrongType();
  }
  List both = *list;
  both.insert(both.end(), more->begin(), more->end());
  return both;
}

Result<std::optional<AttributeValue>> UpdateValues::Deleted(const AttributeValue& old,
                                                            const AttributeValue& value) const {
  // A set that became empty is removed: DynamoDB stores none.
  const auto rest = [](auto set) -> std::optional<AttributeValue> {
    if (set.empty()) {
      return std::nullopt;
    }
    return AttributeValue(std::move(set));
  };
  if (auto strings = Combined<StringSet>(old, value, kRemoveMembers)) {
    return rest(*std::move(strings));
  }
  if (auto numbers = Combined<NumberSet>(old, value, kRemoveMembers)) {
    return rest(*std::move(numbers));
  }
  if (auto binaries = Combined<BinarySet>(old, value, kRemoveMembers)) {
    return rest(*std::move(binaries));
  }
  return WrongType();
}

std::unexpected<Error> UpdateValues::WrongType() const {
  return Invalid(tree_.legacy ? "Type mismatch for attribute to update"
                              : "An operand in the update expression has an incorrect data type");
}

}  // namespace stator::expression
