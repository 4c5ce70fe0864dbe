#include "partiql/bind.h"

#include <utility>

#include "base/try.h"
#include "partiql/translator.h"
#include "value/check_value.h"

namespace stator::partiql {

namespace {

bool IsSet(AttributeValue::Type type) {
  return type == AttributeValue::Type::kStringSet || type == AttributeValue::Type::kNumberSet ||
         type == AttributeValue::Type::kBinarySet;
}

}  // namespace

Result<void> CheckParameters(const Statement& statement, const std::optional<Parameters>& given) {
  if (statement.parameters > (given ? given->size() : 0)) {
    return Invalid("Number of parameters in request and statement don't match.");
  }
  return CheckParameterValues(given);
}

Result<void> CheckParameterValues(const std::optional<Parameters>& given) {
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

}  // namespace stator::partiql
