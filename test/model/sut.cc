#include "model/sut.h"

#include <utility>

#include "base/check.h"
#include "value/dynamodb_json.h"

namespace stator::model {
namespace {

Projection ProjectionOf(const Index& index) {
  return {.projection_type = index.keys_only ? ProjectionType::kKeysOnly : ProjectionType::kAll};
}

CreateTableInput Pairs(const Table& table) {
  CreateTableInput input{
      .table_name = table.name,
      .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                {"sk", ScalarAttributeType::kNumber},
                                {"l", ScalarAttributeType::kNumber},
                                {"g", ScalarAttributeType::kString},
                                {"h", ScalarAttributeType::kNumber}},
      .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
      .billing_mode = BillingMode::kPayPerRequest,
      .local_secondary_indexes = std::vector<LocalSecondaryIndex>(),
      .global_secondary_indexes = std::vector<GlobalSecondaryIndex>(),
      .stream_specification = StreamSpecification{
          .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages}};
  for (const Index& index : table.indexes) {
    std::vector<KeySchemaElement> schema = {{index.partition, KeyType::kHash}};
    if (index.sort) {
      schema.push_back({*index.sort, KeyType::kRange});
    }
    if (!index.there) {
      continue;
    }
    if (index.partition == "pk") {
      input.local_secondary_indexes->push_back(
          {.index_name = index.name, .key_schema = schema, .projection = ProjectionOf(index)});
    } else {
      input.global_secondary_indexes->push_back(
          {.index_name = index.name, .key_schema = schema, .projection = ProjectionOf(index)});
    }
  }
  return input;
}

void Create(Database& database, const CreateTableInput& input) {
  const auto created = database.CreateTable(input);
  CHECK_THAT(created.has_value(), created.error().message);
}

}  // namespace

std::unique_ptr<engine::Engine> OpenEmpty() {
  engine::EngineOptions options;
  options.store.in_memory = true;
  options.housekeeping_interval = {};
  auto opened = engine::Engine::Open(options);
  CHECK_THAT(opened.has_value(), opened.error().message);
  const Model model;
  Create(**opened, Pairs(model.tables[0]));
  Create(**opened,
         {.table_name = "singles",
          .attribute_definitions = {{"id", ScalarAttributeType::kString}},
          .key_schema = {{"id", KeyType::kHash}},
          .billing_mode = BillingMode::kPayPerRequest,
          .stream_specification = StreamSpecification{
              .stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages}});
  return *std::move(opened);
}

Item KeyItem(const Table& table, const Key& key) {
  return ToItem(table.KeyAttributes(key));
}

std::string ShowItems(const std::vector<Item>& items) {
  std::string shown = "[";
  for (const Item& item : items) {
    shown += (shown.size() > 1 ? ", " : "") + value::ToDynamoDbJson(item);
  }
  return shown + "]";
}

}  // namespace stator::model
