// The writes that do not wait: each calls back exactly once, with the outcome that waiting would
// have had, when the write can be read.

#include <atomic>
#include <future>

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class StartWrites : public ContractTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }

  // Starts the write and waits for its outcome.
  template <class Output, class Input>
  [[nodiscard]] Result<Output> Await(void (Database::*start)(const Input&, Completion<Output>),
                                     const Input& input) {
    std::promise<Result<Output>> promise;
    std::future<Result<Output>> outcome = promise.get_future();
    (db().*start)(input, [&](Result<Output> result) { promise.set_value(std::move(result)); });
    return outcome.get();
  }
};

TEST_F(StartWrites, PutItem) {
  EXPECT_TRUE(Succeeds(
      Await(&Database::StartPutItem, PutItemInput{.table_name = "things", .item = {{"pk", "a"}}})));
  EXPECT_TRUE(Get("things", {{"pk", "a"}}).has_value());
  EXPECT_TRUE(FailsWith(Await(&Database::StartPutItem,
                              PutItemInput{.table_name = "things",
                                           .item = {{"pk", "a"}},
                                           .condition_expression = "attribute_not_exists(pk)"}),
                        ErrorCode::kConditionFailed));
}

TEST_F(StartWrites, UpdateItem) {
  const auto output = Must(Await(&Database::StartUpdateItem,
                                 UpdateItemInput{.table_name = "things",
                                                 .key = {{"pk", "a"}},
                                                 .update_expression = "ADD n :one",
                                                 .expression_attribute_values = Map{{":one", 1}},
                                                 .return_values = ReturnValues::kAllNew}));
  EXPECT_EQ(output.attributes, (Item{{"pk", "a"}, {"n", 1}}));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(StartWrites, DeleteItem) {
  Put("things", {{"pk", "a"}});
  EXPECT_TRUE(Succeeds(Await(&Database::StartDeleteItem,
                             DeleteItemInput{.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), std::nullopt);
  EXPECT_TRUE(Succeeds(Await(&Database::StartDeleteItem,
                             DeleteItemInput{.table_name = "things", .key = {{"pk", "a"}}})))
      << "a write that changes nothing has an outcome too";
}

TEST_F(StartWrites, BatchWriteItem) {
  EXPECT_TRUE(Succeeds(Await(
      &Database::StartBatchWriteItem,
      BatchWriteItemInput{
          .request_items = {{"things", {PutRequest{{{"pk", "a"}}}, PutRequest{{{"pk", "b"}}}}}}})));
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 2U);
}

TEST_F(StartWrites, TransactWriteItems) {
  const TransactWriteItemsInput input{
      .transact_items = {TransactPut{.table_name = "things",
                                     .item = {{"pk", "a"}},
                                     .condition_expression = "attribute_not_exists(pk)"}}};
  EXPECT_TRUE(Succeeds(Await(&Database::StartTransactWriteItems, input)));
  EXPECT_TRUE(
      FailsWith(Await(&Database::StartTransactWriteItems, input), ErrorCode::kTransactionCanceled));
}

TEST_F(StartWrites, RefuseWhatWaitingWouldRefuse) {
  EXPECT_TRUE(FailsWith(
      Await(&Database::StartPutItem, PutItemInput{.table_name = "others", .item = {{"pk", "a"}}}),
      ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(
      Await(&Database::StartPutItem, PutItemInput{.table_name = "things", .item = {{"v", "a"}}}),
      ErrorCode::kValidation));
}

TEST_F(StartWrites, ManyOfOneItemComeInTheOrderTheyWereStarted) {
  constexpr int kWrites = 200;
  std::atomic<int> done = 0;
  std::promise<void> all_done;
  for (int number = 0; number < kWrites; ++number) {
    db().StartPutItem({.table_name = "things", .item = {{"pk", "a"}, {"n", number}}},
                      [&](const Result<PutItemOutput>& result) {
                        EXPECT_TRUE(Succeeds(result));
                        if (++done == kWrites) {
                          all_done.set_value();
                        }
                      });
  }
  all_done.get_future().wait();
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", kWrites - 1}}));
}

}  // namespace
}  // namespace stator::contract
