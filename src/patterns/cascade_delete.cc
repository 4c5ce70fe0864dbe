#include "stator/patterns/cascade_delete.h"

#include <utility>
#include <variant>

#include "stator/api/database.h"
#include "stator/patterns/live_items.h"
#include "stator/patterns/requests.h"

namespace stator::patterns {

namespace {

std::vector<TableKeys> KeysIn(const std::vector<TableWrites>& writes) {
  std::vector<TableKeys> keys;
  for (const TableWrites& table : writes) {
    keys.push_back({.table = table.table, .keys = {}});
    for (const WriteRequest& write : table.writes) {
      keys.back().keys.push_back(std::get<DeleteRequest>(write).key);
    }
  }
  return keys;
}

}  // namespace

CascadeDeleteOutcome CascadeDelete(Database& database, CascadeDeleteInput input,
                                   const Environment& environment) {
  std::vector<TableWrites> writes;
  for (TableKeys& children : input.children) {
    writes.push_back({.table = std::move(children.table), .writes = {}});
    for (Item& key : children.keys) {
      writes.back().writes.emplace_back(DeleteRequest{std::move(key)});
    }
  }
  // The whole is to go, revisions included; whoever changes a child meanwhile loses it either way.
  input.batch.allow_versioned = true;
  input.batch.duplicates = Duplicates::kLastWins;
  BatchWriteOutcome removed =
      BatchWriter(database, input.batch, environment).Write(std::move(writes));
  CascadeDeleteOutcome outcome{.children_removed = removed.written,
                               .remaining = KeysIn(removed.remaining),
                               .error = std::move(removed.error)};
  if (!outcome.remaining.empty() || outcome.error) {
    return outcome;
  }
  const DeleteItemInput sentinel =
      MakeDelete(input.sentinel_table.table_name, input.sentinel, input.sentinel_condition);
  const Result<DeleteItemOutput> done =
      RetryTransient(input.batch.retry, environment, [&] { return database.DeleteItem(sentinel); });
  outcome.sentinel_removed = done.has_value();
  if (!done) {
    outcome.error = done.error();
  }
  return outcome;
}

Result<TableKeys> KeysOfPartition(Database& database, const AccessPattern& pattern,
                                  const AttributeValue& partition, const Item& without,
                                  const Environment& environment) {
  TableKeys keys{.table = pattern.table, .keys = {}};
  const Result<void> done = LiveItems(database, {}, environment)
                                .ForEach(pattern,
                                         {.partition = partition,
                                          .attributes = pattern.table.key_attributes,
                                          .include_expired = true},
                                         [&](const Item& item) {
                                           Result<Item> key = KeyOf(pattern.table, item);
                                           if (key && *key != without) {
                                             keys.keys.push_back(*std::move(key));
                                           }
                                           return true;
                                         });
  if (!done) {
    return std::unexpected(done.error());
  }
  return keys;
}

}  // namespace stator::patterns
