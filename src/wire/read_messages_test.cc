// Query, Scan, BatchGetItem and TransactGetItems, field by field in both directions.

#include <gtest/gtest.h>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

TEST(QueryMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<QueryInput>("Query", R"({
    "TableName": "orders", "IndexName": "by_date", "Select": "SPECIFIC_ATTRIBUTES",
    "AttributesToGet": ["a"], "Limit": 20, "ConsistentRead": true,
    "KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]}},
    "QueryFilter": {"n": {"ComparisonOperator": "NULL"}}, "ConditionalOperator": "OR",
    "ScanIndexForward": false, "ExclusiveStartKey": {"pk": {"S": "a"}},
    "ReturnConsumedCapacity": "INDEXES", "ProjectionExpression": "b",
    "FilterExpression": "c = :c", "KeyConditionExpression": "pk = :p",
    "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":p": {"S": "x"}}})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "orders");
  EXPECT_EQ(input->index_name, "by_date");
  EXPECT_EQ(input->select, Select::kSpecificAttributes);
  EXPECT_EQ(input->attributes_to_get, std::vector<std::string>{"a"});
  EXPECT_EQ(input->limit, 20);
  EXPECT_TRUE(input->consistent_read);
  ASSERT_TRUE(input->key_conditions.has_value());
  EXPECT_EQ(input->key_conditions->at("pk").comparison_operator, ComparisonOperator::kEq);
  EXPECT_EQ(input->key_conditions->at("pk").attribute_value_list, std::vector<AttributeValue>{"x"});
  ASSERT_TRUE(input->query_filter.has_value());
  EXPECT_EQ(input->query_filter->at("n").comparison_operator, ComparisonOperator::kNull);
  EXPECT_FALSE(input->query_filter->at("n").attribute_value_list.has_value());
  EXPECT_EQ(input->conditional_operator, ConditionalOperator::kOr);
  EXPECT_FALSE(input->scan_index_forward);
  EXPECT_EQ(input->exclusive_start_key, (Item{{"pk", "a"}}));
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
  EXPECT_EQ(input->projection_expression, "b");
  EXPECT_EQ(input->filter_expression, "c = :c");
  EXPECT_EQ(input->key_condition_expression, "pk = :p");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#a", "a"}}));
  EXPECT_EQ(input->expression_attribute_values, (Map{{":p", "x"}}));
}

TEST(QueryMessage, AbsentMembersLeaveDefaults) {
  FakeServer server;
  const auto* input = server.Decode<QueryInput>("Query", R"({"TableName": "orders"})");
  ASSERT_NE(input, nullptr);
  EXPECT_FALSE(input->index_name.has_value());
  EXPECT_FALSE(input->select.has_value());
  EXPECT_FALSE(input->limit.has_value());
  EXPECT_FALSE(input->consistent_read);
  EXPECT_TRUE(input->scan_index_forward);
  EXPECT_FALSE(input->exclusive_start_key.has_value());
  EXPECT_FALSE(input->key_conditions.has_value());
  EXPECT_FALSE(input->query_filter.has_value());
}

TEST(QueryMessage, CountsAreAlwaysThereAndItemsUnlessOnlyCounting) {
  FakeServer server;
  constexpr std::string_view kBody = R"({"TableName": "orders"})";
  server.database().Script(QueryOutput{.items = std::vector<Item>{}});
  EXPECT_EQ(server.Ask("Query", kBody), R"({"Items":[],"Count":0,"ScannedCount":0})");
  server.database().Script(
      QueryOutput{.count = 2, .scanned_count = 5, .last_evaluated_key = Item{{"pk", "b"}}});
  EXPECT_EQ(server.Ask("Query", kBody),
            R"({"Count":2,"ScannedCount":5,"LastEvaluatedKey":{"pk":{"S":"b"}}})");
  server.database().Script(QueryOutput{
      .items = std::vector<Item>{{{"pk", "a"}}, {{"pk", "b"}}}, .count = 2, .scanned_count = 2});
  EXPECT_EQ(server.Ask("Query", kBody),
            R"({"Items":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"Count":2,"ScannedCount":2})");
}

TEST(ScanMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<ScanInput>("Scan", R"({
    "TableName": "orders", "IndexName": "by_date", "AttributesToGet": ["a"], "Limit": 1,
    "Select": "COUNT", "ScanFilter": {"n": {"ComparisonOperator": "NE",
                                            "AttributeValueList": [{"N": "1"}]}},
    "ConditionalOperator": "AND", "ExclusiveStartKey": {"pk": {"S": "a"}},
    "ReturnConsumedCapacity": "TOTAL", "TotalSegments": 4, "Segment": 3,
    "ProjectionExpression": "b", "FilterExpression": "c = :c",
    "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":c": {"S": "x"}},
    "ConsistentRead": true})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->index_name, "by_date");
  EXPECT_EQ(input->attributes_to_get, std::vector<std::string>{"a"});
  EXPECT_EQ(input->limit, 1);
  EXPECT_EQ(input->select, Select::kCount);
  ASSERT_TRUE(input->scan_filter.has_value());
  EXPECT_EQ(input->scan_filter->at("n").comparison_operator, ComparisonOperator::kNe);
  EXPECT_EQ(input->conditional_operator, ConditionalOperator::kAnd);
  EXPECT_EQ(input->exclusive_start_key, (Item{{"pk", "a"}}));
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kTotal);
  EXPECT_EQ(input->total_segments, 4);
  EXPECT_EQ(input->segment, 3);
  EXPECT_EQ(input->projection_expression, "b");
  EXPECT_EQ(input->filter_expression, "c = :c");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#a", "a"}}));
  EXPECT_EQ(input->expression_attribute_values, (Map{{":c", "x"}}));
  EXPECT_TRUE(input->consistent_read);
}

TEST(ScanMessage, AnswersLikeAQuery) {
  FakeServer server;
  server.database().Script(ScanOutput{
      .items = std::vector<Item>{{{"pk", "a"}}},
      .count = 1,
      .scanned_count = 3,
      .consumed_capacity =
          ConsumedCapacity{.table_name = "full",
                           .capacity_units = 0.5,
                           .table = Capacity{},
                           .global_secondary_indexes = {{"gsi", {.capacity_units = 0.5}}}}});
  EXPECT_EQ(server.Ask("Scan", R"({"TableName": "full", "ReturnConsumedCapacity": "INDEXES"})"),
            R"({"Items":[{"pk":{"S":"a"}}],"Count":1,"ScannedCount":3,)"
            R"("ConsumedCapacity":{"TableName":"full","CapacityUnits":0.5,)"
            R"("Table":{"CapacityUnits":0.0},)"
            R"("GlobalSecondaryIndexes":{"gsi":{"CapacityUnits":0.5}}}})");
}

TEST(BatchGetItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<BatchGetItemInput>("BatchGetItem", R"({
    "RequestItems": {
      "one": {"Keys": [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}], "ConsistentRead": true,
              "ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "a"}},
      "two": {"Keys": [{"pk": {"N": "1"}}], "AttributesToGet": ["x"]}},
    "ReturnConsumedCapacity": "TOTAL"})");
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->request_items.size(), 2U);
  const KeysAndAttributes& one = input->request_items.at("one");
  EXPECT_EQ(one.keys, (std::vector<Item>{{{"pk", "a"}}, {{"pk", "b"}}}));
  EXPECT_TRUE(one.consistent_read);
  EXPECT_EQ(one.projection_expression, "#a");
  EXPECT_EQ(one.expression_attribute_names, (AttributeNames{{"#a", "a"}}));
  EXPECT_FALSE(one.attributes_to_get.has_value());
  const KeysAndAttributes& two = input->request_items.at("two");
  EXPECT_FALSE(two.consistent_read);
  EXPECT_FALSE(two.projection_expression.has_value());
  EXPECT_EQ(two.attributes_to_get, std::vector<std::string>{"x"});
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kTotal);
}

TEST(BatchGetItemMessage, AnswersAndUnprocessedKeysAreAlwaysThere) {
  FakeServer server;
  constexpr std::string_view kBody = R"({"RequestItems":{"one":{"Keys":[{"pk":{"S":"a"}}]}},)"
                                     R"("ReturnConsumedCapacity":"TOTAL"})";
  EXPECT_EQ(server.Ask("BatchGetItem", kBody), R"({"Responses":{},"UnprocessedKeys":{}})");
  server.database().Script(BatchGetItemOutput{
      .responses = {{"one", {{{"pk", "a"}}}}, {"two", {}}},
      .unprocessed_keys = {{"three",
                            {.keys = {{{"pk", "c"}}},
                             .consistent_read = true,
                             .projection_expression = "#a",
                             .expression_attribute_names = AttributeNames{{"#a", "a"}}}}},
      .consumed_capacity = {{.table_name = "one", .capacity_units = 0.5}}});
  EXPECT_EQ(server.Ask("BatchGetItem", kBody),
            R"({"Responses":{"one":[{"pk":{"S":"a"}}],"two":[]},)"
            R"("UnprocessedKeys":{"three":{"Keys":[{"pk":{"S":"c"}}],"ConsistentRead":true,)"
            R"("ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"a"}}},)"
            R"("ConsumedCapacity":[{"TableName":"one","CapacityUnits":0.5}]})");
}

TEST(TransactGetItemsMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<TransactGetItemsInput>("TransactGetItems", R"({
    "TransactItems": [
      {"Get": {"TableName": "one", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "#a",
               "ExpressionAttributeNames": {"#a": "a"}}},
      {"Get": {"TableName": "two", "Key": {"pk": {"S": "b"}}}}],
    "ReturnConsumedCapacity": "INDEXES"})");
  ASSERT_NE(input, nullptr);
  ASSERT_EQ(input->transact_items.size(), 2U);
  EXPECT_EQ(input->transact_items[0].table_name, "one");
  EXPECT_EQ(input->transact_items[0].key, (Item{{"pk", "a"}}));
  EXPECT_EQ(input->transact_items[0].projection_expression, "#a");
  EXPECT_EQ(input->transact_items[0].expression_attribute_names, (AttributeNames{{"#a", "a"}}));
  EXPECT_EQ(input->transact_items[1].table_name, "two");
  EXPECT_FALSE(input->transact_items[1].projection_expression.has_value());
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
}

TEST(TransactGetItemsMessage, AMissIsAnEmptyResponseInItsPlace) {
  FakeServer server;
  server.database().Script(TransactGetItemsOutput{
      .responses = {Item{{"pk", "a"}}, std::nullopt, Item{{"pk", "c"}}},
      .consumed_capacity = {{.table_name = "one", .capacity_units = 4, .read_capacity_units = 4}}});
  EXPECT_EQ(server.Ask("TransactGetItems",
                       R"({"TransactItems":[{"Get":{"TableName":"one","Key":{"pk":{"S":"a"}}}}],)"
                       R"("ReturnConsumedCapacity":"TOTAL"})"),
            R"({"ConsumedCapacity":[{"TableName":"one","CapacityUnits":4.0,)"
            R"("ReadCapacityUnits":4.0}],)"
            R"("Responses":[{"Item":{"pk":{"S":"a"}}},{},{"Item":{"pk":{"S":"c"}}}]})");
}

}  // namespace
}  // namespace stator::wire
