// BatchExecuteStatement: each statement gets an answer of its own.

#include "contract/statement_test.h"

namespace stator::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class BatchStatement : public StatementTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
    MakeTable({.name = "others", .keys = "id:N"});
    Put("things", {{"pk", "a"}, {"n", 1}, {"g", "x"}});
    Put("things", {{"pk", "b"}, {"n", 2}});
    Put("others", {{"id", 1}, {"v", "one"}});
  }

  [[nodiscard]] Result<BatchExecuteStatementOutput> Batch(
      const std::vector<std::string>& statements) {
    BatchExecuteStatementInput input;
    for (const std::string& statement : statements) {
      input.statements.push_back({.statement = statement});
    }
    return db().BatchExecuteStatement(input);
  }
  // "" for those that succeeded.
  [[nodiscard]] static std::vector<std::string> Codes(const BatchExecuteStatementOutput& output) {
    std::vector<std::string> codes;
    for (const BatchStatementResponse& response : output.responses) {
      codes.push_back(response.error ? response.error->code : "");
    }
    return codes;
  }
};

TEST_F(BatchStatement, ReadsItems) {
  const auto output =
      Must(Batch({"SELECT * FROM things WHERE pk = 'a'", "SELECT v FROM others WHERE id = 1",
                  "SELECT * FROM things WHERE pk = 'none'"}));
  ASSERT_EQ(output.responses.size(), 3U);
  EXPECT_EQ(output.responses[0].item, (Item{{"pk", "a"}, {"n", 1}, {"g", "x"}}));
  EXPECT_EQ(output.responses[0].table_name, "things");
  EXPECT_EQ(output.responses[1].item, (Item{{"v", "one"}}));
  EXPECT_EQ(output.responses[1].table_name, "others");
  EXPECT_EQ(output.responses[2].item, std::nullopt);
  EXPECT_FALSE(output.responses[2].error.has_value());
}

TEST_F(BatchStatement, WritesItemsOneByOne) {
  const auto output = Must(
      Batch({"INSERT INTO things VALUE {'pk': 'new'}", "UPDATE things SET n = 5 WHERE pk = 'a'",
             "DELETE FROM things WHERE pk = 'b' RETURNING ALL OLD *",
             "UPDATE others SET v = 'x' WHERE id = 2", "DELETE FROM others WHERE id = 9"}));
  EXPECT_THAT(Codes(output), ElementsAre("", "", "", "ConditionalCheckFailed", ""));
  EXPECT_EQ(output.responses[2].item, (Item{{"pk", "b"}, {"n", 2}}));
  EXPECT_EQ(output.responses[3].table_name, "others");
  EXPECT_EQ(output.responses[3].error->message, "The conditional request failed");
  EXPECT_EQ(Get("things", {{"pk", "new"}}), (Item{{"pk", "new"}}));
  EXPECT_EQ(Get("things", {{"pk", "a"}})->at("n"), AttributeValue(5));
  EXPECT_EQ(Get("things", {{"pk", "b"}}), std::nullopt);
}

TEST_F(BatchStatement, ATooLargeItemIsToldByItself) {
  BatchExecuteStatementInput input;
  input.statements.push_back({.statement = "INSERT INTO things VALUE {'pk': 'large', 't': ?}",
                              .parameters = Values{Text(409'600)}});
  input.statements.push_back({.statement = "INSERT INTO things VALUE {'pk': 'small'}"});
  const auto output = Must(db().BatchExecuteStatement(input));
  EXPECT_THAT(Codes(output), ElementsAre("ValidationError", ""));
  EXPECT_EQ(output.responses[0].error->message, "Item size has exceeded the maximum allowed size");
  EXPECT_EQ(Get("things", {{"pk", "large"}}), std::nullopt);
}

TEST_F(BatchStatement, ADuplicateIsToldByItself) {
  const auto output = Must(
      Batch({"INSERT INTO things VALUE {'pk': 'a'}", "INSERT INTO things VALUE {'pk': 'fresh'}"}));
  EXPECT_THAT(Codes(output), ElementsAre("DuplicateItem", ""));
  EXPECT_EQ(output.responses[0].error->message, "Duplicate primary key exists in table");
  EXPECT_TRUE(Get("things", {{"pk", "fresh"}}).has_value());
}

TEST_F(BatchStatement, WhatIsNoStatementFailsAlone) {
  const auto output =
      Must(Batch({"SELECT * FROM", "SELECT * FROM things WHERE pk = 'a'",
                  "SELECT * FROM nosuchtable WHERE pk = 'a'", "SELECT * FROM things WHERE n = 1"}));
  EXPECT_THAT(Codes(output),
              ElementsAre("ValidationError", "", "ResourceNotFound", "ValidationError"));
  EXPECT_EQ(output.responses[0].table_name, std::nullopt);
  EXPECT_TRUE(output.responses[1].item.has_value());
  const auto alone = Must(Batch({"what is this"}));
  EXPECT_THAT(Codes(alone), ElementsAre("ValidationError"));
}

TEST_F(BatchStatement, ReadsNameOneItem) {
  for (const std::string statement :
       {"SELECT * FROM things", "SELECT * FROM things WHERE pk = 'a' AND n = 1",
        "SELECT * FROM things WHERE pk IN ['a']", "SELECT * FROM things.by_g WHERE g = 'x'"}) {
    const auto output = Must(Batch({statement}));
    ASSERT_EQ(output.responses.size(), 1U);
    ASSERT_TRUE(output.responses[0].error.has_value()) << statement;
    EXPECT_EQ(output.responses[0].error->code, "ValidationError");
    if (!ThisHome().has_own_words) {
      EXPECT_EQ(output.responses[0].error->message,
                "Select statements within BatchExecuteStatement must specify the primary key in "
                "the where clause.");
    }
  }
}

TEST_F(BatchStatement, DoesNotMixReadsAndWrites) {
  EXPECT_TRUE(
      Refused(Batch({"SELECT * FROM things WHERE pk = 'a'", "DELETE FROM things WHERE pk = 'b'"}),
              "Read and write requests together in the same batch is not supported."));
}

TEST_F(BatchStatement, HasEachItemOnce) {
  constexpr const char* kTwice = "Provided list of item keys contains duplicates";
  EXPECT_TRUE(
      Refused(Batch({"SELECT * FROM things WHERE pk = 'a'", "SELECT n FROM things WHERE pk = 'a'"}),
              kTwice));
  EXPECT_TRUE(Refused(
      Batch({"DELETE FROM things WHERE pk = 'a'", "UPDATE things SET n = 1 WHERE pk = 'a'"}),
      kTwice));
  EXPECT_TRUE(Get("things", {{"pk", "a"}}).has_value());
}

TEST_F(BatchStatement, HasUpTo25Statements) {
  std::vector<std::string> statements;
  for (int i = 0; i < 25; ++i) {
    statements.push_back("INSERT INTO things VALUE {'pk': 'k" + std::to_string(i) + "'}");
  }
  EXPECT_THAT(Codes(Must(Batch(statements))), testing::Each(""));
  statements.emplace_back("INSERT INTO things VALUE {'pk': 'k25'}");
  EXPECT_TRUE(FailsWith(Batch(statements), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Batch({}), ErrorCode::kValidation));
}

TEST_F(BatchStatement, TakesParametersAndShowsItemsOfFailures) {
  const auto output = Must(db().BatchExecuteStatement(
      {.statements = {
           {.statement = "UPDATE things SET n = ? WHERE pk = ? AND n = ?",
            .parameters = Values{9, "a", 7},
            .return_values_on_condition_check_failure =
                ReturnValuesOnConditionCheckFailure::kAllOld},
           {.statement = "UPDATE things SET n = ? WHERE pk = ?", .parameters = Values{9, "b"}},
           {.statement = "DELETE FROM things WHERE pk = ?"}}}));
  EXPECT_THAT(Codes(output), ElementsAre("ConditionalCheckFailed", "", "ValidationError"));
  EXPECT_EQ(output.responses[0].error->item, (Item{{"pk", "a"}, {"n", 1}, {"g", "x"}}));
  EXPECT_EQ(Get("things", {{"pk", "b"}})->at("n"), AttributeValue(9));
}

TEST_F(BatchStatement, CostsByTable) {
  const auto output = Must(db().BatchExecuteStatement(
      {.statements = {{.statement = "INSERT INTO others VALUE {'id': 7}"},
                      {.statement = "INSERT INTO others VALUE {'id': 1}"},
                      {.statement = "UPDATE things SET n = 1 WHERE pk = 'none'"}},
       .return_consumed_capacity = ReturnConsumedCapacity::kIndexes}));
  EXPECT_THAT(Codes(output), ElementsAre("", "DuplicateItem", "ConditionalCheckFailed"));
  // What failed is in the total of a table of which something succeeded.
  ASSERT_EQ(output.consumed_capacity.size(), 1U);
  EXPECT_EQ(output.consumed_capacity[0].table_name, "others");
  EXPECT_EQ(output.consumed_capacity[0].capacity_units, 2);
  EXPECT_EQ(output.consumed_capacity[0].table->capacity_units, 1);
}

}  // namespace
}  // namespace stator::contract
