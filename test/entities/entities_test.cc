#include "entities/entities_test.h"

#include <algorithm>

namespace stator::entities {

namespace {

std::vector<KeySchemaElement> KeysOf(const KeyDescription& partition_key,
                                     const std::optional<KeyDescription>& sort_key) {
  std::vector<KeySchemaElement> keys = {{partition_key.attribute, KeyType::kHash}};
  if (sort_key) {
    keys.push_back({sort_key->attribute, KeyType::kRange});
  }
  return keys;
}

void Define(const KeyDescription& key, CreateTableInput& input) {
  const AttributeDefinition definition{key.attribute, key.type};
  auto& known = input.attribute_definitions;
  if (std::find(known.begin(), known.end(), definition) == known.end()) {
    known.push_back(definition);
  }
}

}  // namespace

CreateTableInput MakeTable(const EntityDescription& entity) {
  CreateTableInput input{.table_name = entity.name,
                         .attribute_definitions = {},
                         .key_schema = KeysOf(entity.partition_key, entity.sort_key),
                         .billing_mode = BillingMode::kPayPerRequest};
  Define(entity.partition_key, input);
  if (entity.sort_key) {
    Define(*entity.sort_key, input);
  }
  for (const IndexDescription& index : entity.indexes) {
    Define(index.partition_key, input);
    if (index.sort_key) {
      Define(*index.sort_key, input);
    }
    const auto keys = KeysOf(index.partition_key, index.sort_key);
    if (index.local) {
      auto& indexes = input.local_secondary_indexes;
      indexes = std::move(indexes).value_or(std::vector<LocalSecondaryIndex>());
      indexes->push_back(
          {.index_name = index.name, .key_schema = keys, .projection = {index.projection}});
    } else {
      auto& indexes = input.global_secondary_indexes;
      indexes = std::move(indexes).value_or(std::vector<GlobalSecondaryIndex>());
      indexes->push_back(
          {.index_name = index.name, .key_schema = keys, .projection = {index.projection}});
    }
  }
  return input;
}

EntitiesTest::EntitiesTest()
    : home_(homes::ThisHome().make()),
      faulty_(std::make_unique<support::FaultyDatabase>(home_->database(), support::FaultRates(), 1,
                                                        &clock_)) {}

void EntitiesTest::MakeTableOnce(const EntityDescription& entity, const std::string& name) {
  CreateTableInput input = MakeTable(entity);
  if (!name.empty()) {
    input.table_name = name;
  }
  if (std::find(tables_.begin(), tables_.end(), input.table_name) != tables_.end()) {
    return;
  }
  tables_.push_back(input.table_name);
  Must(db().CreateTable(input));
  home_->Settle();
}

void EntitiesTest::Put(const std::string& table, const Item& item) {
  Must(db().PutItem({.table_name = table, .item = item}));
}

std::optional<Item> EntitiesTest::Get(const std::string& table, const Item& key) {
  return Must(db().GetItem({.table_name = table, .key = key, .consistent_read = true})).item;
}

void EntitiesTest::Delete(const std::string& table, const Item& key) {
  Must(db().DeleteItem({.table_name = table, .key = key}));
}

std::vector<Item> EntitiesTest::All(const std::string& table) {
  std::vector<Item> items;
  ScanInput input{.table_name = table};
  input.consistent_read = true;
  do {
    ScanOutput page = Must(db().Scan(input));
    items.insert(items.end(), page.items->begin(), page.items->end());
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  return items;
}

}  // namespace stator::entities
