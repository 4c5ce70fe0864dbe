// From a request to its answer: which operation, what is no request at all, answers that come
// later, capacity that is counted but not shown, permissions, and bodies that were damaged on their
// way.

#include "wire/handler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "wire/fake_database.h"
#include "wire/operations.h"

namespace stator::wire {
namespace {

constexpr std::string_view kNoMessage =
    R"({"__type":"com.amazon.coral.service#SerializationException"})";
constexpr std::string_view kGetItem = R"({"TableName": "abc", "Key": {"pk": {"S": "a"}}})";

TEST(Operations, AreAllThatTheDatabaseHas) {
  ASSERT_EQ(AllOperations().size(), api::kOperations.size());
  for (std::size_t i = 0; i < api::kOperations.size(); ++i) {
    EXPECT_EQ(AllOperations()[i].target, api::kOperations[i]->target);
  }
}

TEST(Operations, AreFoundByTheirTargetAndByNothingElse) {
  for (const Operation& operation : AllOperations()) {
    EXPECT_EQ(FindOperation(operation.target), &operation);
    std::string other(operation.target);
    for (char& letter : other) {
      letter = static_cast<char>(letter ^ 1);
      EXPECT_EQ(FindOperation(other), nullptr) << other;
      letter = static_cast<char>(letter ^ 1);
    }
    for (std::size_t size = 0; size < other.size(); ++size) {
      EXPECT_EQ(FindOperation(std::string_view(other).substr(0, size)), nullptr);
    }
    EXPECT_EQ(FindOperation(other + "s"), nullptr);
    EXPECT_EQ(FindOperation(other + std::string(1, '\0')), nullptr);
  }
}

// Whatever is wrong with the body: the operation is the one that was asked for.
TEST(Operations, AnswerUnderTheirName) {
  for (const Operation& operation : AllOperations()) {
    FakeServer server;
    const Answer answer = server.Send(operation.target, "{}");
    EXPECT_EQ(answer.operation, operation.name);
    EXPECT_TRUE(answer.status == 200 || answer.error == "ValidationException") << answer.body;
    EXPECT_EQ(server.Send(operation.target, "[]").operation, operation.name);
  }
}

TEST(DatabaseHandler, UnknownTargetsAreRefused) {
  FakeServer server;
  for (const std::string_view target :
       {"", "GetItem", "DynamoDB_20120810.", "DynamoDB_20120810.getItem", "DynamoDB_2012.GetItem",
        "DynamoDB_20120810.GetRecords", "DynamoDBStreams_20120810.GetItem"}) {
    const Answer answer = server.Send(target, kGetItem);
    EXPECT_EQ(answer.status, 400) << target;
    EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
    EXPECT_EQ(answer.operation, "");
    EXPECT_EQ(answer.error, "UnknownOperationException");
  }
}

TEST(DatabaseHandler, WhatIsNoObjectIsRefusedWithoutAWord) {
  FakeServer server;
  for (const std::string_view body : {"{", R"({"a": 1} x)", "\xff", R"({"a": 01})", "", "[1]", "1",
                                      "null", R"("text")", "\xef\xbb\xbf{}"}) {
    const Answer answer = server.Send("DynamoDB_20120810.GetItem", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.body, kNoMessage) << body;
    EXPECT_EQ(answer.error, "SerializationException");
  }
}

TEST(DatabaseHandler, BrokenJsonCountsBeforeAnUnknownTarget) {
  FakeServer server;
  EXPECT_EQ(server.Send("Nonsense", "{").body, kNoMessage);
  EXPECT_EQ(server.Send("Nonsense", "").error, "UnknownOperationException");
}

TEST(DatabaseHandler, ErrorsOfTheDatabaseAreAnswers) {
  FakeServer server;
  server.database().Script<GetItemOutput>(
      Fail(ErrorCode::kTableNotFound, "Requested resource not found"));
  const Answer answer = server.Send("DynamoDB_20120810.GetItem", kGetItem);
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"})");
  EXPECT_EQ(answer.operation, "GetItem");
  EXPECT_EQ(answer.error, "ResourceNotFoundException");
}

TEST(DatabaseHandler, CapacityIsCountedEvenIfNobodyWantsToSeeIt) {
  FakeServer server;
  server.database().Script(GetItemOutput{
      .consumed_capacity = ConsumedCapacity{.table_name = "abc", .capacity_units = 0.5}});
  const Answer hidden = server.Send("DynamoDB_20120810.GetItem", kGetItem);
  EXPECT_EQ(hidden.body, "{}");
  EXPECT_EQ(hidden.read_units, 0.5);
  EXPECT_EQ(hidden.write_units, 0);
  EXPECT_EQ(server.database().Last<GetItemInput>()->return_consumed_capacity,
            ReturnConsumedCapacity::kTotal);

  server.database().Script(
      BatchWriteItemOutput{.consumed_capacity = {{.table_name = "one", .capacity_units = 1},
                                                 {.table_name = "two", .capacity_units = 2}}});
  const Answer written = server.Send("DynamoDB_20120810.BatchWriteItem",
                                     R"({"RequestItems": {"one": [{"PutRequest": {"Item": {}}}]},
                      "ReturnConsumedCapacity": "NONE"})");
  EXPECT_EQ(written.body, R"({"UnprocessedItems":{}})");
  EXPECT_EQ(written.write_units, 3);
  EXPECT_EQ(written.read_units, 0);
}

// Keeps item writes until they are released, as a database does that syncs its log.
class SlowDatabase final : public FakeDatabase {
 public:
  void StartPutItem(const PutItemInput& /*input*/, Completion<PutItemOutput> done) override {
    waiting_.push_back(std::move(done));
  }
  void Release() {
    for (Completion<PutItemOutput>& done : std::exchange(waiting_, {})) {
      PutItemOutput output;
      output.attributes = Item{{"pk", "old"}};
      done(output);
    }
  }

 private:
  std::vector<Completion<PutItemOutput>> waiting_;
};

TEST(DatabaseHandler, WritesAreAnsweredWhenTheyAreDurable) {
  SlowDatabase database;
  DatabaseHandler handler(database);
  std::vector<std::string> answers;
  {
    std::string body = R"({"TableName": "abc", "Item": {"pk": {"S": "a"}}})";
    const std::size_t size = body.size();
    body.append(kBodyPaddingBytes, '\0');
    handler.Handle({.target = "DynamoDB_20120810.PutItem",
                    .body = std::string_view(body).substr(0, size),
                    .caller = {}},
                   [&answers](Answer answer) { answers.push_back(std::move(answer.body)); });
  }
  EXPECT_TRUE(answers.empty());
  database.Release();
  EXPECT_EQ(answers, std::vector<std::string>{R"({"Attributes":{"pk":{"S":"old"}}})"});
}

// Allows what it was told to and remembers all questions.
class FakeAuthorizer final : public Authorizer {
 public:
  explicit FakeAuthorizer(std::set<std::string> allowed) : allowed_(std::move(allowed)) {}

  [[nodiscard]] Result<void> Authorize(const AccessQuestion& question) const override {
    questions.push_back(std::string(question.action) + " " + std::string(question.resource));
    for (const std::string& key : question.leading_keys) {
      questions.back() += " " + key;
    }
    if (question.full_table_scan == true) {
      questions.back() += " all of it";
    }
    if (allowed_.empty() || allowed_.contains(questions.back())) {
      return {};
    }
    return Fail(ErrorCode::kAccessDenied, "no");
  }

  [[nodiscard]] bool AsksForKeys() const override { return asks_for_keys; }

  mutable std::vector<std::string> questions;
  bool asks_for_keys = false;

 private:
  std::set<std::string> allowed_;  // empty means all
};

Caller CallerWith(const Authorizer& authorizer) {
  return {.access_key_id = "key", .region = "eu-west-1", .authorizer = &authorizer};
}

std::vector<std::string> QuestionsOf(std::string_view target, std::string_view body) {
  FakeServer server;
  const FakeAuthorizer authorizer({});
  server.Send(target, body, CallerWith(authorizer));
  return authorizer.questions;
}

TEST(AccessCheck, AsksForEachResource) {
  using Questions = std::vector<std::string>;
  const std::string table = "arn:aws:dynamodb:eu-west-1:000000000000:table/";
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.GetItem", kGetItem),
            Questions{"dynamodb:GetItem " + table + "abc"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.Query", R"({"TableName": "abc", "IndexName": "idx"})"),
            Questions{"dynamodb:Query " + table + "abc/index/idx"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.Scan", R"({"TableName": "abc"})"),
            Questions{"dynamodb:Scan " + table + "abc"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.BatchGetItem",
                        R"({"RequestItems": {"one": {"Keys": [{}]}, "two": {"Keys": [{}]}}})"),
            (Questions{"dynamodb:BatchGetItem " + table + "one",
                       "dynamodb:BatchGetItem " + table + "two"}));
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.TransactWriteItems", R"({"TransactItems": [
              {"Put": {"TableName": "one", "Item": {}}},
              {"Delete": {"TableName": "two", "Key": {}}},
              {"Update": {"TableName": "three", "Key": {}, "UpdateExpression": ""}},
              {"ConditionCheck": {"TableName": "four", "Key": {}, "ConditionExpression": ""}}]})"),
            (Questions{"dynamodb:PutItem " + table + "one", "dynamodb:DeleteItem " + table + "two",
                       "dynamodb:UpdateItem " + table + "three",
                       "dynamodb:ConditionCheckItem " + table + "four"}));
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.TransactGetItems",
                        R"({"TransactItems": [{"Get": {"TableName": "one", "Key": {}}}]})"),
            Questions{"dynamodb:GetItem " + table + "one"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.BatchWriteItem",
                        R"({"RequestItems": {"one": [{"PutRequest": {"Item": {}}}]}})"),
            Questions{"dynamodb:BatchWriteItem " + table + "one"});
  const std::string bare = R"({"TableName": "abc", "AttributeDefinitions":
      [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema":
      [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST")";
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.CreateTable", bare + "}"),
            Questions{"dynamodb:CreateTable " + table + "abc"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.CreateTable",
                        bare + R"(, "Tags": [{"Key": "k", "Value": "v"}]})"),
            (Questions{"dynamodb:CreateTable " + table + "abc",
                       "dynamodb:TagResource " + table + "abc"}));
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.ListTables", "{}"), Questions{"dynamodb:ListTables *"});
  EXPECT_EQ(QuestionsOf("DynamoDBStreams_20120810.ListStreams", R"({"TableName": "abc"})"),
            Questions{"dynamodb:ListStreams " + table + "abc/stream/*"});
  EXPECT_EQ(QuestionsOf("DynamoDBStreams_20120810.GetRecords",
                        R"({"ShardIterator": "arn:aws:dynamodb:x:1:table/abc/stream/l|1|rest"})"),
            Questions{"dynamodb:GetRecords " + table + "abc/stream/l"});
  EXPECT_EQ(QuestionsOf("DynamoDBStreams_20120810.GetRecords", R"({"ShardIterator": "what"})"),
            Questions{"dynamodb:GetRecords *"});
}

TEST(AccessCheck, AsksForEachStatement) {
  using Questions = std::vector<std::string>;
  const std::string table = "arn:aws:dynamodb:eu-west-1:000000000000:table/";
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.ExecuteStatement",
                        R"({"Statement": "SELECT * FROM \"abc\".\"idx\""})"),
            Questions{"dynamodb:PartiQLSelect " + table + "abc/index/idx"});
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.ExecuteTransaction", R"json({"TransactStatements": [
              {"Statement": "INSERT INTO one VALUE {'a': 1}"},
              {"Statement": "UPDATE two SET a = 1 WHERE b = 2"},
              {"Statement": "DELETE FROM three WHERE b = 2"},
              {"Statement": "EXISTS(SELECT * FROM four WHERE a = 1 AND b = 2)"}]})json"),
            (Questions{"dynamodb:PartiQLInsert " + table + "one",
                       "dynamodb:PartiQLUpdate " + table + "two",
                       "dynamodb:PartiQLDelete " + table + "three",
                       "dynamodb:PartiQLSelect " + table + "four"}));
  // What is none is the database's to refuse.
  EXPECT_EQ(QuestionsOf("DynamoDB_20120810.ExecuteStatement", R"({"Statement": "SELECT"})"),
            Questions());
}

TEST(AccessCheck, RefusesTheStatementsOfABatchOneByOne) {
  const std::string body = R"({"Statements": [
      {"Statement": "DELETE FROM one WHERE a = 1"}, {"Statement": "DELETE FROM two WHERE a = 1"},
      {"Statement": "DELETE FROM six WHERE a = 1"}]})";
  const std::string table = "dynamodb:PartiQLDelete arn:aws:dynamodb:eu-west-1:000000000000:table/";
  const std::string denied = R"({"Error":{"Code":"AccessDenied","Message":"no"}})";
  FakeServer server;
  server.database().Script(BatchExecuteStatementOutput{.responses = {{.table_name = "two"}}});
  const FakeAuthorizer some({table + "two"});
  EXPECT_EQ(server.Send("DynamoDB_20120810.BatchExecuteStatement", body, CallerWith(some)).body,
            R"({"Responses":[)" + denied + R"(,{"TableName":"two"},)" + denied + "]}");
  ASSERT_EQ(server.database().Last<BatchExecuteStatementInput>()->statements.size(), 1U);
  FakeServer untouched;
  const FakeAuthorizer none({"nothing"});
  EXPECT_EQ(untouched.Send("DynamoDB_20120810.BatchExecuteStatement", body, CallerWith(none)).body,
            R"({"Responses":[)" + denied + "," + denied + "," + denied + "]}");
  EXPECT_EQ(untouched.database().Last<BatchExecuteStatementInput>(), nullptr);
}

TEST(DatabaseHandler, CountsTheUnitsOfAStatementByWhatItIs) {
  FakeServer server;
  const auto units = [&](const std::string& statement) {
    server.database().Script(ExecuteStatementOutput{
        .consumed_capacity = ConsumedCapacity{.table_name = "abc", .capacity_units = 3}});
    const Answer answer = server.Send("DynamoDB_20120810.ExecuteStatement",
                                      R"({"Statement": ")" + statement + R"("})");
    return std::pair(answer.read_units, answer.write_units);
  };
  EXPECT_EQ(units("SELECT * FROM abc"), std::pair(3.0, 0.0));
  EXPECT_EQ(units("DELETE FROM abc WHERE a = 1"), std::pair(0.0, 3.0));
}

TEST(AccessCheck, AnArnInTheRequestCannotBeSpelledOtherwise) {
  const std::vector<std::string> expected = {
      "dynamodb:GetItem arn:aws:dynamodb:eu-west-1:000000000000:table/abc"};
  for (const std::string_view arn :
       {"arn:aws:dynamodb:eu-west-1:000000000000:table/abc",
        "arn:aws:dynamodb:us-west-2:123456789012:table/abc", "arn:::table/abc"}) {
    EXPECT_EQ(QuestionsOf("DynamoDB_20120810.GetItem",
                          R"({"TableName": ")" + std::string(arn) + R"(", "Key": {}})"),
              expected);
  }
}

TEST(AccessCheck, ARefusalKeepsTheRequestFromTheDatabase) {
  FakeServer server;
  const FakeAuthorizer authorizer({"dynamodb:GetItem something else"});
  const Answer answer = server.Send("DynamoDB_20120810.GetItem", kGetItem, CallerWith(authorizer));
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.error, "AccessDeniedException");
  EXPECT_EQ(server.database().Last<GetItemInput>(), nullptr);
}

// One body for each operation, from which damaged ones are made.
const std::map<std::string, std::string>& Examples() {
  static const std::map<std::string, std::string> kExamples = {
      {"DynamoDB_20120810.PutItem",
       R"({"TableName":"abc","Item":{"a":{"L":[{"M":{"x":{"NS":["1"]}}}]}},"Expected":{"a":)"
       R"({"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]}},"ReturnValues":"NONE"})"},
      {"DynamoDB_20120810.Query",
       R"({"TableName":"abc","KeyConditions":{"a":{"ComparisonOperator":"EQ"}},"Limit":3,)"
       R"("ExpressionAttributeValues":{":a":{"B":"AAE="}},"ExpressionAttributeNames":{"#a":"b"}})"},
      {"DynamoDB_20120810.BatchWriteItem",
       R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{"a":{"BOOL":true}}}},)"
       R"({"DeleteRequest":{"Key":{"a":{"NULL":true}}}}]}})"},
      {"DynamoDB_20120810.TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"abc","Item":{}}},{"Update":{"TableName":"abc",)"
       R"("Key":{},"UpdateExpression":"SET a = :a"}}],"ClientRequestToken":"t"})"},
      {"DynamoDB_20120810.CreateTable",
       R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
       R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{)"
       R"("IndexName":"idx","KeySchema":[],"Projection":{"NonKeyAttributes":["a"]}}]})"},
      {"DynamoDBStreams_20120810.DescribeStream",
       R"({"StreamArn":"arn","ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"x"},"Limit":1})"},
  };
  return kExamples;
}

RC_GTEST_PROP(DatabaseHandler, AnswersWhateverItIsSent, ()) {
  const auto& [target, example] = *rc::gen::elementOf(
      std::vector<std::pair<std::string, std::string>>(Examples().begin(), Examples().end()));
  std::string body = example;
  const int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits && !body.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, body.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 8);
    const auto text = *rc::gen::elementOf(
        std::vector<std::string>{"", "null", "{}", "[]", "1", "-1e400", "\"\"", "\"x\"", "true",
                                 "{\"S\":1}", "[[", "\\u0000", ",", ":", "\"", "\xc3"});
    body.replace(at, length, text);
  }
  FakeServer server;
  const Answer answer = server.Send(target, body);
  RC_ASSERT((answer.status == 200 || answer.status == 400));
  RC_ASSERT((answer.status == 200) == answer.error.empty());
}

}  // namespace
}  // namespace stator::wire
