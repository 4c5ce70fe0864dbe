// Operations on tables, tags, expiry and the account, field by field in both directions.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

using std::chrono::milliseconds;

constexpr TimePoint kMoment{milliseconds(1'733'000'000'123)};

TableDescription TableNamed(std::string name, TableStatus status = TableStatus::kActive) {
  TableDescription table;
  table.table_name = std::move(name);
  table.table_status = status;
  return table;
}

TEST(CreateTableMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<CreateTableInput>("CreateTable", R"({
    "TableName": "full",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"},
                             {"AttributeName": "l", "AttributeType": "B"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                  {"AttributeName": "sk", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{"IndexName": "lsi",
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "l", "KeyType": "RANGE"}],
      "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]}}],
    "GlobalSecondaryIndexes": [{"IndexName": "gsi",
      "KeySchema": [{"AttributeName": "l", "KeyType": "HASH"}],
      "Projection": {"ProjectionType": "KEYS_ONLY"},
      "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
      "OnDemandThroughput": {"MaxReadRequestUnits": 3, "MaxWriteRequestUnits": 4},
      "WarmThroughput": {"ReadUnitsPerSecond": 5, "WriteUnitsPerSecond": 6}}],
    "BillingMode": "PROVISIONED",
    "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
    "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "SSESpecification": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "key"},
    "Tags": [{"Key": "k", "Value": "v"}], "TableClass": "STANDARD_INFREQUENT_ACCESS",
    "DeletionProtectionEnabled": true,
    "WarmThroughput": {"ReadUnitsPerSecond": 7},
    "OnDemandThroughput": {"MaxWriteRequestUnits": 8}})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "full");
  EXPECT_EQ(input->attribute_definitions,
            (std::vector<AttributeDefinition>{{"pk", ScalarAttributeType::kString},
                                              {"sk", ScalarAttributeType::kNumber},
                                              {"l", ScalarAttributeType::kBinary}}));
  EXPECT_EQ(input->key_schema,
            (std::vector<KeySchemaElement>{{"pk", KeyType::kHash}, {"sk", KeyType::kRange}}));
  ASSERT_EQ(input->local_secondary_indexes.value().size(), 1U);
  const LocalSecondaryIndex& lsi = input->local_secondary_indexes->front();
  EXPECT_EQ(lsi.index_name, "lsi");
  EXPECT_EQ(lsi.key_schema.back(), (KeySchemaElement{"l", KeyType::kRange}));
  EXPECT_EQ(lsi.projection, (Projection{ProjectionType::kInclude, std::vector<std::string>{"x"}}));
  ASSERT_EQ(input->global_secondary_indexes.value().size(), 1U);
  const GlobalSecondaryIndex& gsi = input->global_secondary_indexes->front();
  EXPECT_EQ(gsi.index_name, "gsi");
  EXPECT_EQ(gsi.projection.projection_type, ProjectionType::kKeysOnly);
  EXPECT_FALSE(gsi.projection.non_key_attributes.has_value());
  EXPECT_EQ(gsi.provisioned_throughput, (ProvisionedThroughput{1, 2}));
  EXPECT_EQ(gsi.on_demand_throughput, (OnDemandThroughput{3, 4}));
  EXPECT_EQ(gsi.warm_throughput, (WarmThroughput{5, 6}));
  EXPECT_EQ(input->billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(input->provisioned_throughput, (ProvisionedThroughput{5, 6}));
  EXPECT_EQ(input->stream_specification,
            (StreamSpecification{true, StreamViewType::kNewAndOldImages}));
  EXPECT_EQ(input->sse_specification.value().enabled, true);
  EXPECT_EQ(input->sse_specification->sse_type, SseType::kKms);
  EXPECT_EQ(input->sse_specification->kms_master_key_id, "key");
  EXPECT_EQ(input->tags, (std::vector<Tag>{{"k", "v"}}));
  EXPECT_EQ(input->table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_EQ(input->deletion_protection_enabled, true);
  EXPECT_EQ(input->warm_throughput, (WarmThroughput{.read_units_per_second = 7}));
  EXPECT_EQ(input->on_demand_throughput, (OnDemandThroughput{.max_write_request_units = 8}));
}

TEST(CreateTableMessage, AbsentMembersStayAbsent) {
  FakeServer server;
  const auto* input = server.Decode<CreateTableInput>("CreateTable", R"({
    "TableName": "abc", "AttributeDefinitions": [],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})");
  ASSERT_NE(input, nullptr);
  EXPECT_FALSE(input->billing_mode.has_value());
  EXPECT_FALSE(input->provisioned_throughput.has_value());
  EXPECT_FALSE(input->local_secondary_indexes.has_value());
  EXPECT_FALSE(input->global_secondary_indexes.has_value());
  EXPECT_FALSE(input->stream_specification.has_value());
  EXPECT_FALSE(input->tags.has_value());
  EXPECT_FALSE(input->deletion_protection_enabled.has_value());
}

TEST(CreateTableMessage, WhatWouldBeIgnoredIsRefused) {
  FakeServer server;
  for (const std::string_view member :
       {"VectorIndexes", "GlobalTableSourceArn", "GlobalTableSettingsReplicationMode"}) {
    const std::string body =
        R"({"TableName": "abc", "AttributeDefinitions": [],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], ")" +
        std::string(member) + R"(": "x"})";
    EXPECT_EQ(server.Ask("CreateTable", body),
              ValidationBody("One or more parameter values were invalid: " + std::string(member) +
                             " is not supported by Stator"));
  }
  EXPECT_EQ(server.database().Last<CreateTableInput>(), nullptr);
}

TEST(UpdateTableMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<UpdateTableInput>("UpdateTable", R"({
    "TableName": "full", "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
    "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
    "GlobalSecondaryIndexUpdates": [
      {"Create": {"IndexName": "new", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                  "Projection": {"ProjectionType": "ALL"}}},
      {"Update": {"IndexName": "old",
                  "ProvisionedThroughput": {"ReadCapacityUnits": 3, "WriteCapacityUnits": 4}}},
      {"Delete": {"IndexName": "gone"}}],
    "StreamSpecification": {"StreamEnabled": false}, "SSESpecification": {"Enabled": false},
    "TableClass": "STANDARD", "DeletionProtectionEnabled": false,
    "OnDemandThroughput": {"MaxReadRequestUnits": -1},
    "WarmThroughput": {"WriteUnitsPerSecond": 9}})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "full");
  EXPECT_EQ(input->attribute_definitions.value().size(), 1U);
  EXPECT_EQ(input->billing_mode, BillingMode::kPayPerRequest);
  EXPECT_EQ(input->provisioned_throughput, (ProvisionedThroughput{1, 2}));
  const auto& updates = input->global_secondary_index_updates.value();
  ASSERT_EQ(updates.size(), 3U);
  EXPECT_EQ(std::get<GlobalSecondaryIndex>(updates[0]).index_name, "new");
  EXPECT_EQ(std::get<GlobalSecondaryIndex>(updates[0]).projection.projection_type,
            ProjectionType::kAll);
  EXPECT_EQ(std::get<UpdateGlobalSecondaryIndexAction>(updates[1]).provisioned_throughput,
            (ProvisionedThroughput{3, 4}));
  EXPECT_EQ(std::get<DeleteGlobalSecondaryIndexAction>(updates[2]).index_name, "gone");
  EXPECT_EQ(input->stream_specification, StreamSpecification{.stream_enabled = false});
  EXPECT_EQ(input->sse_specification.value().enabled, false);
  EXPECT_EQ(input->table_class, TableClass::kStandard);
  EXPECT_EQ(input->deletion_protection_enabled, false);
  EXPECT_EQ(input->on_demand_throughput, (OnDemandThroughput{.max_read_request_units = -1}));
  EXPECT_EQ(input->warm_throughput, (WarmThroughput{.write_units_per_second = 9}));
}

TEST(UpdateTableMessage, WhatWouldBeIgnoredIsRefused) {
  FakeServer server;
  EXPECT_EQ(server.Ask("UpdateTable", R"({"TableName": "abc", "ReplicaUpdates": []})"),
            ValidationBody("One or more parameter values were invalid: ReplicaUpdates is not "
                           "supported by Stator"));
  EXPECT_EQ(
      server.Ask("UpdateTable", R"({"TableName": "abc", "GlobalSecondaryIndexUpdates": [{}]})"),
      ValidationBody("One or more parameter values were invalid: One of "
                     "GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                     "GlobalSecondaryIndexUpdate.Delete must not be null"));
}

TEST(TableDescriptionMessage, HasEverythingThatToolsWaitFor) {
  FakeServer server;
  server.database().Script(DescribeTableOutput{
      .table = {
          .attribute_definitions =
              std::vector<AttributeDefinition>{{"pk", ScalarAttributeType::kString}},
          .table_name = "full",
          .key_schema = std::vector<KeySchemaElement>{{"pk", KeyType::kHash}},
          .creation_date_time = kMoment,
          .provisioned_throughput = {.last_increase_date_time = kMoment,
                                     .read_capacity_units = 5,
                                     .write_capacity_units = 6},
          .table_size_bytes = 4'000'000'000,
          .item_count = 3,
          .table_arn = "arn",
          .table_id = "id",
          .billing_mode_summary =
              BillingModeSummary{.billing_mode = BillingMode::kPayPerRequest,
                                 .last_update_to_pay_per_request_date_time = kMoment},
          .local_secondary_indexes =
              std::vector<LocalSecondaryIndexDescription>{{.index_name = "lsi",
                                                           .key_schema = {{"pk", KeyType::kHash}},
                                                           .projection = {ProjectionType::kAll},
                                                           .index_size_bytes = 1,
                                                           .item_count = 2,
                                                           .index_arn = "lsi-arn"}},
          .global_secondary_indexes =
              std::vector<GlobalSecondaryIndexDescription>{
                  {.index_name = "gsi",
                   .key_schema = {{"l", KeyType::kHash}},
                   .projection = {ProjectionType::kInclude, std::vector<std::string>{"x"}},
                   .index_status = IndexStatus::kCreating,
                   .backfilling = true,
                   .index_arn = "gsi-arn",
                   .warm_throughput = {.read_units_per_second = 12000,
                                       .write_units_per_second = 4000}}},
          .stream_specification = StreamSpecification{true, StreamViewType::kKeysOnly},
          .latest_stream_label = "label",
          .latest_stream_arn = "stream",
          .sse_description = SseDescription{.kms_master_key_arn = "key"},
          .table_class_summary =
              TableClassSummary{.table_class = TableClass::kStandardInfrequentAccess},
          .deletion_protection_enabled = true,
          .on_demand_throughput = OnDemandThroughput{1, 2},
          .warm_throughput = WarmThroughputDescription{12000, 4000, TableStatus::kUpdating}}});
  EXPECT_EQ(server.Ask("DescribeTable", R"({"TableName": "full"})"),
            R"({"Table":{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
            R"("TableName":"full","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
            R"("TableStatus":"ACTIVE","CreationDateTime":1733000000.123,)"
            R"("ProvisionedThroughput":{"LastIncreaseDateTime":1733000000.123,)"
            R"("NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
            R"("TableSizeBytes":4000000000,"ItemCount":3,"TableArn":"arn","TableId":"id",)"
            R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
            R"("LastUpdateToPayPerRequestDateTime":1733000000.123},)"
            R"("LocalSecondaryIndexes":[{"IndexName":"lsi",)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":1,"ItemCount":2,)"
            R"("IndexArn":"lsi-arn"}],)"
            R"("GlobalSecondaryIndexes":[{"IndexName":"gsi",)"
            R"("KeySchema":[{"AttributeName":"l","KeyType":"HASH"}],)"
            R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},)"
            R"("IndexStatus":"CREATING","Backfilling":true,)"
            R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
            R"("WriteCapacityUnits":0},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"gsi-arn",)"
            R"("WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,)"
            R"("Status":"ACTIVE"}}],)"
            R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},)"
            R"("LatestStreamLabel":"label","LatestStreamArn":"stream",)"
            R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"key"},)"
            R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},)"
            R"("DeletionProtectionEnabled":true,)"
            R"("OnDemandThroughput":{"MaxReadRequestUnits":1,"MaxWriteRequestUnits":2},)"
            R"("WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,)"
            R"("Status":"UPDATING"}}})");
  EXPECT_EQ(server.database().Last<DescribeTableInput>()->table_name, "full");
}

TEST(TableDescriptionMessage, OfADeletedTableIsShort) {
  FakeServer server;
  server.database().Script(
      DeleteTableOutput{.table_description = TableNamed("old", TableStatus::kDeleting)});
  EXPECT_EQ(server.Ask("DeleteTable", R"({"TableName": "old"})"),
            R"({"TableDescription":{"TableName":"old","TableStatus":"DELETING",)"
            R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,)"
            R"("WriteCapacityUnits":0},"TableSizeBytes":0,"ItemCount":0,)"
            R"("DeletionProtectionEnabled":false}})");
  server.database().Script(CreateTableOutput{.table_description = TableNamed("new")});
  EXPECT_TRUE(server
                  .Ask("CreateTable", R"({"TableName": "new", "AttributeDefinitions": [],
                          "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})")
                  .starts_with(R"({"TableDescription":{"TableName":"new")"));
  server.database().Script(UpdateTableOutput{.table_description = TableNamed("new")});
  EXPECT_TRUE(server.Ask("UpdateTable", R"({"TableName": "new"})")
                  .starts_with(R"({"TableDescription":{"TableName":"new")"));
}

TEST(ListTablesMessage, GoesBothWays) {
  FakeServer server;
  const auto* input = server.Decode<ListTablesInput>(
      "ListTables", R"({"ExclusiveStartTableName": "abc", "Limit": 7})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->exclusive_start_table_name, "abc");
  EXPECT_EQ(input->limit, 7);
  EXPECT_EQ(server.Ask("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_FALSE(server.database().Last<ListTablesInput>()->limit.has_value());
  server.database().Script(
      ListTablesOutput{.table_names = {"a", "b"}, .last_evaluated_table_name = "b"});
  EXPECT_EQ(server.Ask("ListTables", "{}"),
            R"({"TableNames":["a","b"],"LastEvaluatedTableName":"b"})");
}

TEST(TimeToLiveMessage, GoesBothWays) {
  FakeServer server;
  server.database().Script(UpdateTimeToLiveOutput{.time_to_live_specification = {true, "ttl"}});
  EXPECT_EQ(server.Ask("UpdateTimeToLive",
                       R"({"TableName": "abc", "TimeToLiveSpecification":
                           {"Enabled": true, "AttributeName": "ttl"}})"),
            R"({"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  EXPECT_EQ(server.database().Last<UpdateTimeToLiveInput>()->time_to_live_specification,
            (TimeToLiveSpecification{true, "ttl"}));
  EXPECT_EQ(server.Ask("DescribeTimeToLive", R"({"TableName": "abc"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  server.database().Script(DescribeTimeToLiveOutput{TimeToLiveStatus::kEnabled, "ttl"});
  EXPECT_EQ(server.Ask("DescribeTimeToLive", R"({"TableName": "abc"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
}

TEST(TagMessages, WritesAnswerWithNothing) {
  FakeServer server;
  const Answer tagged =
      server.Send("DynamoDB_20120810.TagResource",
                  R"({"ResourceArn": "arn", "Tags": [{"Key": "k", "Value": ""}]})");
  EXPECT_EQ(tagged.status, 200);
  EXPECT_EQ(tagged.body, "");
  EXPECT_EQ(server.database().Last<TagResourceInput>()->resource_arn, "arn");
  EXPECT_EQ(server.database().Last<TagResourceInput>()->tags, (std::vector<Tag>{{"k", ""}}));
  EXPECT_EQ(server.Ask("UntagResource", R"({"ResourceArn": "arn", "TagKeys": ["k"]})"), "");
  EXPECT_EQ(server.database().Last<UntagResourceInput>()->tag_keys, std::vector<std::string>{"k"});
  server.database().Script(ListTagsOfResourceOutput{.tags = {{"k", "v"}}, .next_token = "more"});
  EXPECT_EQ(server.Ask("ListTagsOfResource", R"({"ResourceArn": "arn", "NextToken": "t"})"),
            R"({"Tags":[{"Key":"k","Value":"v"}],"NextToken":"more"})");
  EXPECT_EQ(server.database().Last<ListTagsOfResourceInput>()->next_token, "t");
}

TEST(AccountMessages, GoBothWays) {
  FakeServer server;
  server.database().Script(DescribeLimitsOutput{80'000, 80'001, 40'000, 40'001});
  EXPECT_EQ(server.Ask("DescribeLimits", "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80001,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40001})");
  server.database().Script(DescribeEndpointsOutput{.endpoints = {{"localhost:8000", 1440}}});
  EXPECT_EQ(server.Ask("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
}

TEST(ContinuousBackupsMessages, GoBothWays) {
  FakeServer server;
  server.database().Script(UpdateContinuousBackupsOutput{
      .continuous_backups_description = {.continuous_backups_enabled = true,
                                         .point_in_time_recovery_enabled = true,
                                         .recovery_period_in_days = 7,
                                         .earliest_restorable_date_time = kMoment,
                                         .latest_restorable_date_time = kMoment}});
  EXPECT_EQ(server.Ask("UpdateContinuousBackups",
                       R"({"TableName": "abc", "PointInTimeRecoverySpecification": )"
                       R"({"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 7}})"),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED",)"
            R"("RecoveryPeriodInDays":7,"EarliestRestorableDateTime":1733000000.123,)"
            R"("LatestRestorableDateTime":1733000000.123}}})");
  const auto update = server.database().Last<UpdateContinuousBackupsInput>();
  EXPECT_EQ(update->table_name, "abc");
  EXPECT_EQ(update->point_in_time_recovery_specification,
            (PointInTimeRecoverySpecification{.enabled = true, .recovery_period_in_days = 7}));

  server.database().Script(DescribeContinuousBackupsOutput{
      .continuous_backups_description = {.continuous_backups_enabled = true}});
  EXPECT_EQ(server.Ask("DescribeContinuousBackups", R"({"TableName": "abc"})"),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})");
  EXPECT_EQ(server.database().Last<DescribeContinuousBackupsInput>()->table_name, "abc");
}

TEST(ContinuousBackupsMessages, NeedTheirSwitch) {
  FakeServer server;
  EXPECT_TRUE(server.Ask("UpdateContinuousBackups", R"({"TableName": "abc"})")
                  .contains("Value null at 'pointInTimeRecoverySpecification' failed to satisfy "
                            "constraint: Member must not be null"));
  EXPECT_TRUE(
      server
          .Ask("UpdateContinuousBackups",
               R"({"TableName": "abc", "PointInTimeRecoverySpecification": {}})")
          .contains("'pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled' failed to "
                    "satisfy constraint: Member must not be null"));
}

}  // namespace
}  // namespace stator::wire
