#include "wire/leading_keys.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/substitutions.h"

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

template <class Index>
const std::vector<KeySchemaElement>* KeysOfIndex(const std::optional<std::vector<Index>>& indexes,
                                                 const std::string& name) {
  if (!indexes) {
    return nullptr;
  }
  const auto found = std::find_if(indexes->begin(), indexes->end(),
                                  [&](const Index& index) { return index.index_name == name; });
  return found == indexes->end() ? nullptr : &found->key_schema;
}

}  // namespace

Result<LeadingKeys::Texts> LeadingKeys::AttributesOf(const std::string& table,
                                                     const std::optional<std::string>& index) {
  auto known = tables_.find(table);
  if (known == tables_.end()) {
    Result<DescribeTableOutput> described = database_->DescribeTable({.table_name = table});
    if (!described && described.error().code == ErrorCode::kTableNotFound) {
      return Texts();
    }
    if (!described) {
      return std::unexpected(described.error());
    }
    known = tables_.emplace(table, std::move(described->table)).first;
  }
  const TableDescription& description = known->second;
  const std::vector<KeySchemaElement>* keys =
      description.key_schema ? &*description.key_schema : nullptr;
  if (index) {
    keys = KeysOfIndex(description.global_secondary_indexes, *index);
    keys = keys == nullptr ? KeysOfIndex(description.local_secondary_indexes, *index) : keys;
  }
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

}  // namespace stator::wire
