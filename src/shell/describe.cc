#include "shell/describe.h"

#include <algorithm>
#include <optional>

#include "shell/output.h"

namespace stator::shell {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string_view TypeOf(const TableDescription& table, const std::string& attribute) {
  if (table.attribute_definitions) {
    const auto found = std::ranges::find(*table.attribute_definitions, attribute,
                                         &AttributeDefinition::attribute_name);
    if (found != table.attribute_definitions->end()) {
      switch (found->attribute_type) {
        case ScalarAttributeType::kString:
          return "S";
        case ScalarAttributeType::kNumber:
          return "N";
        case ScalarAttributeType::kBinary:
          return "B";
      }
    }
  }
  return "?";
}

// "pk S, sk N", of one kind.
std::string KeysText(const TableDescription& table, const std::vector<KeySchemaElement>& keys,
                     KeyType kind) {
  std::string text;
  for (const KeySchemaElement& key : keys) {
    if (key.key_type == kind) {
      text += (text.empty() ? "" : ", ") + key.attribute_name + " ";
      text += TypeOf(table, key.attribute_name);
    }
  }
  return text;
}

std::string ProjectionText(const Projection& projection) {
  switch (projection.projection_type.value_or(ProjectionType::kAll)) {
    case ProjectionType::kAll:
      return "everything";
    case ProjectionType::kKeysOnly:
      return "keys";
    case ProjectionType::kInclude:
      break;
  }
  std::string text = "keys";
  if (projection.non_key_attributes) {
    for (const std::string& name : *projection.non_key_attributes) {
      text += ", " + name;
    }
  }
  return text;
}

template <class Index>
void AddIndexes(const TableDescription& table, const std::optional<std::vector<Index>>& indexes,
                const std::string& kind, Rows& rows) {
  if (!indexes) {
    return;
  }
  for (const Index& index : *indexes) {
    rows.push_back({index.index_name, kind, KeysText(table, index.key_schema, KeyType::kHash),
                    KeysText(table, index.key_schema, KeyType::kRange),
                    ProjectionText(index.projection)});
  }
}

}  // namespace

std::string DrawTables(const std::vector<TableDescription>& tables, std::size_t width) {
  Rows rows;
  for (const TableDescription& table : tables) {
    const std::vector<KeySchemaElement> keys =
        table.key_schema.value_or(std::vector<KeySchemaElement>());
    rows.push_back({table.table_name, KeysText(table, keys, KeyType::kHash),
                    KeysText(table, keys, KeyType::kRange), std::to_string(table.item_count),
                    std::to_string(table.table_size_bytes)});
  }
  return DrawTable({"table", "partition key", "sort key", "items", "bytes"}, rows, width);
}

std::string DrawDescription(const TableDescription& table, std::size_t width) {
  std::string text = DrawTables({table}, width);
  Rows rows;
  AddIndexes(table, table.global_secondary_indexes, "global", rows);
  AddIndexes(table, table.local_secondary_indexes, "local", rows);
  if (!rows.empty()) {
    text += '\n';
    text += DrawTable({"index", "kind", "partition key", "sort key", "holds"}, rows, width);
  }
  return text;
}

}  // namespace stator::shell
