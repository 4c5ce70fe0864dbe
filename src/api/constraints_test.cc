// The constraints of requests as a C++ program meets them, and the words for each kind. What only a
// decoder can notice is put in as it would be.

#include "api/constraints.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::api {
namespace {

template <class Input>
std::string Refusal(const Input& input) {
  const Result<void> result = CheckConstraints(input);
  return result ? "" : result.error().message;
}

std::string Detected(std::string_view violation) {
  return "1 validation error detected: " + std::string(violation);
}

TEST(Constraints, TableNamesAreCheckedByLengthFirst) {
  EXPECT_EQ(Refusal(GetItemInput{.table_name = "abc", .key = {}}), "");
  EXPECT_EQ(Refusal(GetItemInput{.table_name = "A-z_0.9", .key = {}}), "");
  EXPECT_EQ(Refusal(GetItemInput{.table_name = "", .key = {}}),
            Detected("Value at 'TableName' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 1"));
  EXPECT_EQ(Refusal(ScanInput{.table_name = ""}),
            Detected("Value '' at 'tableName' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 1"));
  EXPECT_EQ(Refusal(GetItemInput{.table_name = "ab", .key = {}}),
            Detected("Value 'ab' at 'tableName' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 3"));
  const std::string longest(255, 'a');
  EXPECT_EQ(Refusal(PutItemInput{.table_name = longest, .item = {}}), "");
  EXPECT_EQ(Refusal(PutItemInput{.table_name = longest + "a", .item = {}}),
            Detected("Value '" + longest +
                     "a' at 'tableName' failed to satisfy constraint: Member must have length less "
                     "than or equal to 255"));
  EXPECT_EQ(Refusal(PutItemInput{.table_name = "bad table!@#", .item = {}}),
            Detected("Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member "
                     "must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  EXPECT_EQ(Refusal(PutItemInput{.table_name = "a;", .item = {}}),
            "2 validation errors detected: Value 'a;' at 'tableName' failed to satisfy constraint: "
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at "
            "'tableName' failed to satisfy constraint: Member must have length greater than or "
            "equal to 3");
}

TEST(Constraints, ArnsPassAsTableNames) {
  EXPECT_EQ(Refusal(DescribeTableInput{.table_name =
                                           "arn:aws:dynamodb:us-east-1:000000000000:table/orders"}),
            "");
  EXPECT_TRUE(Refusal(DescribeTableInput{.table_name = "arn:" + std::string(1021, 'a')})
                  .ends_with("Member must have length less than or equal to 1024"));
}

TEST(Constraints, LengthsCountCharactersNotBytes) {
  const std::string umlauts = [] {
    std::string text;
    for (int i = 0; i < 36; ++i) {
      text += "\xc3\xa4";
    }
    return text;
  }();
  const auto with_token = [](std::string token) {
    return TransactWriteItemsInput{
        .transact_items = {TransactDelete{.table_name = "abc", .key = {}}},
        .client_request_token = std::move(token)};
  };
  EXPECT_EQ(Refusal(with_token(umlauts)), "");
  EXPECT_NE(Refusal(with_token(umlauts + "x")), "");
  // Beyond the first plane a character counts twice.
  EXPECT_NE(Refusal(with_token(std::string(35, 'a') + "\xf0\x9f\x98\x80")), "");
  EXPECT_TRUE(Refusal(with_token("")).contains("'clientRequestToken'"));
}

TEST(Constraints, RangesOfNumbers) {
  EXPECT_EQ(Refusal(ScanInput{.table_name = "abc", .limit = 0}),
            Detected("Value '0' at 'limit' failed to satisfy constraint: Member must have value "
                     "greater than or equal to 1"));
  EXPECT_EQ(Refusal(QueryInput{.table_name = "abc", .limit = 0}),
            Detected("Value at 'Limit' failed to satisfy constraint: Member must have value "
                     "greater than or equal to 1"));
  EXPECT_EQ(Refusal(ScanInput{.table_name = "abc", .segment = -1, .total_segments = 1'000'001}),
            "2 validation errors detected: Value '1000001' at 'totalSegments' failed to satisfy "
            "constraint: Member must have value less than or equal to 1000000; Value '-1' at "
            "'segment' failed to satisfy constraint: Member must have value greater than or equal "
            "to 0");
  EXPECT_EQ(Refusal(ListTablesInput{.limit = 101}),
            Detected("Value '101' at 'limit' failed to satisfy constraint: Member must have value "
                     "less than or equal to 100"));
  EXPECT_EQ(Refusal(ListTablesInput{.limit = 100}), "");
}

TEST(Constraints, IndexNamesAndListsOfAttributes) {
  EXPECT_EQ(Refusal(QueryInput{.table_name = "abc", .index_name = "i"}),
            Detected("Value 'i' at 'indexName' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 3"));
  EXPECT_EQ(Refusal(GetItemInput{
                .table_name = "abc", .key = {}, .attributes_to_get = std::vector<std::string>{}}),
            Detected("Value at 'AttributesToGet' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 1"));
}

TEST(Constraints, BatchesAndTransactionsAreBounded) {
  EXPECT_EQ(Refusal(BatchGetItemInput{.request_items = {}}),
            Detected("Value at 'RequestItems' failed to satisfy constraint: Member must have "
                     "length greater than or equal to 1"));
  EXPECT_EQ(Refusal(BatchWriteItemInput{.request_items = {}}),
            "The requestItems parameter is required for BatchWriteItem");
  EXPECT_EQ(
      Refusal(BatchGetItemInput{.request_items = {{"orders", {.keys = std::vector<Item>(101)}}}}),
      Detected("Value at 'RequestItems.orders.member.Keys' failed to satisfy constraint: "
               "Member must have length less than or equal to 100"));
  EXPECT_EQ(
      Refusal(BatchWriteItemInput{.request_items = {{"orders", std::vector<WriteRequest>(26)}}}),
      Detected("Value '{orders=[26 members]}' at 'requestItems' failed to satisfy "
               "constraint: Map value must satisfy constraint: [Member must have length less "
               "than or equal to 25, Member must have length greater than or equal to 1]"));
  EXPECT_EQ(Refusal(BatchWriteItemInput{.request_items = {{"a;", std::vector<WriteRequest>(1)}}}),
            Detected("Value '{a;=[WriteRequest(putRequest=PutRequest(item={}))]}' at "
                     "'requestItems' failed to satisfy constraint: Map keys "
                     "must satisfy constraint: [Member must have length less than or equal to 255, "
                     "Member must have length greater than or equal to 3, Member must satisfy "
                     "regular expression pattern: [a-zA-Z0-9_.-]+]"));
  EXPECT_EQ(Refusal(TransactGetItemsInput{.transact_items = {}}),
            Detected("Value '[]' at 'transactItems' failed to satisfy constraint: Member must "
                     "have length greater than or equal to 1"));
  EXPECT_TRUE(
      Refusal(TransactWriteItemsInput{.transact_items = std::vector<TransactWriteItem>(
                                          101, TransactPut{.table_name = "abc", .item = {}})})
          .ends_with("' at 'transactItems' failed to satisfy constraint: Member must have "
                     "length less than or equal to 100"));
}

TEST(Constraints, ActionsOfATransactionAreNumbered) {
  EXPECT_EQ(Refusal(TransactWriteItemsInput{
                .transact_items = {TransactPut{.table_name = "abc", .item = {}},
                                   TransactUpdate{
                                       .table_name = "", .key = {}, .update_expression = "x"}}}),
            Detected("Value '' at 'transactItems.2.member.update.tableName' failed to satisfy "
                     "constraint: Member must have length greater than or equal to 1"));
  EXPECT_EQ(
      Refusal(TransactGetItemsInput{.transact_items = {TransactGet{.table_name = "a", .key = {}}}}),
      Detected("Value 'a' at 'transactItems.1.member.get.tableName' failed to satisfy "
               "constraint: Member must have length greater than or equal to 3"));
}

TEST(Constraints, TablesAreLookedInto) {
  CreateTableInput input = {
      .table_name = "abc",
      .attribute_definitions = {{"", ScalarAttributeType::kString}},
      .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}, {"extra", KeyType::kRange}},
      .provisioned_throughput = ProvisionedThroughput{-1, 0}};
  EXPECT_EQ(
      Refusal(input),
      "4 validation errors detected: "
      "Value '' at 'attributeDefinitions.1.member.attributeName' failed to satisfy constraint: "
      "Member must have length greater than or equal to 1; "
      "Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: "
      "Member must have value greater than or equal to 1; "
      "Value '-1' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: "
      "Member must have value greater than or equal to 1; "
      "Value '[KeySchemaElement(attributeName=pk, keyType=HASH), "
      "KeySchemaElement(attributeName=sk, keyType=RANGE), "
      "KeySchemaElement(attributeName=extra, keyType=RANGE)]' at 'keySchema' failed to satisfy "
      "constraint: Member must have length less than or equal to 2");

  input = {
      .table_name = "abc",
      .attribute_definitions = {},
      .key_schema = {{"pk", KeyType::kHash}},
      .local_secondary_indexes =
          std::vector<LocalSecondaryIndex>{
              {"l", {}, {ProjectionType::kInclude, std::vector<std::string>{"a", ""}}}},
      .global_secondary_indexes =
          std::vector<GlobalSecondaryIndex>{
              {"gsi", {{"a", KeyType::kHash}, {"b", KeyType::kHash}, {"c", KeyType::kRange}}, {}}},
      .tags = std::vector<Tag>{{"", std::string(257, 'v')}}};
  EXPECT_EQ(
      Refusal(input),
      "5 validation errors detected: "
      "Value 'l' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: "
      "Member must have length greater than or equal to 3; "
      "Value '[]' at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: "
      "Member must have length greater than or equal to 1; "
      "Value '' at 'localSecondaryIndexes.1.member.projection.nonKeyAttributes.2.member' failed to "
      "satisfy constraint: Member must have length greater than or equal to 1; "
      "Value '' at 'tags.1.member.key' failed to satisfy constraint: Member must have length "
      "greater than or equal to 1; "
      "Value '" +
          std::string(257, 'v') +
          "' at 'tags.1.member.value' failed to satisfy constraint: Member must have length less "
          "than or equal to 256");
}

TEST(Constraints, UpdatesOfIndexesAreLookedInto) {
  EXPECT_EQ(
      Refusal(UpdateTableInput{
          .table_name = "abc",
          .global_secondary_index_updates =
              std::vector<GlobalSecondaryIndexUpdate>{
                  UpdateGlobalSecondaryIndexAction{
                      .index_name = "idx", .provisioned_throughput = ProvisionedThroughput{0, 1}},
                  DeleteGlobalSecondaryIndexAction{.index_name = "i!"}}}),
      "3 validation errors detected: "
      "Value '0' at "
      "'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits' "
      "failed to satisfy constraint: Member must have value greater than or equal to 1; "
      "Value 'i!' at 'globalSecondaryIndexUpdates.2.member.delete.indexName' failed to "
      "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; "
      "Value 'i!' at 'globalSecondaryIndexUpdates.2.member.delete.indexName' failed to "
      "satisfy constraint: Member must have length greater than or equal to 3");
}

TEST(Constraints, StreamsTagsAndExpiry) {
  EXPECT_TRUE(Refusal(GetRecordsInput{.shard_iterator = ""}).contains("'shardIterator'"));
  EXPECT_TRUE(Refusal(DescribeStreamInput{.stream_arn = "short"})
                  .ends_with("Member must have length greater than or equal to 37"));
  EXPECT_TRUE(
      Refusal(DescribeStreamInput{.stream_arn = std::string(37, 'a'), .child_shards_of = "short"})
          .contains("'shardFilter.shardId'"));
  EXPECT_TRUE(Refusal(UntagResourceInput{.resource_arn = "arn", .tag_keys = {"ok", ""}})
                  .contains("'tagKeys.2.member'"));
  EXPECT_TRUE(
      Refusal(UpdateTimeToLiveInput{.table_name = "abc", .time_to_live_specification = {true, ""}})
          .contains("'timeToLiveSpecification.attributeName'"));
  EXPECT_EQ(Refusal(DescribeLimitsInput{}), "");
}

TEST(Constraints, RecoveryReachesBackOneTo35Days) {
  const auto refusal = [](std::int64_t days) {
    return Refusal(
        UpdateContinuousBackupsInput{.table_name = "abc",
                                     .point_in_time_recovery_specification = {
                                         .enabled = true, .recovery_period_in_days = days}});
  };
  EXPECT_EQ(refusal(1), "");
  EXPECT_EQ(refusal(35), "");
  EXPECT_EQ(refusal(36),
            "1 validation error detected: Value '36' at "
            "'pointInTimeRecoverySpecification.recoveryPeriodInDays' failed to satisfy constraint: "
            "Member must have value less than or equal to 35");
  EXPECT_TRUE(refusal(0).ends_with("Member must have value greater than or equal to 1"));
}

TEST(Violations, StopAtTen) {
  const CreateTableInput input = {.table_name = "abc",
                                  .attribute_definitions = std::vector<AttributeDefinition>(
                                      12, {"", ScalarAttributeType::kString}),
                                  .key_schema = {{"pk", KeyType::kHash}}};
  const std::string message = Refusal(input);
  EXPECT_TRUE(message.starts_with("10 validation errors detected: "));
  EXPECT_TRUE(message.contains("'attributeDefinitions.10.member.attributeName'"));
  EXPECT_FALSE(message.contains("'attributeDefinitions.11.member.attributeName'"));
}

TEST(Violations, WhatCouldNotBeReadTakesThePlaceOfWhatTheStructHolds) {
  Violations violations;
  violations.NoteUnreadable("tableName", "null", "Member must not be null");
  violations.NoteUnreadable("nobody.comes.here", "'x'", "Member must be found");
  EXPECT_TRUE(violations.HasUnreadable());
  CheckConstraints(
      GetItemInput{.table_name = "", .key = {}, .attributes_to_get = std::vector<std::string>{}},
      violations);
  EXPECT_EQ(violations.ToResult().error().message,
            "3 validation errors detected: Value '[]' at 'attributesToGet' failed to satisfy "
            "constraint: Member must have length greater than or equal to 1; Value null at "
            "'tableName' failed to satisfy constraint: Member must not be null; Value 'x' at "
            "'nobody.comes.here' failed to satisfy constraint: Member must be found");
}

TEST(Violations, LongValuesAreCutAtACharacter) {
  std::string name(4095, 'a');
  name += "\xc3\xa4\xc3\xa4";
  const std::string message = Refusal(ScanInput{.table_name = name});
  EXPECT_TRUE(message.contains("'" + std::string(4095, 'a') + "...' at 'tableName'"));
}

}  // namespace
}  // namespace stator::api
