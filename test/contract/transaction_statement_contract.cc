// ExecuteTransaction: statements that happen together, or not at all.

#include "contract/statement_test.h"

namespace stator::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TransactionStatement : public StatementTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
    Put("things", {{"pk", "a"}, {"n", 1}});
    Put("things", {{"pk", "b"}, {"n", 2}});
  }

  [[nodiscard]] static ExecuteTransactionInput InputOf(const std::vector<std::string>& statements) {
    ExecuteTransactionInput input;
    for (const std::string& statement : statements) {
      input.transact_statements.push_back({.statement = statement});
    }
    return input;
  }
  [[nodiscard]] Result<ExecuteTransactionOutput> Transact(
      const std::vector<std::string>& statements) {
    return db().ExecuteTransaction(InputOf(statements));
  }
  [[nodiscard]] static std::vector<std::string> Codes(
      const Result<ExecuteTransactionOutput>& result) {
    std::vector<std::string> codes;
    for (const CancellationReason& reason : ReasonsIn(result)) {
      codes.push_back(reason.code);
    }
    return codes;
  }
};

TEST_F(TransactionStatement, ReadsTogether) {
  const auto output = Must(
      Transact({"SELECT n FROM things WHERE pk = 'b'", "SELECT * FROM things WHERE pk = 'none'",
                "SELECT * FROM things WHERE pk = 'a'"}));
  EXPECT_THAT(output.responses,
              ElementsAre(Item{{"n", 2}}, std::nullopt, Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(TransactionStatement, WritesTogether) {
  const auto output = Must(Transact({"INSERT INTO things VALUE {'pk': 'c', 'n': 3}",
                                     "UPDATE things SET n = n + 10 WHERE pk = 'a'",
                                     "DELETE FROM things WHERE pk = 'b' AND n = 2"}));
  EXPECT_THAT(output.responses, IsEmpty());
  EXPECT_EQ(Get("things", {{"pk", "c"}}), (Item{{"pk", "c"}, {"n", 3}}));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 11}}));
  EXPECT_EQ(Get("things", {{"pk", "b"}}), std::nullopt);
}

TEST_F(TransactionStatement, DoesNothingWhenOneFails) {
  const auto canceled = Transact({"INSERT INTO things VALUE {'pk': 'c'}",
                                  "UPDATE things SET n = 9 WHERE pk = 'a' AND n = 7",
                                  "DELETE FROM things WHERE pk = 'none' AND n = 7"});
  EXPECT_TRUE(Fails(canceled, ErrorCode::kTransactionCanceled,
                    "Transaction cancelled, please refer cancellation reasons for specific reasons "
                    "[None, ConditionalCheckFailed, None]"));
  EXPECT_THAT(Codes(canceled), ElementsAre("None", "ConditionalCheckFailed", "None"));
  EXPECT_EQ(Get("things", {{"pk", "c"}}), std::nullopt);
}

TEST_F(TransactionStatement, ADuplicateCancels) {
  const auto canceled =
      Transact({"INSERT INTO things VALUE {'pk': 'a'}", "DELETE FROM things WHERE pk = 'b'"});
  EXPECT_TRUE(FailsWith(canceled, ErrorCode::kTransactionCanceled));
  EXPECT_THAT(Codes(canceled), ElementsAre("DuplicateItem", "None"));
  EXPECT_TRUE(Get("things", {{"pk", "b"}}).has_value());
}

TEST_F(TransactionStatement, ShowsTheItemThatFailed) {
  const auto canceled = db().ExecuteTransaction(
      {.transact_statements = {{.statement = "UPDATE things SET n = 1 WHERE pk = ? AND n = ?",
                                .parameters = Values{"a", 7},
                                .return_values_on_condition_check_failure =
                                    ReturnValuesOnConditionCheckFailure::kAllOld}}});
  ASSERT_EQ(ReasonsIn(canceled).size(), 1U);
  EXPECT_EQ(ReasonsIn(canceled)[0].item, (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(TransactionStatement, ExistsIsACondition) {
  EXPECT_TRUE(Succeeds(Transact({"EXISTS(SELECT * FROM things WHERE pk = 'a' AND n = 1)",
                                 "UPDATE things SET n = 5 WHERE pk = 'b'"})));
  EXPECT_EQ(Get("things", {{"pk", "b"}})->at("n"), AttributeValue(5));
  EXPECT_THAT(Codes(Transact({"EXISTS(SELECT * FROM things WHERE pk = 'a' AND n = 2)",
                              "UPDATE things SET n = 6 WHERE pk = 'b'"})),
              ElementsAre("ConditionalCheckFailed", "None"));
  EXPECT_THAT(Codes(Transact({"EXISTS(SELECT * FROM things WHERE pk = 'none' AND n IS MISSING)"})),
              ElementsAre("ConditionalCheckFailed"));
  EXPECT_EQ(Get("things", {{"pk", "b"}})->at("n"), AttributeValue(5));
  EXPECT_TRUE(Refused(Transact({"EXISTS(SELECT * FROM things WHERE pk = 'a')"}),
                      "Validation failed in TransactStatements[0]: EXISTS() must contain a single "
                      "item read with additional condition"));
}

TEST_F(TransactionStatement, RefusesWhatDoesNotFitTogether) {
  EXPECT_TRUE(Refused(
      Transact({"SELECT * FROM things WHERE pk = 'a'", "DELETE FROM things WHERE pk = 'b'"}),
      "ExecuteTransaction API does not support both read and write operations in the same "
      "request."));
  EXPECT_TRUE(Refused(
      Transact({"UPDATE things SET n = 1 WHERE pk = 'a'", "DELETE FROM things WHERE pk = 'a'"}),
      "Transaction request cannot include multiple operations on one item"));
  EXPECT_TRUE(Refused(
      Transact({"SELECT * FROM things WHERE pk = 'a'", "SELECT * FROM things.by_g WHERE g = 'a'"}),
      "Validation failed in TransactStatements[1]: Reads on indices are not "
      "supported within transactions."));
  EXPECT_TRUE(Refused(Transact({"SELECT * FROM things WHERE n = 1"}),
                      "Validation failed in TransactStatements[0]: Select statements within "
                      "ExecuteTransaction must specify the primary key in the where clause."));
  EXPECT_TRUE(Refused(Transact({"DELETE FROM things WHERE pk = 'a' RETURNING ALL OLD *"}),
                      "Validation failed in TransactStatements[0]: RETURNING clause is not "
                      "supported in ExecuteTransaction."));
  EXPECT_TRUE(Refused(Transact({"DELETE FROM things WHERE pk = 'a'", "DELETE things"}),
                      "Validation failed in TransactStatements[1]: Statement wasn't well formed, "
                      "can't be processed: Expected FROM after DELETE"));
  EXPECT_TRUE(Refused(Transact({"NOT EXISTS(SELECT * FROM things WHERE pk = 'a' AND n = 1)"}),
                      "Unsupported operation in transaction."));
  EXPECT_TRUE(
      FailsWith(Transact({"DELETE FROM nosuchtable WHERE pk = 'a'"}), ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(Transact({}), ErrorCode::kValidation));
  EXPECT_TRUE(Get("things", {{"pk", "a"}}).has_value());
}

TEST_F(TransactionStatement, IsDoneOncePerToken) {
  ExecuteTransactionInput input = InputOf({"UPDATE things SET n = n + 1 WHERE pk = 'a'"});
  input.client_request_token = "once";
  Must(db().ExecuteTransaction(input));
  Must(db().ExecuteTransaction(input));
  EXPECT_EQ(Get("things", {{"pk", "a"}})->at("n"), AttributeValue(2));
  input.transact_statements[0].statement = "UPDATE things SET n = n + 2 WHERE pk = 'a'";
  EXPECT_TRUE(FailsWith(db().ExecuteTransaction(input), ErrorCode::kIdempotentParameterMismatch));
}

TEST_F(TransactionStatement, ItsTokensAreNotThoseOfTransactWriteItems) {
  ExecuteTransactionInput input = InputOf({"UPDATE things SET n = n + 1 WHERE pk = 'a'"});
  input.client_request_token = "once";
  Must(db().ExecuteTransaction(input));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(
      {.transact_items = {TransactDelete{.table_name = "things", .key = {{"pk", "b"}}}},
       .client_request_token = "once"})));
}

TEST_F(TransactionStatement, HasUpTo100Statements) {
  std::vector<std::string> statements;
  for (int i = 0; i < 100; ++i) {
    statements.push_back("INSERT INTO things VALUE {'pk': 'k" + std::to_string(i) + "'}");
  }
  EXPECT_TRUE(Succeeds(Transact(statements)));
  statements.emplace_back("INSERT INTO things VALUE {'pk': 'k100'}");
  EXPECT_TRUE(FailsWith(Transact(statements), ErrorCode::kValidation));
}

TEST_F(TransactionStatement, CostsTwice) {
  ExecuteTransactionInput input = InputOf({"UPDATE things SET n = 1 WHERE pk = 'a'"});
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  const auto written = Must(db().ExecuteTransaction(input));
  ASSERT_EQ(written.consumed_capacity.size(), 1U);
  EXPECT_EQ(written.consumed_capacity[0].capacity_units, 2);
  EXPECT_EQ(written.consumed_capacity[0].write_capacity_units, 2);
  input.transact_statements[0].statement = "SELECT * FROM things WHERE pk = 'none'";
  const auto read = Must(db().ExecuteTransaction(input));
  ASSERT_EQ(read.consumed_capacity.size(), 1U);
  EXPECT_EQ(read.consumed_capacity[0].read_capacity_units, 2);
}

}  // namespace
}  // namespace stator::contract
