#include "stator/stores/tasks/task_table.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/provision/ensure_table.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

using provision::Drift;
using provision::EnsureMode;
using provision::EnsureReport;
using provision::TableDifference;
using provision::TableSpec;

std::string Text(std::string_view text) {
  return std::string(text);
}

std::vector<KeySchemaElement> Keys(std::string_view hash, std::string_view range) {
  return {{.attribute_name = Text(hash), .key_type = KeyType::kHash},
          {.attribute_name = Text(range), .key_type = KeyType::kRange}};
}

LocalSecondaryIndex LocalIndex(std::string_view name, std::string_view range,
                               const std::vector<std::string_view>& included) {
  return {.index_name = Text(name),
          .key_schema = Keys(kPartitionKey, range),
          .projection = {
              .projection_type = ProjectionType::kInclude,
              .non_key_attributes = std::vector<std::string>(included.begin(), included.end())}};
}

// Tasks live for hours, so nothing is asked for that protects years of data.
TableSpec SpecOf(std::string_view table) {
  TableSpec spec{.name = Text(table),
                 .keys = Keys(kPartitionKey, kSortKey),
                 .attributes = {},
                 .ttl_attribute = Text(kExpiresAt),
                 .recovery = {.enabled = false},
                 .deletion_protection = false};
  for (const std::string_view name :
       {kPartitionKey, kSortKey, kCreatedKey, kTaskId, kActiveKey, kLeaseGroup}) {
    provision::DefineAttribute(spec, name, ScalarAttributeType::kString);
  }
  provision::DefineAttribute(spec, kLeaseUntil, ScalarAttributeType::kNumber);
  spec.local_indexes = {LocalIndex(kByCreated, kCreatedKey, {kVersion, kHead, kStatus, kExpiresAt}),
                        LocalIndex(kByTask, kTaskId, {kVersion, kHead, kCreatedKey}),
                        LocalIndex(kByActive, kActiveKey, {kExpiresAt})};
  spec.global_indexes = {{.index_name = Text(kByLease),
                          .key_schema = Keys(kLeaseGroup, kLeaseUntil),
                          .projection = {.projection_type = ProjectionType::kKeysOnly}}};
  return spec;
}

// The table without its indexes: a table of others may lack them, and is not
// given them unasked.
TableSpec BareSpecOf(std::string_view table) {
  TableSpec spec = SpecOf(table);
  spec.local_indexes.clear();
  spec.global_indexes.clear();
  spec.attributes.resize(spec.keys.size());
  return spec;
}

bool Has(const EnsureReport& report, Drift kind) {
  return std::ranges::find(report.differences, kind, &TableDifference::kind) !=
         report.differences.end();
}

}  // namespace

std::vector<TableSpec> TaskStore::Tables(const TaskStoreOptions& options) {
  return {SpecOf(options.table)};
}

CreateTableInput TaskTableDefinition(std::string_view table) {
  return provision::MakeCreateTableInput(SpecOf(table));
}

Result<bool> CreateTaskTable(Database& database, std::string_view table, Clock& clock) {
  const EnsureReport made =
      TRY(provision::EnsureTable(database, SpecOf(table), EnsureMode::kCreate, {.clock = &clock}));
  if (Has(made, Drift::kKeys)) {
    return Fail(ErrorCode::kResourceInUse,
                "the table " + Text(table) + " exists and its keys are not PK and SK");
  }
  if (made.created || !Has(made, Drift::kTimeToLive)) {
    return made.created;
  }
  const EnsureReport applied = TRY(provision::EnsureTable(
      database, BareSpecOf(table), EnsureMode::kApplySafe, {.clock = &clock}));
  return !applied.applied.empty();
}

Result<bool> FollowTaskTable(Database& database, std::string_view table, Clock& clock) {
  constexpr Duration kPatience = std::chrono::minutes(5);
  constexpr Duration kLook = std::chrono::milliseconds(200);
  const auto describe = [&] { return database.DescribeTable({.table_name = Text(table)}); };
  const auto has_stream = [](const TableDescription& described) {
    return described.stream_specification && described.stream_specification->stream_enabled;
  };
  if (has_stream(TRY(describe()).table)) {
    return false;
  }
  const auto updated = database.UpdateTable(
      {.table_name = Text(table),
       .stream_specification = StreamSpecification{.stream_enabled = true,
                                                   .stream_view_type = StreamViewType::kKeysOnly}});
  // Somebody else may do it at the same moment, and then it is there or in use.
  if (!updated && updated.error().code != ErrorCode::kResourceInUse &&
      updated.error().code != ErrorCode::kValidation) {
    return std::unexpected(updated.error());
  }
  for (const Duration begun = clock.Elapsed(); clock.Elapsed() - begun < kPatience;) {
    const TableDescription now = TRY(describe()).table;
    if (has_stream(now) && now.table_status == TableStatus::kActive) {
      return updated.has_value();
    }
    clock.SleepFor(kLook);
  }
  return Fail(ErrorCode::kTimeout, "the stream of table " + Text(table) + " is not there yet");
}

std::vector<provision::TableAccess> AccessOf(const TaskStoreOptions& options,
                                             std::string_view region, std::string_view account) {
  return {{.table_arn = provision::TableArn(options.table, region, account),
           .actions = {"DeleteItem", "DescribeTable", "GetItem", "PutItem", "Query", "UpdateItem"},
           .queried_indexes = {Text(kByActive), Text(kByCreated), Text(kByLease), Text(kByTask)},
           .reads_stream = true}};
}

}  // namespace stator::tasks
