// Every answer rests on something durable: what was decided from a queued row is told when that row
// is on the disk, and becomes a failure when the row fails.

#include <gtest/gtest.h>

#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

// Calls that write nothing, each decided from the queued item "a".
struct Refusals {
  Answer<PutItemOutput> condition;
  Answer<PutItemOutput> same_again;
  Answer<UpdateItemOutput> invalid_path;
  Answer<TransactWriteItemsOutput> check;
  Answer<TransactWriteItemsOutput> repeated_token;
};

class RefusalTest : public HeldDisk {
 protected:
  Refusals StartRefusals() {
    Refusals all;
    all.condition = StartPut({{"pk", "a"}}, "attribute_not_exists(pk)");
    all.same_again = StartPut({{"pk", "a"}, {"n", 1}});
    db().StartUpdateItem({.table_name = "things",
                          .key = {{"pk", "a"}},
                          .update_expression = "SET n.inside = :one",
                          .expression_attribute_values = Map{{":one", 1}}},
                         all.invalid_path.Expect());
    db().StartTransactWriteItems({.transact_items = {TransactConditionCheck{
                                      .table_name = "things",
                                      .key = {{"pk", "a"}},
                                      .condition_expression = "attribute_exists(pk)"}}},
                                 all.check.Expect());
    db().StartTransactWriteItems(TransactionOn("b", "token"), all.repeated_token.Expect());
    return all;
  }

  Answer<TransactWriteItemsOutput> StartTransaction() {
    Answer<TransactWriteItemsOutput> answer;
    db().StartTransactWriteItems(TransactionOn("b", "token"), answer.Expect());
    return answer;
  }
};

TEST_F(RefusalTest, WaitsForWhatItRestsOn) {
  disk().HoldSyncs();
  Answer<PutItemOutput> put = StartPut({{"pk", "a"}, {"n", 1}});
  disk().AwaitHeldSync();
  Answer<TransactWriteItemsOutput> transaction = StartTransaction();
  Refusals refusals = StartRefusals();
  EXPECT_FALSE(put.is_there());
  EXPECT_FALSE(refusals.condition.is_there());
  EXPECT_FALSE(refusals.same_again.is_there());
  EXPECT_FALSE(refusals.invalid_path.is_there());
  EXPECT_FALSE(refusals.check.is_there());
  EXPECT_FALSE(refusals.repeated_token.is_there());
  EXPECT_FALSE(db().IsQuiet());
  disk().LetSyncs(2);
  EXPECT_TRUE(put.Await().has_value());
  EXPECT_TRUE(transaction.Await().has_value());
  EXPECT_EQ(refusals.condition.Await().error().code, ErrorCode::kConditionFailed);
  EXPECT_TRUE(refusals.same_again.Await().has_value());
  EXPECT_EQ(refusals.invalid_path.Await().error().code, ErrorCode::kValidation);
  EXPECT_TRUE(refusals.check.Await().has_value());
  EXPECT_TRUE(refusals.repeated_token.Await().has_value());
  AwaitQuiet();
}

TEST_F(RefusalTest, FailsWithWhatItRestsOn) {
  disk().HoldSyncs();
  Answer<PutItemOutput> put = StartPut({{"pk", "a"}, {"n", 1}});
  disk().AwaitHeldSync();
  Answer<TransactWriteItemsOutput> transaction = StartTransaction();
  Refusals refusals = StartRefusals();
  disk().FailHeldSync();
  EXPECT_EQ(put.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(transaction.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(refusals.condition.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(refusals.same_again.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(refusals.invalid_path.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(refusals.check.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(refusals.repeated_token.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(Get("a"), std::nullopt);
  AwaitQuiet();
  EXPECT_EQ(StartPut({{"pk", "c"}}).Await().error().code, ErrorCode::kIo);
}

TEST_F(RefusalTest, OfATransactionTellsTheReasonsThen) {
  disk().HoldSyncs();
  Answer<PutItemOutput> put = StartPut({{"pk", "a"}});
  Answer<TransactWriteItemsOutput> canceled;
  db().StartTransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "things",
                                      .item = {{"pk", "x"}},
                                      .condition_expression = "attribute_exists(pk)"},
                          TransactDelete{.table_name = "things", .key = {{"pk", "a"}}}}},
      canceled.Expect());
  disk().AwaitHeldSync();
  EXPECT_FALSE(canceled.is_there()) << "it told what it saw of an item that is not durable";
  disk().LetSyncs(1);
  EXPECT_EQ(canceled.Await().error().code, ErrorCode::kTransactionCanceled);
  EXPECT_TRUE(put.Await().has_value());
}

TEST_F(RefusalTest, BecomesUnavailableWhenTheDiskDoesNotAnswer) {
  disk().HoldSyncs();
  Answer<PutItemOutput> put = StartPut({{"pk", "a"}});
  Answer<PutItemOutput> refused = StartPut({{"pk", "a"}}, "attribute_not_exists(pk)");
  disk().AwaitHeldSync();
  clock().Advance(std::chrono::seconds(29));
  EXPECT_FALSE(refused.is_there());
  clock().Advance(std::chrono::seconds(1));
  EXPECT_EQ(refused.Await().error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(put.is_there()) << "the outcome of a write is open until the disk speaks";
  disk().LetSyncs(1);
  EXPECT_TRUE(put.Await().has_value());
}

TEST_F(RefusalTest, NobodyWasToldOfWhatAPowerCutTakesBack) {
  Put({{"pk", "a"}, {"n", 1}});
  disk().HoldSyncs();
  Answer<PutItemOutput> put = StartPut({{"pk", "a"}, {"n", 2}});
  Answer<PutItemOutput> told = StartPut({{"pk", "b"}});
  disk().AwaitHeldSync();
  EXPECT_EQ(NumberIn(*Get("a"), "n"), 1);
  EXPECT_EQ(Get("b"), std::nullopt);
  const auto both =
      db().TransactGetItems({.transact_items = {{.table_name = "things", .key = {{"pk", "a"}}},
                                                {.table_name = "things", .key = {{"pk", "b"}}}}});
  EXPECT_EQ(NumberIn(*both->responses[0], "n"), 1);
  EXPECT_FALSE(both->responses[1].has_value());
  EXPECT_FALSE(put.is_there() || told.is_there());
  LosePower();
  EXPECT_EQ(put.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(told.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(NumberIn(*Get("a"), "n"), 1);
  EXPECT_EQ(Get("b"), std::nullopt);
}

}  // namespace
}  // namespace stator::liveness
