#include "partiql/table_keys.h"

#include <algorithm>

namespace stator::partiql {
namespace {

template <class Index>
const std::vector<KeySchemaElement>* KeysOfIndex(const std::optional<std::vector<Index>>& indexes,
                                                 const std::string& name) {
  if (!indexes) {
    return nullptr;
  }
  const auto found = std::ranges::find(*indexes, name, &Index::index_name);
  return found == indexes->end() ? nullptr : &found->key_schema;
}

AttributeValue::Type TypeOf(const TableDescription& table, const std::string& attribute) {
  if (table.attribute_definitions) {
    const auto found = std::ranges::find(*table.attribute_definitions, attribute,
                                         &AttributeDefinition::attribute_name);
    if (found != table.attribute_definitions->end()) {
      switch (found->attribute_type) {
        case ScalarAttributeType::kString:
          break;
        case ScalarAttributeType::kNumber:
          return AttributeValue::Type::kNumber;
        case ScalarAttributeType::kBinary:
          return AttributeValue::Type::kBinary;
      }
    }
  }
  return AttributeValue::Type::kString;
}

}  // namespace

const std::vector<KeySchemaElement>* TableKeys::Find(const TableDescription& table,
                                                     const std::optional<std::string>& index) {
  if (!index) {
    return table.key_schema ? &*table.key_schema : nullptr;
  }
  const auto* keys = KeysOfIndex(table.global_secondary_indexes, *index);
  return keys == nullptr ? KeysOfIndex(table.local_secondary_indexes, *index) : keys;
}

TableKeys::TableKeys(const TableDescription& table, const std::vector<KeySchemaElement>& keys) {
  for (const KeySchemaElement& key : keys) {
    (key.key_type == KeyType::kHash ? partition_ : sort_)
        .push_back({.name = key.attribute_name, .type = TypeOf(table, key.attribute_name)});
  }
}

}  // namespace stator::partiql
