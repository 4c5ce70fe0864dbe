#include "wire/leading_keys.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/substitutions.h"
#include "partiql/bind.h"
#include "partiql/plan.h"
#include "partiql/table_keys.h"

namespace stator::wire {
namespace {

void AppendText(const AttributeValue* value, LeadingKeys::Texts& texts) {
  if (value == nullptr) {
    return;
  }
  if (const auto* text = value->If<std::string>()) {
    texts.push_back(*text);
  } else if (const auto* number = value->If<Number>()) {
    texts.push_back(number->ToString());
  } else if (const auto* bytes = value->If<Binary>()) {
    texts.push_back(base::EncodeBase64(bytes->bytes));
  }
}

LeadingKeys::Texts PartitionAttributes(const std::vector<KeySchemaElement>& keys) {
  LeadingKeys::Texts names;
  for (const KeySchemaElement& key : keys) {
    if (key.key_type == KeyType::kHash) {
      names.push_back(key.attribute_name);
    }
  }
  return names;
}

StatementKeys KeysOfSelect(const partiql::Select& select, const expression::Condition* where,
                           const partiql::TableKeys& keys) {
  StatementKeys found{.leading_keys = {}, .full_table_scan = true};
  const Result<partiql::SelectPlan> plan = partiql::PlanSelect(select, where, keys.schema());
  if (plan) {
    found.full_table_scan = plan->is_scan;
    for (const partiql::PartitionPlan& partition : plan->partitions) {
      AppendText(partition.value, found.leading_keys);
    }
  }
  return found;
}

// The condition of a statement that has one.
const std::optional<partiql::Where>& WhereOf(const partiql::Statement& statement) {
  static const std::optional<partiql::Where> kNone;
  if (const auto* update = statement.If<partiql::Update>()) {
    return update->where;
  }
  if (const auto* deletion = statement.If<partiql::Delete>()) {
    return deletion->where;
  }
  if (const auto* exists = statement.If<partiql::Exists>()) {
    return exists->select.where;
  }
  const auto* select = statement.If<partiql::Select>();
  return select != nullptr ? select->where : kNone;
}

}  // namespace

Result<const TableDescription*> LeadingKeys::Describe(const std::string& table) {
  auto known = tables_.find(table);
  if (known == tables_.end()) {
    Result<DescribeTableOutput> described = database_->DescribeTable({.table_name = table});
    if (!described && described.error().code == ErrorCode::kTableNotFound) {
      return nullptr;
    }
    if (!described) {
      return std::unexpected(described.error());
    }
    known = tables_.emplace(table, std::move(described->table)).first;
  }
  return &known->second;
}

Result<LeadingKeys::Texts> LeadingKeys::AttributesOf(const std::string& table,
                                                     const std::optional<std::string>& index) {
  const TableDescription* description = TRY(Describe(table));
  const std::vector<KeySchemaElement>* keys =
      description != nullptr ? partiql::TableKeys::Find(*description, index) : nullptr;
  return keys == nullptr ? Texts() : PartitionAttributes(*keys);
}

Result<LeadingKeys::Texts> LeadingKeys::OfItem(const std::string& table, const Item& item) {
  Texts texts;
  for (const std::string& attribute : TRY(AttributesOf(table, std::nullopt))) {
    AppendText(item.Find(attribute), texts);
  }
  return texts;
}

Result<LeadingKeys::Texts> LeadingKeys::OfQuery(const QueryInput& input) {
  const Texts attributes = TRY(AttributesOf(input.table_name, input.index_name));
  Texts texts;
  const auto is_partition = [&](std::string_view name) {
    return std::ranges::find(attributes, name) != attributes.end();
  };
  if (!input.key_condition_expression) {
    for (const auto& [name, condition] : input.key_conditions.value_or(Conditions())) {
      if (is_partition(name) && condition.attribute_value_list) {
        for (const AttributeValue& value : *condition.attribute_value_list) {
          AppendText(&value, texts);
        }
      }
    }
    return texts;
  }
  expression::Substitutions substitutions(
      input.expression_attribute_names ? &*input.expression_attribute_names : nullptr,
      input.expression_attribute_values ? &*input.expression_attribute_values : nullptr);
  TRY_VOID(substitutions.CheckParameters());
  expression::ExpressionCache parser(1);
  const expression::Condition condition = TRY(parser.BindCondition(
      expression::ExpressionKind::kKeyCondition, *input.key_condition_expression, substitutions));
  for (const expression::KeyComparison& comparison : TRY(expression::CompareKeys(condition))) {
    if (is_partition(comparison.attribute)) {
      AppendText(comparison.value, texts);
    }
  }
  return texts;
}

Result<StatementKeys> LeadingKeys::OfStatement(
    const partiql::Statement& statement,
    const std::optional<std::vector<AttributeValue>>& parameters) {
  const TableDescription* description = TRY(Describe(statement.table()));
  const auto* select = statement.If<partiql::Select>();
  const auto* keys = description == nullptr
                         ? nullptr
                         : partiql::TableKeys::Find(
                               *description, select != nullptr ? select->index : std::nullopt);
  if (keys == nullptr || !partiql::CheckParameters(statement, parameters)) {
    return StatementKeys();
  }
  const partiql::BoundStatement bound(statement, parameters);
  if (const auto* insert = statement.If<partiql::Insert>()) {
    return StatementKeys{.leading_keys = TRY(OfItem(statement.table(), bound.ItemOf(*insert))),
                         .full_table_scan = std::nullopt};
  }
  const auto where = bound.Bind(WhereOf(statement));
  if (!where) {
    return StatementKeys();
  }
  const expression::Condition* const condition = *where ? &**where : nullptr;
  const partiql::TableKeys schema(*description, *keys);
  if (!schema.is_plannable()) {
    return StatementKeys();
  }
  if (select != nullptr) {
    return KeysOfSelect(*select, condition, schema);
  }
  const auto item = partiql::FindKey(condition, schema.schema());
  if (!item) {
    return StatementKeys();
  }
  return StatementKeys{.leading_keys = TRY(OfItem(statement.table(), item->key)),
                       .full_table_scan = std::nullopt};
}

}  // namespace stator::wire
