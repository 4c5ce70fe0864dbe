#include "stator/stores/events/tables.h"

#include <algorithm>

#include "base/try.h"

namespace stator::events {
namespace {

constexpr Duration kPollInterval = std::chrono::milliseconds(200);

std::vector<KeySchemaElement> MakeKeys(const char* hash, const char* range) {
  return {{hash, KeyType::kHash}, {range, KeyType::kRange}};
}

CreateTableInput MakeTable(const std::string& name) {
  return {.table_name = name,
          .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                    {"sk", ScalarAttributeType::kString}},
          .key_schema = MakeKeys("pk", "sk"),
          .billing_mode = BillingMode::kPayPerRequest};
}

void AddIndex(CreateTableInput& table, const char* hash, const char* range) {
  table.attribute_definitions.push_back({hash, ScalarAttributeType::kString});
  table.attribute_definitions.push_back({range, ScalarAttributeType::kString});
  table.global_secondary_indexes = {{.index_name = kIndexName,
                                     .key_schema = MakeKeys(hash, range),
                                     .projection = {.projection_type = ProjectionType::kAll}}};
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

bool SameTypes(const CreateTableInput& wanted, const TableDescription& table) {
  return table.attribute_definitions &&
         std::all_of(wanted.attribute_definitions.begin(), wanted.attribute_definitions.end(),
                     [&](const AttributeDefinition& definition) {
                       return std::find(table.attribute_definitions->begin(),
                                        table.attribute_definitions->end(),
                                        definition) != table.attribute_definitions->end();
                     });
}

Result<void> CheckSchema(const CreateTableInput& wanted, const TableDescription& table) {
  const GlobalSecondaryIndexDescription* index = FindIndex(table);
  if (wanted.global_secondary_indexes && index == nullptr) {
    return Invalid("table " + wanted.table_name + " has no index " + kIndexName);
  }
  if (!table.key_schema || *table.key_schema != wanted.key_schema || !SameTypes(wanted, table)) {
    return Invalid("table " + wanted.table_name + " has other keys than an event store needs");
  }
  if (!wanted.global_secondary_indexes) {
    return {};
  }
  if (index->key_schema != wanted.global_secondary_indexes->front().key_schema ||
      index->projection.projection_type != ProjectionType::kAll) {
    return Invalid("index " + std::string(kIndexName) + " of table " + wanted.table_name +
                   " has other keys or projects less than everything");
  }
  return {};
}

bool IsActive(const TableDescription& table) {
  const GlobalSecondaryIndexDescription* index = FindIndex(table);
  const bool table_active =
      table.table_status == TableStatus::kActive || table.table_status == TableStatus::kUpdating;
  return table_active && (index == nullptr || index->index_status == IndexStatus::kActive ||
                          index->index_status == IndexStatus::kUpdating);
}

Result<void> CheckTable(Database& database, const CreateTableInput& wanted,
                        patterns::Environment environment, Duration patience) {
  const Duration started = environment.clock->Elapsed();
  while (true) {
    const DescribeTableOutput output =
        TRY(database.DescribeTable({.table_name = wanted.table_name}));
    if (output.table.table_status == TableStatus::kDeleting) {
      return Fail(ErrorCode::kResourceInUse, "table " + wanted.table_name + " is being deleted");
    }
    TRY_VOID(CheckSchema(wanted, output.table));
    if (IsActive(output.table)) {
      return {};
    }
    if (environment.clock->Elapsed() - started >= patience) {
      return Fail(ErrorCode::kTimeout, "table " + wanted.table_name + " did not become active");
    }
    environment.clock->SleepFor(kPollInterval);
  }
}

// Of a table that was made without one.
Result<void> AddStream(Database& database, const CreateTableInput& wanted,
                       const TableDescription& table) {
  const bool has_one = table.stream_specification && table.stream_specification->stream_enabled;
  if (!wanted.stream_specification || has_one || table.table_status != TableStatus::kActive) {
    return {};
  }
  const auto updated = database.UpdateTable(
      {.table_name = wanted.table_name, .stream_specification = wanted.stream_specification});
  // Somebody else may do it at the same moment, and then it is there or in use.
  if (!updated && updated.error().code != ErrorCode::kResourceInUse &&
      updated.error().code != ErrorCode::kValidation) {
    return std::unexpected(updated.error());
  }
  return {};
}

Result<void> MakeIfMissing(Database& database, const CreateTableInput& wanted) {
  const auto described = database.DescribeTable({.table_name = wanted.table_name});
  if (described) {
    return AddStream(database, wanted, described->table);
  }
  if (described.error().code != ErrorCode::kTableNotFound &&
      described.error().code != ErrorCode::kResourceNotFound) {
    return std::unexpected(described.error());
  }
  const auto created = database.CreateTable(wanted);
  // Somebody else may make it at the same moment.
  if (!created && created.error().code != ErrorCode::kResourceInUse) {
    return std::unexpected(created.error());
  }
  return {};
}

}  // namespace

std::vector<CreateTableInput> MakeTableDefinitions(const EventStoreOptions& options) {
  CreateTableInput events = MakeTable(options.events_table_name);
  AddIndex(events, "gsi1pk", "sortableUniqueId");
  if (options.stream_events) {
    events.stream_specification =
        StreamSpecification{.stream_enabled = true, .stream_view_type = StreamViewType::kKeysOnly};
  }
  CreateTableInput tags = MakeTable(options.tags_table_name);
  AddIndex(tags, "tagGroup", "tagString");
  return {std::move(events), std::move(tags), MakeTable(options.projection_states_table_name)};
}

Result<void> CreateTables(Database& database, const EventStoreOptions& options,
                          patterns::Environment environment, Duration patience) {
  for (const CreateTableInput& table : MakeTableDefinitions(options)) {
    TRY_VOID(MakeIfMissing(database, table));
  }
  return CheckTables(database, options, environment, patience);
}

Result<void> CheckTables(Database& database, const EventStoreOptions& options,
                         patterns::Environment environment, Duration patience) {
  for (const CreateTableInput& table : MakeTableDefinitions(options)) {
    TRY_VOID(CheckTable(database, table, environment, patience));
  }
  return {};
}

std::string MakeIamPolicy(const EventStoreOptions& options, const std::string& resource_prefix) {
  std::string resources;
  for (const CreateTableInput& table : MakeTableDefinitions(options)) {
    const std::string arn = resource_prefix + table.table_name;
    resources += (resources.empty() ? "\"" : ", \"") + arn + "\"";
    if (table.global_secondary_indexes) {
      resources += ", \"" + arn + "/index/" + kIndexName + "\"";
    }
  }
  std::string actions =
      R"("dynamodb:DescribeTable", "dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", )"
      R"("dynamodb:Scan", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", )"
      R"("dynamodb:BatchWriteItem", "dynamodb:ConditionCheckItem")";
  if (options.auto_create_tables) {
    actions += R"(, "dynamodb:CreateTable")";
    actions += options.stream_events ? R"(, "dynamodb:UpdateTable")" : "";
  }
  if (options.stream_events) {
    const std::string stream = resource_prefix + options.events_table_name + "/stream/*";
    resources += ", \"" + stream + "\"";
    actions += R"(, "dynamodb:DescribeStream", "dynamodb:GetShardIterator", "dynamodb:GetRecords")";
  }
  return R"({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": [)" + actions +
         R"(], "Resource": [)" + resources + "]}]}\n";
}

}  // namespace stator::events
