#include "patterns/patterns_test.h"

namespace stator::patterns {

namespace {

CreateTableInput MakeTable(const TableLayout& layout) {
  CreateTableInput input{.table_name = layout.table_name,
                         .attribute_definitions = {},
                         .key_schema = {},
                         .billing_mode = BillingMode::kPayPerRequest};
  for (const std::string& name : layout.key_attributes) {
    input.attribute_definitions.push_back({name, ScalarAttributeType::kString});
    input.key_schema.push_back({name, input.key_schema.empty() ? KeyType::kHash : KeyType::kRange});
  }
  return input;
}

}  // namespace

PatternsTest::PatternsTest()
    : home_(homes::ThisHome().make()),
      faulty_(std::make_unique<support::FaultyDatabase>(home_->database(), support::FaultRates(), 1,
                                                        &clock_)) {
  for (const TableLayout& layout : {kThings, kParts}) {
    Must(db().CreateTable(MakeTable(layout)));
  }
  home_->Settle();
}

void PatternsTest::Put(const TableLayout& table, const Item& item) {
  Must(db().PutItem({.table_name = table.table_name, .item = item}));
}

std::optional<Item> PatternsTest::Get(const TableLayout& table, const Item& key) {
  return Must(db().GetItem({.table_name = table.table_name, .key = key, .consistent_read = true}))
      .item;
}

void PatternsTest::Remove(const TableLayout& table, const Item& key) {
  Must(db().DeleteItem({.table_name = table.table_name, .key = key}));
}

std::vector<Item> PatternsTest::All(const TableLayout& table) {
  std::vector<Item> items;
  ScanInput input{.table_name = table.table_name};
  input.consistent_read = true;
  do {
    ScanOutput page = Must(db().Scan(input));
    items.insert(items.end(), page.items->begin(), page.items->end());
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  return items;
}

}  // namespace stator::patterns
