#include "partiql/bind.h"

#include <array>
#include <memory>
#include <utility>

#include "base/try.h"
#include "partiql/translator.h"
#include "value/check_value.h"

namespace stator::partiql {

using expression::ConditionNode;
using expression::ConditionTree;

namespace {

bool IsSet(AttributeValue::Type type) {
  return type == AttributeValue::Type::kStringSet || type == AttributeValue::Type::kNumberSet ||
         type == AttributeValue::Type::kBinarySet;
}

// Adds attribute_not_exists(name) as the last node.
void AddAbsence(std::string_view name, ConditionTree& tree) {
  const std::vector<PathElement> path = {
      {.is_index = false, .index = 0, .name = std::string(name)}};
  tree.paths.push_back(AddPath(path, tree.symbols));
  tree.nodes.push_back({.kind = ConditionNode::Kind::kPath,
                        .first = static_cast<std::uint32_t>(tree.paths.size() - 1),
                        .count = 0});
  tree.operands.push_back(static_cast<std::uint32_t>(tree.nodes.size() - 1));
  tree.nodes.push_back({.kind = ConditionNode::Kind::kAttributeNotExists,
                        .first = static_cast<std::uint32_t>(tree.operands.size() - 1),
                        .count = 1});
}

}  // namespace

Result<void> CheckParameters(const Statement& statement, const std::optional<Parameters>& given) {
  if (statement.parameters > (given ? given->size() : 0)) {
    return Invalid("Number of parameters in request and statement don't match.");
  }
  if (given) {
    for (const AttributeValue& value : *given) {
      TRY_VOID(value::CheckValue(value));
    }
  }
  return {};
}

expression::Bindings BoundStatement::BindingsOf(const expression::Symbols& symbols,
                                                std::span<const ValueSlot> slots) const {
  expression::Bindings bindings(symbols);
  for (std::size_t i = 0; i < symbols.names.size(); ++i) {
    bindings.names[i] = symbols.names[i].text;
  }
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bindings.values[i] = &ValueOf(slots[i]);
  }
  return bindings;
}

Result<expression::Condition> BoundStatement::Bind(const Where& where) const {
  return expression::Condition::Bind(expression::ExpressionKind::kStatement, where.tree,
                                     BindingsOf(where.tree->symbols, where.values));
}

Result<std::optional<expression::Condition>> BoundStatement::Bind(
    const std::optional<Where>& where) const {
  if (!where) {
    return std::nullopt;
  }
  return TRY(Bind(*where));
}

Result<expression::Condition> BoundStatement::BindOrAbsent(const Where& where,
                                                           std::string_view partition) const {
  auto tree = std::make_shared<ConditionTree>(*where.tree);
  const std::uint32_t condition = tree->root();
  AddAbsence(partition, *tree);
  const std::uint32_t absence = tree->root();
  const auto first = static_cast<std::uint32_t>(tree->operands.size());
  tree->operands.insert(tree->operands.end(), {absence, condition});
  tree->nodes.push_back({.kind = ConditionNode::Kind::kOr, .first = first, .count = 2});
  expression::Bindings bindings = BindingsOf(tree->symbols, where.values);
  return expression::Condition(std::move(tree), std::move(bindings));
}

Result<expression::Update> BoundStatement::Bind(const Update& update) const {
  for (const SetArgument& set : update.sets) {
    if (!IsSet(ValueOf(set.value).type())) {
      return Invalid(set.refusal);
    }
  }
  return expression::Update::Bind(update.tree, BindingsOf(update.tree->symbols, update.values));
}

Item BoundStatement::ItemOf(const Insert& insert) const {
  Item item;
  for (const auto& [name, slot] : insert.item) {
    item.Set(name, ValueOf(slot));
  }
  return item;
}

expression::Condition IsFree(std::string_view partition) {
  auto tree = std::make_shared<ConditionTree>();
  AddAbsence(partition, *tree);
  expression::Bindings bindings = expression::BindLiterally(tree->symbols, {});
  return {std::move(tree), std::move(bindings)};
}

}  // namespace stator::partiql
