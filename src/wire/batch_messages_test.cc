// BatchWriteItem and TransactWriteItems, field by field in both directions, and structures of which
// exactly one member may be set.

#include <gtest/gtest.h>

#include <variant>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

TEST(BatchWriteItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<BatchWriteItemInput>("BatchWriteItem", R"({
    "RequestItems": {"one": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}},
                             {"DeleteRequest": {"Key": {"pk": {"S": "b"}}}, "PutRequest": null}],
                     "two": [{"DeleteRequest": {"Key": {"pk": {"S": "c"}}}}]},
    "ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE"})");
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->request_items.size(), 2U);
  const std::vector<WriteRequest>& one = input->request_items.at("one");
  ASSERT_EQ(one.size(), 2U);
  EXPECT_EQ(std::get<PutRequest>(one[0]).item, (Item{{"pk", "a"}}));
  EXPECT_EQ(std::get<DeleteRequest>(one[1]).key, (Item{{"pk", "b"}}));
  ASSERT_EQ(input->request_items.at("two").size(), 1U);
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kTotal);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kSize);
}

TEST(BatchWriteItemMessage, UnprocessedItemsAreAlwaysThere) {
  FakeServer server;
  constexpr std::string_view kBody =
      R"({"RequestItems":{"one":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]},)"
      R"("ReturnConsumedCapacity":"INDEXES"})";
  EXPECT_EQ(server.Ask("BatchWriteItem", kBody), R"({"UnprocessedItems":{}})");
  server.database().Script(BatchWriteItemOutput{
      .unprocessed_items =
          {{"one", {PutRequest{.item = {{"pk", "a"}}}, DeleteRequest{.key = {{"pk", "b"}}}}}},
      .item_collection_metrics =
          {{"one", {{.item_collection_key = {{"pk", "a"}}, .size_estimate_range_gb = {0, 1}}}}},
      .consumed_capacity = {
          {.table_name = "one", .capacity_units = 1, .table = Capacity{.capacity_units = 1}}}});
  EXPECT_EQ(
      server.Ask("BatchWriteItem", kBody),
      R"({"UnprocessedItems":{"one":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
      R"({"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]},)"
      R"("ItemCollectionMetrics":{"one":[{"ItemCollectionKey":{"pk":{"S":"a"}},)"
      R"("SizeEstimateRangeGB":[0.0,1.0]}]},)"
      R"("ConsumedCapacity":[{"TableName":"one","CapacityUnits":1.0,"Table":{"CapacityUnits":1.0}}]})");
}

TEST(BatchWriteItemMessage, ARequestIsAPutOrADelete) {
  FakeServer server;
  const std::string refusal = ValidationBody(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
      "supported datatypes");
  EXPECT_EQ(server.Ask("BatchWriteItem", R"({"RequestItems": {"one": [{}]}})"), refusal);
  EXPECT_EQ(server.Ask("BatchWriteItem",
                       R"({"RequestItems": {"one": [{"PutRequest": {"Item": {}},
                                                     "DeleteRequest": {"Key": {}}}]}})"),
            refusal);
}

TEST(TransactWriteItemsMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<TransactWriteItemsInput>("TransactWriteItems", R"({
    "TransactItems": [
      {"ConditionCheck": {"TableName": "one", "Key": {"pk": {"S": "a"}},
        "ConditionExpression": "c1", "ExpressionAttributeNames": {"#a": "a"},
        "ExpressionAttributeValues": {":a": {"S": "a"}},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
      {"Put": {"TableName": "two", "Item": {"pk": {"S": "b"}}, "ConditionExpression": "c2",
        "ExpressionAttributeNames": {"#b": "b"}, "ExpressionAttributeValues": {":b": {"S": "b"}},
        "ReturnValuesOnConditionCheckFailure": "NONE"}},
      {"Delete": {"TableName": "three", "Key": {"pk": {"S": "c"}}}},
      {"Update": {"TableName": "four", "Key": {"pk": {"S": "d"}}, "UpdateExpression": "u",
        "ConditionExpression": "c4"}}],
    "ReturnConsumedCapacity": "INDEXES", "ReturnItemCollectionMetrics": "SIZE",
    "ClientRequestToken": "token"})");
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->transact_items.size(), 4U);
  const auto& check = std::get<TransactConditionCheck>(input->transact_items[0]);
  EXPECT_EQ(check.table_name, "one");
  EXPECT_EQ(check.key, (Item{{"pk", "a"}}));
  EXPECT_EQ(check.condition_expression, "c1");
  EXPECT_EQ(check.expression_attribute_names, (AttributeNames{{"#a", "a"}}));
  EXPECT_EQ(check.expression_attribute_values, (Map{{":a", "a"}}));
  EXPECT_EQ(check.return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
  const auto& put = std::get<TransactPut>(input->transact_items[1]);
  EXPECT_EQ(put.table_name, "two");
  EXPECT_EQ(put.item, (Item{{"pk", "b"}}));
  EXPECT_EQ(put.condition_expression, "c2");
  EXPECT_EQ(put.expression_attribute_names, (AttributeNames{{"#b", "b"}}));
  EXPECT_EQ(put.expression_attribute_values, (Map{{":b", "b"}}));
  const auto& remove = std::get<TransactDelete>(input->transact_items[2]);
  EXPECT_EQ(remove.table_name, "three");
  EXPECT_EQ(remove.key, (Item{{"pk", "c"}}));
  EXPECT_FALSE(remove.condition_expression.has_value());
  EXPECT_FALSE(remove.expression_attribute_values.has_value());
  const auto& update = std::get<TransactUpdate>(input->transact_items[3]);
  EXPECT_EQ(update.table_name, "four");
  EXPECT_EQ(update.update_expression, "u");
  EXPECT_EQ(update.condition_expression, "c4");
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kSize);
  EXPECT_EQ(input->client_request_token, "token");
}

TEST(TransactWriteItemsMessage, AnswersWithNothingUnlessAsked) {
  FakeServer server;
  constexpr std::string_view kBody =
      R"({"TransactItems":[{"Delete":{"TableName":"one","Key":{"pk":{"S":"a"}}}}],)"
      R"("ReturnConsumedCapacity":"TOTAL"})";
  EXPECT_EQ(server.Ask("TransactWriteItems", kBody), "{}");
  server.database().Script(TransactWriteItemsOutput{
      .consumed_capacity = {
          {.table_name = "one", .capacity_units = 2, .write_capacity_units = 2}}});
  EXPECT_EQ(server.Ask("TransactWriteItems", kBody),
            R"({"ConsumedCapacity":[{"TableName":"one","CapacityUnits":2.0,)"
            R"("WriteCapacityUnits":2.0}]})");
}

TEST(TransactWriteItemsMessage, AnElementIsOneAction) {
  FakeServer server;
  EXPECT_EQ(server.Ask("TransactWriteItems", R"({"TransactItems": [{"Nothing": {}}]})"),
            ValidationBody("Invalid Request: TransactWriteRequest should contain Delete or Put or "
                           "Update request"));
  EXPECT_EQ(server.Ask("TransactWriteItems", R"({"TransactItems": [
              {"Put": {"TableName": "one", "Item": {}},
               "Delete": {"TableName": "one", "Key": {}}}]})"),
            ValidationBody("TransactItems can only contain one of Check, Put, Update or Delete"));
}

TEST(TransactWriteItemsMessage, MissingMembersOfEveryActionAreNamed) {
  FakeServer server;
  EXPECT_EQ(
      server.Ask("TransactWriteItems", R"({"TransactItems": [{"Put": {}}, {"Update": {}}, null]})"),
      ValidationBody("6 validation errors detected: "
                     "Value null at 'transactItems.1.member.put.item' failed to satisfy "
                     "constraint: Member must not be null; "
                     "Value null at 'transactItems.1.member.put.tableName' failed to satisfy "
                     "constraint: Member must not be null; "
                     "Value null at 'transactItems.2.member.update.key' failed to satisfy "
                     "constraint: Member must not be null; "
                     "Value null at 'transactItems.2.member.update.updateExpression' failed to "
                     "satisfy constraint: Member must not be null; "
                     "Value null at 'transactItems.2.member.update.tableName' failed to satisfy "
                     "constraint: Member must not be null; "
                     "Value null at 'transactItems.3.member' failed to satisfy constraint: Member "
                     "must not be null"));
}

TEST(TransactGetItemsMessage, AnElementIsAGet) {
  FakeServer server;
  EXPECT_EQ(server.Ask("TransactGetItems", R"({"TransactItems": [{}, {"Get": {}}]})"),
            ValidationBody("3 validation errors detected: "
                           "Value null at 'transactItems.1.member.get' failed to satisfy "
                           "constraint: Member must not be null; "
                           "Value null at 'transactItems.2.member.get.key' failed to satisfy "
                           "constraint: Member must not be null; "
                           "Value null at 'transactItems.2.member.get.tableName' failed to satisfy "
                           "constraint: Member must not be null"));
}

}  // namespace
}  // namespace stator::wire
