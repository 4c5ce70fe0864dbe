#include "stator/stores/events/tables.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/provision/ensure_table.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {
namespace {

using provision::Drift;
using provision::TableDifference;
using provision::TableSpec;

constexpr Duration kPollInterval = std::chrono::milliseconds(200);

std::vector<KeySchemaElement> MakeKeys(const char* hash, const char* range) {
  return {{hash, KeyType::kHash}, {range, KeyType::kRange}};
}

TableSpec MakeTable(const std::string& name) {
  return {
      .name = name,
      .keys = MakeKeys("pk", "sk"),
      .attributes = {{"pk", ScalarAttributeType::kString}, {"sk", ScalarAttributeType::kString}}};
}

void AddIndex(TableSpec& table, const char* hash, const char* range) {
  provision::DefineAttribute(table, hash, ScalarAttributeType::kString);
  provision::DefineAttribute(table, range, ScalarAttributeType::kString);
  table.global_indexes = {{.index_name = kIndexName,
                           .key_schema = MakeKeys(hash, range),
                           .projection = {.projection_type = ProjectionType::kAll}}};
}

// Differences in anything else are for the owner of the table to judge.
bool IsUnusable(const TableDifference& difference) {
  switch (difference.kind) {
    case Drift::kKeys:
    case Drift::kAttributeType:
    case Drift::kMissingGlobalIndex:
    case Drift::kIndexKeys:
    case Drift::kIndexProjection:
      return true;
    default:
      return false;
  }
}

Result<void> CheckSchema(const TableSpec& wanted, const TableDescription& table) {
  for (const TableDifference& difference : provision::CompareTable(wanted, table)) {
    if (IsUnusable(difference)) {
      return Invalid("table " + wanted.name +
                     " is none of an event store: " + provision::ToText(difference));
    }
  }
  return {};
}

const GlobalSecondaryIndexDescription* FindIndex(const TableDescription& table) {
  if (!table.global_secondary_indexes) {
    return nullptr;
  }
  const auto found =
      std::find_if(table.global_secondary_indexes->begin(), table.global_secondary_indexes->end(),
                   [](const auto& index) { return index.index_name == kIndexName; });
  return found == table.global_secondary_indexes->end() ? nullptr : &*found;
}

bool IsActive(const TableDescription& table) {
  const GlobalSecondaryIndexDescription* index = FindIndex(table);
  const bool table_active =
      table.table_status == TableStatus::kActive || table.table_status == TableStatus::kUpdating;
  return table_active && (index == nullptr || index->index_status == IndexStatus::kActive ||
                          index->index_status == IndexStatus::kUpdating);
}

Result<void> CheckTable(Database& database, const TableSpec& wanted,
                        patterns::Environment environment, Duration patience) {
  const Duration started = environment.clock->Elapsed();
  while (true) {
    const DescribeTableOutput output = TRY(database.DescribeTable({.table_name = wanted.name}));
    if (output.table.table_status == TableStatus::kDeleting) {
      return Fail(ErrorCode::kResourceInUse, "table " + wanted.name + " is being deleted");
    }
    TRY_VOID(CheckSchema(wanted, output.table));
    if (IsActive(output.table)) {
      return {};
    }
    if (environment.clock->Elapsed() - started >= patience) {
      return Fail(ErrorCode::kTimeout, "table " + wanted.name + " did not become active");
    }
    environment.clock->SleepFor(kPollInterval);
  }
}

// Of a table that was made without one.
Result<void> AddStream(Database& database, const TableSpec& wanted, const TableDescription& table) {
  const bool has_one = table.stream_specification && table.stream_specification->stream_enabled;
  if (!wanted.stream || has_one || table.table_status != TableStatus::kActive) {
    return {};
  }
  const auto updated =
      database.UpdateTable({.table_name = wanted.name,
                            .stream_specification = StreamSpecification{
                                .stream_enabled = true, .stream_view_type = wanted.stream}});
  // Somebody else may do it at the same moment, and then it is there or in use.
  if (!updated && updated.error().code != ErrorCode::kResourceInUse &&
      updated.error().code != ErrorCode::kValidation) {
    return std::unexpected(updated.error());
  }
  return {};
}

Result<void> MakeIfMissing(Database& database, const TableSpec& wanted) {
  const auto described = database.DescribeTable({.table_name = wanted.name});
  if (described) {
    return AddStream(database, wanted, described->table);
  }
  if (described.error().code != ErrorCode::kTableNotFound &&
      described.error().code != ErrorCode::kResourceNotFound) {
    return std::unexpected(described.error());
  }
  TableSpec plain = wanted;
  plain.deletion_protection = false;
  const auto created = database.CreateTable(provision::MakeCreateTableInput(plain));
  // Somebody else may make it at the same moment.
  if (!created && created.error().code != ErrorCode::kResourceInUse) {
    return std::unexpected(created.error());
  }
  return {};
}

}  // namespace

std::vector<TableSpec> EventStore::Tables(const EventStoreOptions& options) {
  TableSpec events = MakeTable(options.events_table_name);
  AddIndex(events, "gsi1pk", "sortableUniqueId");
  if (options.stream_events) {
    events.stream = StreamViewType::kKeysOnly;
  }
  TableSpec tags = MakeTable(options.tags_table_name);
  AddIndex(tags, "tagGroup", "tagString");
  if (options.view_ttl) {
    events.ttl_attribute = "ttl";
    tags.ttl_attribute = "ttl";
  }
  return {std::move(events), std::move(tags), MakeTable(options.projection_states_table_name)};
}

Result<void> CreateTables(Database& database, const EventStoreOptions& options,
                          patterns::Environment environment, Duration patience) {
  for (const TableSpec& table : EventStore::Tables(options)) {
    TRY_VOID(MakeIfMissing(database, table));
  }
  return CheckTables(database, options, environment, patience);
}

Result<void> CheckTables(Database& database, const EventStoreOptions& options,
                         patterns::Environment environment, Duration patience) {
  for (const TableSpec& table : EventStore::Tables(options)) {
    TRY_VOID(CheckTable(database, table, environment, patience));
  }
  return {};
}

std::vector<provision::TableAccess> AccessOf(const EventStoreOptions& options,
                                             std::string_view region, std::string_view account) {
  const auto access = [&](const std::string& table, std::set<std::string> actions) {
    actions.insert("DescribeTable");
    if (options.auto_create_tables && !options.read_only) {
      actions.insert("CreateTable");
    }
    return provision::TableAccess{.table_arn = provision::TableArn(table, region, account),
                                  .actions = std::move(actions)};
  };
  provision::TableAccess events =
      access(options.events_table_name, {"GetItem", "BatchGetItem", "Query"});
  provision::TableAccess tags = access(options.tags_table_name, {"BatchGetItem", "Query"});
  provision::TableAccess states =
      access(options.projection_states_table_name, {"GetItem", "Query"});
  events.queried_indexes = {kIndexName};
  events.reads_stream = options.stream_events;
  if (options.read_only) {
    // What the index tells of our own tables has to be looked for in those of others.
    tags.actions.insert("Scan");
    tags.queried_indexes = {kIndexName};
  } else {
    events.actions.insert({"PutItem", "UpdateItem", "BatchWriteItem"});
    tags.actions.insert("BatchWriteItem");
    states.actions.insert({"PutItem", "UpdateItem", "DeleteItem"});
  }
  if (options.auto_create_tables && !options.read_only && options.stream_events) {
    events.actions.insert("UpdateTable");
  }
  return {std::move(events), std::move(tags), std::move(states)};
}

}  // namespace stator::events
