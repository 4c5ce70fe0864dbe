// PutItem, GetItem, UpdateItem and DeleteItem: each member of a request arrives in its field, each
// field of an output becomes its member, and what is absent stays absent.

#include <gtest/gtest.h>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

TEST(PutItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<PutItemInput>("PutItem", R"({
    "TableName": "orders",
    "Item": {"pk": {"S": "a"}, "n": {"N": "1.50"}},
    "Expected": {"x": {"Value": {"S": "v"}, "Exists": true},
                 "y": {"ComparisonOperator": "BETWEEN",
                       "AttributeValueList": [{"N": "1"}, {"N": "2"}]}},
    "ReturnValues": "ALL_OLD",
    "ReturnConsumedCapacity": "INDEXES",
    "ReturnItemCollectionMetrics": "SIZE",
    "ConditionalOperator": "OR",
    "ConditionExpression": "#p <> :v",
    "ExpressionAttributeNames": {"#p": "pk"},
    "ExpressionAttributeValues": {":v": {"BOOL": true}},
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "orders");
  EXPECT_EQ(input->item, (Item{{"pk", "a"}, {"n", Number::Parse("1.5").value()}}));
  ASSERT_TRUE(input->expected.has_value());
  const ExpectedAttributeValue& x = input->expected->at("x");
  EXPECT_EQ(x.value, AttributeValue("v"));
  EXPECT_EQ(x.exists, true);
  EXPECT_FALSE(x.comparison_operator.has_value());
  EXPECT_FALSE(x.attribute_value_list.has_value());
  const ExpectedAttributeValue& y = input->expected->at("y");
  EXPECT_FALSE(y.value.has_value());
  EXPECT_FALSE(y.exists.has_value());
  EXPECT_EQ(y.comparison_operator, ComparisonOperator::kBetween);
  EXPECT_EQ(y.attribute_value_list, (std::vector<AttributeValue>{1, 2}));
  EXPECT_EQ(input->return_values, ReturnValues::kAllOld);
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kSize);
  EXPECT_EQ(input->conditional_operator, ConditionalOperator::kOr);
  EXPECT_EQ(input->condition_expression, "#p <> :v");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#p", "pk"}}));
  EXPECT_EQ(input->expression_attribute_values, (Map{{":v", true}}));
  EXPECT_EQ(input->return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
}

TEST(PutItemMessage, TheItemArrivesAsItsRow) {
  FakeServer server;
  const auto* input = server.Decode<PutItemInput>("PutItem", R"({
    "TableName": "orders", "Item": {"pk": {"S": "a"}, "n": {"NS": ["2", "1.0"]}}})");
  ASSERT_NE(input, nullptr);
  EXPECT_NE(input->item.stored(), nullptr);
  EXPECT_EQ(input->item, (Item{{"pk", "a"}, {"n", NumberSet{1, 2}}}));
}

TEST(PutItemMessage, AbsentNullAndUnknownMembersLeaveDefaults) {
  FakeServer server;
  const auto* input = server.Decode<PutItemInput>("PutItem", R"({
    "TableName": "orders", "Item": {}, "Expected": null, "ReturnValues": null,
    "ConditionExpression": null, "ExpressionAttributeNames": null,
    "ExpressionAttributeValues": null, "Tomorrow": [{"S": 1}], "": 3})");
  ASSERT_NE(input, nullptr);
  EXPECT_TRUE(input->item.empty());
  EXPECT_FALSE(input->expected.has_value());
  EXPECT_EQ(input->return_values, ReturnValues::kNone);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kNone);
  EXPECT_FALSE(input->conditional_operator.has_value());
  EXPECT_FALSE(input->condition_expression.has_value());
  EXPECT_FALSE(input->expression_attribute_names.has_value());
  EXPECT_FALSE(input->expression_attribute_values.has_value());
  EXPECT_EQ(input->return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kNone);
}

TEST(PutItemMessage, EmptyMapsAreNotAbsentOnes) {
  FakeServer server;
  const auto* input = server.Decode<PutItemInput>(
      "PutItem", R"({"TableName": "orders", "Item": {"a": {"S": ""}}, "Expected": {},
                     "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {},
                     "ConditionExpression": ""})");
  ASSERT_NE(input, nullptr);
  EXPECT_TRUE(input->expected.has_value());
  EXPECT_TRUE(input->expression_attribute_names.has_value());
  EXPECT_TRUE(input->expression_attribute_values.has_value());
  EXPECT_EQ(input->condition_expression, "");
}

TEST(PutItemMessage, OfAMemberThatComesTwiceTheLastCounts) {
  FakeServer server;
  const auto* input = server.Decode<PutItemInput>(
      "PutItem", R"({"TableName": "one", "Item": {"a": {"S": "1"}, "b": {"S": "1"}},
                     "TableName": "two", "Item": {"a": {"S": "2"}}})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "two");
  EXPECT_EQ(input->item, (Item{{"a", "2"}}));
}

TEST(PutItemMessage, AnswersAreAsTheServiceWritesThem) {
  FakeServer server;
  constexpr std::string_view kBody =
      R"({"TableName":"full","Item":{"pk":{"S":"a"}},"ReturnConsumedCapacity":"INDEXES"})";
  EXPECT_EQ(server.Ask("PutItem", kBody), "{}");

  server.database().Script(PutItemOutput{
      .attributes = Item{{"pk", "a"}, {"l", Binary{std::string("\0\1", 2)}}},
      .consumed_capacity = ConsumedCapacity{.table_name = "full",
                                            .capacity_units = 3,
                                            .table = Capacity{.capacity_units = 1},
                                            .local_secondary_indexes = {{"lsi", {1}}},
                                            .global_secondary_indexes = {{"gsi", {1}}}},
      .item_collection_metrics = ItemCollectionMetrics{.item_collection_key = {{"pk", "a"}},
                                                       .size_estimate_range_gb = {0, 1}}});
  EXPECT_EQ(
      server.Ask("PutItem", kBody),
      R"({"Attributes":{"l":{"B":"AAE="},"pk":{"S":"a"}},)"
      R"("ConsumedCapacity":{"TableName":"full","CapacityUnits":3.0,"Table":{"CapacityUnits":1.0},)"
      R"("LocalSecondaryIndexes":{"lsi":{"CapacityUnits":1.0}},)"
      R"("GlobalSecondaryIndexes":{"gsi":{"CapacityUnits":1.0}}},)"
      R"("ItemCollectionMetrics":{"ItemCollectionKey":{"pk":{"S":"a"}},)"
      R"("SizeEstimateRangeGB":[0.0,1.0]}})");
}

TEST(GetItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<GetItemInput>("GetItem", R"({
    "TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/orders",
    "Key": {"pk": {"N": "7"}}, "AttributesToGet": ["a", "b"], "ConsistentRead": true,
    "ReturnConsumedCapacity": "TOTAL", "ProjectionExpression": "#a",
    "ExpressionAttributeNames": {"#a": "size"}})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
  EXPECT_EQ(input->key, (Item{{"pk", 7}}));
  EXPECT_EQ(input->attributes_to_get, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(input->consistent_read);
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kTotal);
  EXPECT_EQ(input->projection_expression, "#a");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#a", "size"}}));
}

TEST(GetItemMessage, AbsentMembersLeaveDefaults) {
  FakeServer server;
  const auto* input =
      server.Decode<GetItemInput>("GetItem", R"({"TableName": "orders", "Key": {}})");
  ASSERT_NE(input, nullptr);
  EXPECT_FALSE(input->attributes_to_get.has_value());
  EXPECT_FALSE(input->consistent_read);
  EXPECT_FALSE(input->projection_expression.has_value());
  EXPECT_FALSE(input->expression_attribute_names.has_value());
}

TEST(GetItemMessage, AMissIsAnEmptyObjectAndAnEmptyItemIsNot) {
  FakeServer server;
  constexpr std::string_view kBody = R"({"TableName": "orders", "Key": {"pk": {"S": "a"}}})";
  EXPECT_EQ(server.Ask("GetItem", kBody), "{}");
  server.database().Script(GetItemOutput{.item = Item{}});
  EXPECT_EQ(server.Ask("GetItem", kBody), R"({"Item":{}})");
  server.database().Script(GetItemOutput{.item = Item{{"pk", "a"}}});
  EXPECT_EQ(server.Ask("GetItem", kBody), R"({"Item":{"pk":{"S":"a"}}})");
}

TEST(UpdateItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<UpdateItemInput>("UpdateItem", R"({
    "TableName": "orders", "Key": {"pk": {"S": "a"}},
    "AttributeUpdates": {"n": {"Value": {"N": "1"}, "Action": "ADD"}, "d": {"Action": "DELETE"},
                         "p": {"Value": {"S": "x"}}},
    "Expected": {"n": {"ComparisonOperator": "NOT_NULL"}}, "ConditionalOperator": "AND",
    "ReturnValues": "UPDATED_NEW", "ReturnConsumedCapacity": "TOTAL",
    "ReturnItemCollectionMetrics": "SIZE", "UpdateExpression": "SET a = :a",
    "ConditionExpression": "b = :a", "ExpressionAttributeNames": {"#x": "y"},
    "ExpressionAttributeValues": {":a": {"L": [{"NULL": true}]}},
    "ReturnValuesOnConditionCheckFailure": "NONE"})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "orders");
  EXPECT_EQ(input->key, (Item{{"pk", "a"}}));
  ASSERT_TRUE(input->attribute_updates.has_value());
  EXPECT_EQ(input->attribute_updates->at("n").value, AttributeValue(1));
  EXPECT_EQ(input->attribute_updates->at("n").action, AttributeAction::kAdd);
  EXPECT_FALSE(input->attribute_updates->at("d").value.has_value());
  EXPECT_EQ(input->attribute_updates->at("d").action, AttributeAction::kDelete);
  EXPECT_FALSE(input->attribute_updates->at("p").action.has_value());
  ASSERT_TRUE(input->expected.has_value());
  EXPECT_EQ(input->expected->at("n").comparison_operator, ComparisonOperator::kNotNull);
  EXPECT_EQ(input->conditional_operator, ConditionalOperator::kAnd);
  EXPECT_EQ(input->return_values, ReturnValues::kUpdatedNew);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kSize);
  EXPECT_EQ(input->update_expression, "SET a = :a");
  EXPECT_EQ(input->condition_expression, "b = :a");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#x", "y"}}));
  EXPECT_EQ(input->expression_attribute_values, (Map{{":a", List{Null{}}}}));
  EXPECT_EQ(input->return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kNone);
}

TEST(UpdateItemMessage, AnswersWithAttributesOnlyIfThereAreSome) {
  FakeServer server;
  constexpr std::string_view kBody = R"({"TableName": "orders", "Key": {"pk": {"S": "a"}}})";
  const auto* input = server.Decode<UpdateItemInput>("UpdateItem", kBody);
  ASSERT_NE(input, nullptr);
  EXPECT_FALSE(input->update_expression.has_value());
  EXPECT_FALSE(input->attribute_updates.has_value());
  EXPECT_EQ(server.Ask("UpdateItem", kBody), "{}");
  server.database().Script(UpdateItemOutput{.attributes = Item{{"z", 1}}});
  EXPECT_EQ(server.Ask("UpdateItem", kBody), R"({"Attributes":{"z":{"N":"1"}}})");
}

TEST(DeleteItemMessage, EveryMemberArrives) {
  FakeServer server;
  const auto* input = server.Decode<DeleteItemInput>("DeleteItem", R"({
    "TableName": "orders", "Key": {"pk": {"S": "a"}}, "Expected": {"n": {"Exists": false}},
    "ConditionalOperator": "AND", "ReturnValues": "ALL_OLD", "ReturnConsumedCapacity": "TOTAL",
    "ReturnItemCollectionMetrics": "SIZE", "ConditionExpression": "b = :a",
    "ExpressionAttributeNames": {"#x": "y"}, "ExpressionAttributeValues": {":a": {"S": "v"}},
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->table_name, "orders");
  EXPECT_EQ(input->key, (Item{{"pk", "a"}}));
  ASSERT_TRUE(input->expected.has_value());
  EXPECT_EQ(input->expected->at("n").exists, false);
  EXPECT_EQ(input->conditional_operator, ConditionalOperator::kAnd);
  EXPECT_EQ(input->return_values, ReturnValues::kAllOld);
  EXPECT_EQ(input->return_consumed_capacity, ReturnConsumedCapacity::kTotal);
  EXPECT_EQ(input->return_item_collection_metrics, ReturnItemCollectionMetrics::kSize);
  EXPECT_EQ(input->condition_expression, "b = :a");
  EXPECT_EQ(input->expression_attribute_names, (AttributeNames{{"#x", "y"}}));
  EXPECT_EQ(input->expression_attribute_values, (Map{{":a", "v"}}));
  EXPECT_EQ(input->return_values_on_condition_check_failure,
            ReturnValuesOnConditionCheckFailure::kAllOld);
  server.database().Script(DeleteItemOutput{.attributes = Item{{"pk", "a"}}});
  EXPECT_EQ(server.Ask("DeleteItem", R"({"TableName": "orders", "Key": {}})"),
            R"({"Attributes":{"pk":{"S":"a"}}})");
}

}  // namespace
}  // namespace stator::wire
