#include "stator/stores/tasks/task_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/json.h"
#include "stores/tasks/task_items.h"

namespace stator::tasks {
namespace {

// About a minute: tables of Amazon DynamoDB take seconds.
constexpr Duration kPause = std::chrono::milliseconds(250);
constexpr int kPausesMax = 240;

std::string Text(std::string_view text) {
  return std::string(text);
}

std::vector<KeySchemaElement> Keys(std::string_view hash, std::string_view range) {
  return {{.attribute_name = Text(hash), .key_type = KeyType::kHash},
          {.attribute_name = Text(range), .key_type = KeyType::kRange}};
}

Projection Include(const std::vector<std::string_view>& names) {
  return {.projection_type = ProjectionType::kInclude,
          .non_key_attributes = std::vector<std::string>(names.begin(), names.end())};
}

LocalSecondaryIndex LocalIndex(std::string_view name, std::string_view range,
                               const std::vector<std::string_view>& included) {
  return {.index_name = Text(name),
          .key_schema = Keys(kPartitionKey, range),
          .projection = Include(included)};
}

// Whether the indexes that `there` describes have what `wanted` asks for.
template <class Description, class Definition>
void Compare(const std::vector<Definition>& wanted,
             const std::optional<std::vector<Description>>& there, TaskTableState& state) {
  for (const Definition& index : wanted) {
    const auto is_it = [&](const Description& other) {
      return other.index_name == index.index_name && other.key_schema == index.key_schema;
    };
    if (!there || std::ranges::none_of(*there, is_it)) {
      state.has_indexes = false;
      state.problems.push_back("the index " + index.index_name + " is missing or has other keys");
    }
  }
}

Result<std::optional<TableDescription>> Describe(Database& database, std::string_view table) {
  Result<DescribeTableOutput> described = database.DescribeTable({.table_name = Text(table)});
  if (described) {
    return std::move(described->table);
  }
  const ErrorCode code = described.error().code;
  if (code == ErrorCode::kTableNotFound || code == ErrorCode::kResourceNotFound) {
    return std::nullopt;
  }
  return std::unexpected(described.error());
}

Result<void> AwaitActive(Database& database, std::string_view table, Clock& clock) {
  for (int pause = 0; pause < kPausesMax; ++pause) {
    const std::optional<TableDescription> there = TRY(Describe(database, table));
    if (there && there->table_status == TableStatus::kActive) {
      return {};
    }
    clock.SleepFor(kPause);
  }
  return Fail(ErrorCode::kTimeout, "the table " + Text(table) + " does not become active");
}

JsonArray KeysAsJson(const std::vector<KeySchemaElement>& keys) {
  JsonArray json;
  for (const KeySchemaElement& key : keys) {
    json.push_back(JsonObject{{"AttributeName", key.attribute_name},
                              {"KeyType", key.key_type == KeyType::kHash ? "HASH" : "RANGE"}});
  }
  return json;
}

template <class Index>
JsonArray IndexesAsJson(const std::vector<Index>& indexes) {
  JsonArray json;
  for (const Index& index : indexes) {
    JsonObject projection{{"ProjectionType", "KEYS_ONLY"}};
    if (const auto& names = index.projection.non_key_attributes) {
      projection = {{"ProjectionType", "INCLUDE"},
                    {"NonKeyAttributes", JsonArray(names->begin(), names->end())}};
    }
    json.push_back(JsonObject{{"IndexName", index.index_name},
                              {"KeySchema", KeysAsJson(index.key_schema)},
                              {"Projection", std::move(projection)}});
  }
  return json;
}

}  // namespace

CreateTableInput TaskTableDefinition(std::string_view table) {
  CreateTableInput input{.table_name = Text(table),
                         .attribute_definitions = {},
                         .key_schema = Keys(kPartitionKey, kSortKey),
                         .billing_mode = BillingMode::kPayPerRequest};
  for (const std::string_view name :
       {kPartitionKey, kSortKey, kCreatedKey, kTaskId, kActiveKey, kLeaseGroup}) {
    input.attribute_definitions.push_back(
        {.attribute_name = Text(name), .attribute_type = ScalarAttributeType::kString});
  }
  input.attribute_definitions.push_back(
      {.attribute_name = Text(kLeaseUntil), .attribute_type = ScalarAttributeType::kNumber});
  input.local_secondary_indexes = {
      LocalIndex(kByCreated, kCreatedKey, {kVersion, kHead, kStatus, kExpiresAt}),
      LocalIndex(kByTask, kTaskId, {kVersion, kHead, kCreatedKey}),
      LocalIndex(kByActive, kActiveKey, {kExpiresAt})};
  input.global_secondary_indexes = {{.index_name = Text(kByLease),
                                     .key_schema = Keys(kLeaseGroup, kLeaseUntil),
                                     .projection = {.projection_type = ProjectionType::kKeysOnly}}};
  return input;
}

Result<TaskTableState> CheckTaskTable(Database& database, std::string_view table) {
  TaskTableState state;
  const std::optional<TableDescription> there = TRY(Describe(database, table));
  if (!there) {
    state.problems.push_back("there is no table " + Text(table));
    return state;
  }
  state.exists = true;
  state.has_indexes = true;
  const CreateTableInput wanted = TaskTableDefinition(table);
  if (there->key_schema != wanted.key_schema) {
    state.problems.push_back("the keys of the table are not PK and SK");
  }
  Compare(*wanted.local_secondary_indexes, there->local_secondary_indexes, state);
  Compare(*wanted.global_secondary_indexes, there->global_secondary_indexes, state);
  const DescribeTimeToLiveOutput expiry =
      TRY(database.DescribeTimeToLive({.table_name = Text(table)}));
  const bool on = expiry.time_to_live_status == TimeToLiveStatus::kEnabled ||
                  expiry.time_to_live_status == TimeToLiveStatus::kEnabling;
  state.expires = on && expiry.attribute_name == kExpiresAt;
  if (!state.expires) {
    state.problems.push_back("TTL is not on for expires_at");
  }
  return state;
}

Result<bool> CreateTaskTable(Database& database, std::string_view table, Clock& clock) {
  TaskTableState state = TRY(CheckTaskTable(database, table));
  bool changed = false;
  if (!state.exists) {
    const Result<CreateTableOutput> created = database.CreateTable(TaskTableDefinition(table));
    // Somebody else may have been faster.
    if (!created && created.error().code != ErrorCode::kResourceInUse) {
      return std::unexpected(created.error());
    }
    changed = true;
    TRY_VOID(AwaitActive(database, table, clock));
    state = TRY(CheckTaskTable(database, table));
  }
  if (std::ranges::find(state.problems, "the keys of the table are not PK and SK") !=
      state.problems.end()) {
    return Fail(ErrorCode::kResourceInUse,
                "the table " + Text(table) + " exists and its keys are not PK and SK");
  }
  if (!state.expires) {
    TRY(database.UpdateTimeToLive(
        {.table_name = Text(table),
         .time_to_live_specification = {.enabled = true, .attribute_name = Text(kExpiresAt)}}));
    changed = true;
  }
  return changed;
}

std::string TaskTableCloudFormation(std::string_view table) {
  const CreateTableInput wanted = TaskTableDefinition(table);
  JsonArray attributes;
  for (const AttributeDefinition& attribute : wanted.attribute_definitions) {
    const bool is_text = attribute.attribute_type == ScalarAttributeType::kString;
    attributes.push_back(JsonObject{{"AttributeName", attribute.attribute_name},
                                    {"AttributeType", is_text ? "S" : "N"}});
  }
  JsonObject properties{
      {"TableName", table},
      {"BillingMode", "PAY_PER_REQUEST"},
      {"AttributeDefinitions", std::move(attributes)},
      {"KeySchema", KeysAsJson(wanted.key_schema)},
      {"LocalSecondaryIndexes", IndexesAsJson(*wanted.local_secondary_indexes)},
      {"GlobalSecondaryIndexes", IndexesAsJson(*wanted.global_secondary_indexes)},
      {"TimeToLiveSpecification", JsonObject{{"AttributeName", kExpiresAt}, {"Enabled", true}}}};
  const Json document = JsonObject{
      {"AWSTemplateFormatVersion", "2010-09-09"},
      {"Resources", JsonObject{{"TaskTable", JsonObject{{"Type", "AWS::DynamoDB::Table"},
                                                        {"DeletionPolicy", "Retain"},
                                                        {"UpdateReplacePolicy", "Retain"},
                                                        {"Properties", std::move(properties)}}}}}};
  return document.ToText();
}

}  // namespace stator::tasks
