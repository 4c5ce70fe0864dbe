#include "expression/legacy.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/try.h"
#include "expression/legacy_arguments.h"
#include "expression/words.h"

namespace stator::expression {
namespace {

using Type = AttributeValue::Type;

KeyComparison::Kind KeyKindOf(ComparisonOperator comparison) {
  switch (comparison) {
    case ComparisonOperator::kEq:
      return KeyComparison::Kind::kEqual;
    case ComparisonOperator::kLe:
      return KeyComparison::Kind::kLessOrEqual;
    case ComparisonOperator::kLt:
      return KeyComparison::Kind::kLess;
    case ComparisonOperator::kGe:
      return KeyComparison::Kind::kGreaterOrEqual;
    case ComparisonOperator::kGt:
      return KeyComparison::Kind::kGreater;
    case ComparisonOperator::kBetween:
      return KeyComparison::Kind::kBetween;
    case ComparisonOperator::kBeginsWith:
      return KeyComparison::Kind::kBeginsWith;
    default:
      return KeyComparison::Kind::kNotIndexable;
  }
}

bool IsSet(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

Result<void> CheckUpdate(const AttributeUpdate& update) {
  const AttributeAction action = update.action.value_or(AttributeAction::kPut);
  if (update.value == nullptr) {
    if (action != AttributeAction::kDelete) {
      return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
    }
    return {};
  }
  const Type type = update.value->type();
  if (action == AttributeAction::kDelete && !IsSet(type)) {
    return InvalidParameter("DELETE action with value is not supported for the type " +
                            std::string(LongTypeName(type)));
  }
  if (action == AttributeAction::kAdd && !IsSet(type) && type != Type::kNumber &&
      type != Type::kList) {
    return InvalidParameter("ADD action is not supported for the type " +
                            std::string(LongTypeName(type)));
  }
  return {};
}

UpdateAction::Kind ActionOf(const AttributeUpdate& update) {
  if (update.value == nullptr) {
    return UpdateAction::Kind::kRemove;
  }
  switch (update.action.value_or(AttributeAction::kPut)) {
    case AttributeAction::kPut:
      return UpdateAction::Kind::kSet;
    case AttributeAction::kAdd:
      return UpdateAction::Kind::kAdd;
    case AttributeAction::kDelete:
      return UpdateAction::Kind::kDelete;
  }
  std::unreachable();
}

std::string NamesOf(std::span<const Parameter> parameters) {
  std::string names;
  for (const Parameter& parameter : parameters) {
    if (parameter.present) {
      names += names.empty() ? "" : ", ";
      names += parameter.name;
    }
  }
  return names;
}

}  // namespace

Result<std::vector<KeyComparison>> ComparisonsFromKeyConditions(
    std::span<const AttributeComparison> conditions) {
  if (conditions.empty()) {
    return Invalid("Conditions must be at least length 1");
  }
  std::vector<KeyComparison> comparisons;
  comparisons.reserve(conditions.size());
  for (const AttributeComparison& condition : conditions) {
    const std::span<const AttributeValue> arguments = ArgumentsOf(condition.values);
    TRY_VOID(CheckArguments(condition.comparison, arguments));
    comparisons.push_back({.attribute = condition.attribute,
                           .kind = KeyKindOf(condition.comparison),
                           .value = arguments.empty() ? nullptr : &arguments[0],
                           .second = arguments.size() < 2 ? nullptr : &arguments[1]});
  }
  return comparisons;
}

Result<Update> UpdateFromAttributeUpdates(std::span<const AttributeUpdate> updates) {
  UpdateTree tree;
  tree.legacy = true;
  std::vector<const AttributeValue*> values;
  for (const AttributeUpdate& update : updates) {
    TRY_VOID(CheckUpdate(update));
    const auto number = static_cast<std::uint32_t>(tree.paths.size());
    tree.symbols.names.push_back({.text = std::string(update.attribute)});
    tree.symbols.steps.push_back({.is_index = false, .number = number});
    tree.paths.push_back({.first_step = number, .step_count = 1});
    UpdateAction action{.kind = ActionOf(update), .path = number};
    if (update.value != nullptr) {
      action.operand = static_cast<std::uint32_t>(tree.operands.size());
      tree.operands.push_back({.kind = UpdateOperand::Kind::kValue,
                               .first = static_cast<std::uint32_t>(values.size())});
      values.push_back(update.value);
    }
    tree.actions.push_back(action);
  }
  tree.symbols.values.resize(values.size());
  auto shared = std::make_shared<const UpdateTree>(std::move(tree));
  Bindings bindings = BindLiterally(shared->symbols, values);
  return Update(std::move(shared), std::move(bindings));
}

Result<void> CheckConditionalOperator(std::size_t conditions) {
  if (conditions == 0) {
    return Invalid("ConditionalOperator cannot be used without Filter or Expected");
  }
  if (conditions == 1) {
    return Invalid(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return {};
}

Result<void> CheckNoMixture(std::span<const Parameter> non_expression,
                            std::span<const Parameter> expression) {
  if (std::ranges::none_of(non_expression, &Parameter::present) ||
      std::ranges::none_of(expression, &Parameter::present)) {
    return {};
  }
  return Invalid(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {" +
      NamesOf(non_expression) + "} Expression parameters: {" + NamesOf(expression) + '}');
}

}  // namespace stator::expression
