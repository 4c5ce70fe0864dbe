// What is wrong with a request, in the order in which the service looks: JSON types, then all
// constraints at once, then contents. The words for wrong types are those of AWS's front end.

#include <gtest/gtest.h>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

std::string TypeFault(std::string_view operation, std::string_view body) {
  FakeServer server;
  return server.Ask(operation, body);
}

TEST(WrongTypes, OfTexts) {
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": 1})"),
            SerializationBody("NUMBER_VALUE cannot be converted to String"));
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": 1.5})"),
            SerializationBody("DECIMAL_VALUE cannot be converted to String"));
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": true})"),
            SerializationBody("TRUE_VALUE cannot be converted to String"));
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": false})"),
            SerializationBody("FALSE_VALUE cannot be converted to String"));
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": {}})"),
            SerializationBody("Start of structure or map found where not expected"));
  EXPECT_EQ(TypeFault("PutItem", R"({"TableName": []})"),
            SerializationBody("Unrecognized collection type class java.lang.String"));
  EXPECT_EQ(TypeFault("PutItem", R"({"ReturnValues": 3})"),
            SerializationBody("NUMBER_VALUE cannot be converted to String"));
  EXPECT_EQ(TypeFault("GetItem", R"({"ExpressionAttributeNames": {"#a": 3}})"),
            SerializationBody("NUMBER_VALUE cannot be converted to String"));
}

TEST(WrongTypes, OfBooleans) {
  EXPECT_EQ(TypeFault("GetItem", R"({"ConsistentRead": 1})"),
            SerializationBody("NUMBER_VALUE cannot be converted to Boolean"));
  EXPECT_EQ(TypeFault("GetItem", R"({"ConsistentRead": "maybe"})"),
            SerializationBody("Unexpected token received from parser"));
  EXPECT_EQ(TypeFault("GetItem", R"({"ConsistentRead": []})"),
            SerializationBody("Unrecognized collection type class java.lang.Boolean"));
}

TEST(WrongTypes, SomeTextsPassAsBooleans) {
  FakeServer server;
  for (const std::string_view text : {"true", "TRUE", "Yes", "1"}) {
    const auto* input = server.Decode<GetItemInput>(
        "GetItem",
        R"({"TableName": "abc", "Key": {}, "ConsistentRead": ")" + std::string(text) + "\"}");
    ASSERT_NE(input, nullptr) << text;
    EXPECT_TRUE(input->consistent_read) << text;
  }
  for (const std::string_view text : {"false", "no", "0"}) {
    const auto* input = server.Decode<QueryInput>(
        "Query", R"({"TableName": "abc", "ScanIndexForward": ")" + std::string(text) + "\"}");
    ASSERT_NE(input, nullptr) << text;
    EXPECT_FALSE(input->scan_index_forward) << text;
  }
}

TEST(WrongTypes, OfNumbers) {
  EXPECT_EQ(TypeFault("Query", R"({"Limit": "1"})"),
            SerializationBody("STRING_VALUE cannot be converted to Integer"));
  EXPECT_EQ(TypeFault("Query", R"({"Limit": true})"),
            SerializationBody("TRUE_VALUE cannot be converted to Integer"));
  EXPECT_EQ(TypeFault("Query", R"({"Limit": 2147483648})"),
            SerializationBody("NUMBER_VALUE cannot be converted to Integer"));
  EXPECT_EQ(TypeFault("Query", R"({"Limit": 1e300})"),
            SerializationBody("DECIMAL_VALUE cannot be converted to Integer"));
  EXPECT_EQ(TypeFault("UpdateTable", R"({"ProvisionedThroughput": {"ReadCapacityUnits": "1"}})"),
            SerializationBody("STRING_VALUE cannot be converted to Long"));
  EXPECT_EQ(TypeFault("UpdateTable",
                      R"({"ProvisionedThroughput": {"ReadCapacityUnits": 18446744073709551615}})"),
            SerializationBody("NUMBER_VALUE cannot be converted to Long"));
}

TEST(WrongTypes, FractionsAreCutOff) {
  FakeServer server;
  const auto* input = server.Decode<QueryInput>("Query", R"({"TableName": "abc", "Limit": 2.9})");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->limit, 2);
  const auto* update = server.Decode<UpdateTableInput>(
      "UpdateTable", R"({"TableName": "abc", "ProvisionedThroughput":
          {"ReadCapacityUnits": 9223372036854775807, "WriteCapacityUnits": 1e3}})");
  ASSERT_NE(update, nullptr);
  EXPECT_EQ(update->provisioned_throughput, (ProvisionedThroughput{INT64_MAX, 1000}));
}

TEST(WrongTypes, OfListsMapsAndStructures) {
  EXPECT_EQ(TypeFault("GetItem", R"({"AttributesToGet": "a"})"),
            SerializationBody("Unexpected field type"));
  EXPECT_EQ(TypeFault("GetItem", R"({"AttributesToGet": {}})"),
            SerializationBody("Start of structure or map found where not expected"));
  EXPECT_EQ(TypeFault("PutItem", R"({"Item": 1})"), SerializationBody("Unexpected field type"));
  EXPECT_EQ(TypeFault("PutItem", R"({"Item": []})"),
            SerializationBody("Unrecognized collection type java.util.Map<java.lang.String, "
                              "com.amazonaws.dynamodb.v20120810.AttributeValue>"));
  EXPECT_EQ(TypeFault("PutItem", R"({"ExpressionAttributeValues": []})"),
            SerializationBody("Unrecognized collection type java.util.Map<java.lang.String, "
                              "com.amazonaws.dynamodb.v20120810.AttributeValue>"));
  EXPECT_EQ(TypeFault("PutItem", R"({"ExpressionAttributeNames": []})"),
            SerializationBody("Unrecognized collection type java.util.Map<java.lang.String, "
                              "java.lang.String>"));
  EXPECT_EQ(TypeFault("PutItem", R"({"Expected": {"a": 1}})"),
            SerializationBody("Unexpected value type in payload"));
  EXPECT_EQ(TypeFault("PutItem", R"({"Expected": {"a": []}})"),
            SerializationBody("Unrecognized collection type class "
                              "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue"));
  EXPECT_EQ(TypeFault("PutItem", R"({"Expected": {"a": {"Value": 1}}})"),
            SerializationBody("Unexpected field type"));
  EXPECT_EQ(TypeFault("CreateTable", R"({"ProvisionedThroughput": 1})"),
            SerializationBody("Unexpected field type"));
  EXPECT_EQ(TypeFault("CreateTable", R"({"KeySchema": [1]})"),
            SerializationBody("Unexpected value type in payload"));
  EXPECT_EQ(TypeFault("TransactWriteItems", R"({"TransactItems": [[]]})"),
            SerializationBody("Unrecognized collection type class "
                              "com.amazonaws.dynamodb.v20120810.TransactWriteItem"));
  EXPECT_EQ(TypeFault("UpdateTable", R"({"GlobalSecondaryIndexUpdates": [{"Create": []}]})"),
            SerializationBody("Unrecognized collection type class "
                              "com.amazonaws.dynamodb.v20120810.CreateGlobalSecondaryIndexAction"));
  EXPECT_EQ(TypeFault("UpdateTable", R"({"GlobalSecondaryIndexUpdates": [{"Update": []}]})"),
            SerializationBody("Unrecognized collection type class "
                              "com.amazonaws.dynamodb.v20120810.UpdateGlobalSecondaryIndexAction"));
  EXPECT_EQ(TypeFault("BatchWriteItem", R"({"RequestItems": []})"),
            SerializationBody("Unrecognized collection type java.util.Map<java.lang.String, "
                              "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"));
  EXPECT_TRUE(TypeFault("BatchWriteItem", R"({"RequestItems": {"t": 1}})")
                  .contains("ParameterizedTypeImpl cannot be cast to class java.lang.Class"));
}

TEST(WrongTypes, CountBeforeEverythingElse) {
  EXPECT_EQ(TypeFault("PutItem", R"({"ReturnValues": "nonsense", "Item": {"a": {"N": "x"}},
                                     "ExpressionAttributeNames": 1})"),
            SerializationBody("Unexpected field type"));
  EXPECT_EQ(
      TypeFault("PutItem", R"({"TableName": "a", "Item": {"b": {"B": "?"}}})"),
      SerializationBody("Base64 encoded length is expected a multiple of 4 bytes but found: 1"));
}

TEST(Constraints, AllAreReportedInTheServicesOrder) {
  FakeServer server;
  EXPECT_EQ(server.Ask("PutItem", R"({"TableName": "", "Item": {}, "ReturnValues": "INVALID"})"),
            ValidationBody("1 validation error detected: Value at 'TableName' failed to satisfy "
                           "constraint: Member must have length greater than or equal to 1"));
  EXPECT_EQ(
      server.Ask("UpdateItem", R"({"TableName": "abc", "Key": {}, "ReturnValues": "INVALID",
                                   "ReturnConsumedCapacity": "INVALID"})"),
      ValidationBody("1 validation error detected: Failed to satisfy constraint: Member must "
                     "satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]"));
  EXPECT_EQ(
      server.Ask("UpdateItem", R"({"TableName": "", "ReturnValues": "INVALID",
                                   "ReturnConsumedCapacity": "INVALID"})"),
      ValidationBody("4 validation errors detected: Value 'INVALID' at 'returnConsumedCapacity' "
                     "failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, "
                     "TOTAL, NONE]; Value '' at 'tableName' failed to satisfy constraint: Member "
                     "must have length greater than or equal to 1; Value 'INVALID' at "
                     "'returnValues' failed to satisfy constraint: Member must satisfy enum value "
                     "set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value null at 'key' "
                     "failed to satisfy constraint: Member must not be null"));
  EXPECT_EQ(
      server.Ask("CreateTable", R"({"TableName": "abc", "AttributeDefinitions": [{}],
                                    "ProvisionedThroughput": {}})"),
      ValidationBody(
          "5 validation errors detected: "
          "Value null at 'attributeDefinitions.1.member.attributeName' failed to satisfy "
          "constraint: Member must not be null; "
          "Value null at 'attributeDefinitions.1.member.attributeType' failed to satisfy "
          "constraint: Member must not be null; "
          "Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: "
          "Member must not be null; "
          "Value null at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: "
          "Member must not be null; "
          "Value null at 'keySchema' failed to satisfy constraint: Member must not be null"));
}

TEST(Constraints, EntriesOfMapsAreNamedByTheirKey) {
  FakeServer server;
  EXPECT_EQ(server.Ask("Query", R"({"TableName": "abc", "KeyConditions": {"pk": {}},
                                    "QueryFilter": {"n": {"ComparisonOperator": "EQUALS"}}})"),
            ValidationBody("2 validation errors detected: Value 'EQUALS' at "
                           "'queryFilter.n.member.comparisonOperator' failed to satisfy "
                           "constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, "
                           "LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, "
                           "CONTAINS]; Value null at 'keyConditions.pk.member.comparisonOperator' "
                           "failed to satisfy constraint: Member must not be null"));
  EXPECT_EQ(server.Ask("BatchWriteItem", R"({"RequestItems": {"abc": [{"DeleteRequest": {}}]}})"),
            ValidationBody("1 validation error detected: Value null at "
                           "'requestItems.abc.member.1.member.deleteRequest.key' failed to satisfy "
                           "constraint: Member must not be null"));
  EXPECT_EQ(server.Ask("BatchGetItem", R"({"RequestItems": {"abc": {}}})"),
            ValidationBody("1 validation error detected: Value null at "
                           "'requestItems.abc.member.keys' failed to satisfy constraint: Member "
                           "must not be null"));
}

TEST(Constraints, CountBeforeContents) {
  FakeServer server;
  EXPECT_EQ(server.Ask("PutItem", R"({"TableName": "", "Item": {"a": {"N": "x"}}})"),
            ValidationBody("1 validation error detected: Value at 'TableName' failed to satisfy "
                           "constraint: Member must have length greater than or equal to 1"));
  EXPECT_EQ(server.Ask("PutItem", R"({"TableName": "abc", "Item": {"a": {"N": "x"}},
                                      "ConditionExpression": "a = :v",
                                      "ExpressionAttributeValues": {":v": {}}})"),
            ValidationBody("1 validation error detected: The parameter cannot be converted to a "
                           "numeric value: x"));
}

TEST(Constraints, OnlyTheWireSeesThatATableIsMissing) {
  FakeServer server;
  EXPECT_EQ(server.Ask("GetItem", "{}"),
            ValidationBody("2 validation errors detected: Value null at 'tableName' failed to "
                           "satisfy constraint: Member must not be null; Value null at 'key' "
                           "failed to satisfy constraint: Member must not be null"));
  for (const std::string_view operation :
       {"CreateTable", "UpdateTable", "DeleteTable", "DescribeTable", "DescribeTimeToLive"}) {
    EXPECT_EQ(
        server.Ask(operation, "{}"),
        ValidationBody("The parameter 'TableName' is required but was not present in the request"))
        << operation;
  }
  EXPECT_EQ(server.Ask("TagResource", "{}"), ValidationBody("Invalid TableArn"));
}

TEST(Contents, TheOlderWordsNameABadPlaceholder) {
  FakeServer server;
  EXPECT_EQ(server.Ask("Scan", R"({"ExpressionAttributeValues": {":a": {"S": "x"},
                          ":v": {"N": "abc"}}, "TableName": "abc", "FilterExpression": "a = :a"})"),
            ValidationBody("ExpressionAttributeValues contains invalid value: The parameter "
                           "cannot be converted to a numeric value: abc for key :v"));
  EXPECT_EQ(server.Ask("PutItem", R"({"ExpressionAttributeValues": {":a": {"S": "x"},
                          ":v": {"N": "abc"}}, "TableName": "abc", "Item": {},
                          "ConditionExpression": "a = :a"})"),
            ValidationBody("1 validation error detected: The parameter cannot be converted to a "
                           "numeric value: abc"));
  EXPECT_EQ(server.Ask("PutItem", R"({"ExpressionAttributeValues": {":v": {}},
                          "TableName": "abc", "Item": {"pk": {}}, "ConditionExpression": "a"})"),
            ValidationBody("1 validation error detected: Supplied AttributeValue is empty, must "
                           "contain exactly one of the supported datatypes"));
}

TEST(Contents, ABadNameOfAPlaceholderComesBeforeABadValue) {
  FakeServer server;
  EXPECT_EQ(
      server.Ask("Query", R"({"ExpressionAttributeValues": {":v": {"N": "abc"}, "v": {"S": ""}},
                          "TableName": "abc", "KeyConditionExpression": "a = :v"})"),
      ValidationBody("ExpressionAttributeValues contains invalid key: Syntax error; key: "
                     "\\\"v\\\""));
}

TEST(Contents, AnEmptyPlaceholderIsNoAttributeName) {
  FakeServer server;
  EXPECT_EQ(server.Ask("PutItem", R"({"TableName": "things", "Item": {"pk": {"S": "a"}},
                                      "ConditionExpression": "a = :v",
                                      "ExpressionAttributeValues": {"": {"S": "x"}}})"),
            ValidationBody("1 validation error detected: ExpressionAttributeValues contains "
                           "invalid key: The expression attribute map contains an empty key;"));
}

}  // namespace
}  // namespace stator::wire
