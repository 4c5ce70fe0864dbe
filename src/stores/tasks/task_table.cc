#include "stator/stores/tasks/task_table.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
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

std::vector<provision::TableAccess> AccessOf(const TaskStoreOptions& options,
                                             std::string_view region, std::string_view account) {
  return {{.table_arn = provision::TableArn(options.table, region, account),
           .actions = {"DeleteItem", "DescribeTable", "GetItem", "PutItem", "Query", "UpdateItem"},
           .queried_indexes = {Text(kByActive), Text(kByCreated), Text(kByLease), Text(kByTask)}}};
}

}  // namespace stator::tasks
