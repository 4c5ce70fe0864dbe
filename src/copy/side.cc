#include "copy/side.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"

namespace stator::copy {

Result<Side> LookAt(Database& database, const std::string& table_name) {
  DescribeTableOutput found = TRY(patterns::RetryTransient(
      {}, {}, [&] { return database.DescribeTable({.table_name = table_name}); }));
  if (found.table.table_status != TableStatus::kActive &&
      found.table.table_status != TableStatus::kUpdating) {
    return Fail(ErrorCode::kUnavailable, "table " + table_name + " is being made or deleted");
  }
  const DescribeTimeToLiveOutput ttl = TRY(patterns::RetryTransient(
      {}, {}, [&] { return database.DescribeTimeToLive({.table_name = table_name}); }));
  Side side{.database = &database, .table = std::move(found.table), .layout = {}};
  side.layout.table_name = table_name;
  for (const KeySchemaElement& key : *side.table.key_schema) {
    side.layout.key_attributes.push_back(key.attribute_name);
  }
  if (ttl.time_to_live_status == TimeToLiveStatus::kEnabled ||
      ttl.time_to_live_status == TimeToLiveStatus::kEnabling) {
    side.ttl_attribute = ttl.attribute_name;
  }
  return side;
}

provision::TableSpec SpecOf(const Side& side, const std::string& table_name) {
  provision::TableSpec spec{.name = table_name,
                            .keys = *side.table.key_schema,
                            .attributes = *side.table.attribute_definitions,
                            .ttl_attribute = side.ttl_attribute,
                            .recovery = {.enabled = false},
                            .deletion_protection = side.table.deletion_protection_enabled};
  for (const auto& index : side.table.global_secondary_indexes.value_or(
           std::vector<GlobalSecondaryIndexDescription>())) {
    spec.global_indexes.push_back({.index_name = index.index_name,
                                   .key_schema = index.key_schema,
                                   .projection = index.projection});
  }
  for (const auto& index :
       side.table.local_secondary_indexes.value_or(std::vector<LocalSecondaryIndexDescription>())) {
    spec.local_indexes.push_back({.index_name = index.index_name,
                                  .key_schema = index.key_schema,
                                  .projection = index.projection});
  }
  return spec;
}

Result<Item> KeyOn(const Side& side, const Item& item) {
  return patterns::KeyOf(side.layout, item);
}

bool HaveSameKeys(const Side& one, const Side& other) {
  return one.layout.key_attributes == other.layout.key_attributes;
}

}  // namespace stator::copy
