// Many writers of one item on a disk that stands still: they queue behind each other, share the
// next sync, and stop nobody else.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

constexpr int kWriters = 8;

using HotItem = HeldDisk;

TEST_F(HotItem, WritersOfOneItemShareSyncs) {
  Put({{"pk", "other"}, {"n", 1}});
  disk().HoldSyncs();
  const std::uint64_t syncs = disk().syncs();
  std::vector<Answer<UpdateItemOutput>> answers;
  for (int writer = 0; writer < kWriters; ++writer) {
    answers.push_back(StartCount("hot"));
  }
  disk().AwaitHeldSync();
  // Everybody else is served, and sees what is durable.
  EXPECT_EQ(Get("hot"), std::nullopt);
  EXPECT_TRUE(Get("other").has_value());
  EXPECT_EQ(db().Scan({.table_name = "things"}).value().count, 1);
  EXPECT_TRUE(db().Query({.table_name = "things",
                          .key_condition_expression = "pk = :pk",
                          .expression_attribute_values = Map{{":pk", "hot"}}})
                  .value()
                  .count == 0);
  Answer<PutItemOutput> refused = StartPut({{"pk", "other"}}, "attribute_not_exists(pk)");
  EXPECT_EQ(refused.Await().error().code, ErrorCode::kConditionFailed)
      << "a refusal by what is durable waits for nothing";
  for (const Answer<UpdateItemOutput>& answer : answers) {
    EXPECT_FALSE(answer.is_there()) << "answered before it was durable";
  }
  disk().LetSyncs(2);
  std::vector<std::int64_t> seen;
  for (Answer<UpdateItemOutput>& answer : answers) {
    seen.push_back(NumberIn(*answer.Await().value().attributes, "n"));
  }
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_LE(disk().syncs(), syncs + 2);
  EXPECT_EQ(NumberIn(*Get("hot"), "n"), kWriters);
  AwaitQuiet();
}

TEST_F(HotItem, BlockingWritersShareSyncsToo) {
  disk().HoldSyncs();
  const std::uint64_t syncs = disk().syncs();
  // The first has its sync under way when the others come.
  Answer<UpdateItemOutput> first = StartCount("hot");
  disk().AwaitHeldSync();
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&] {
      EXPECT_TRUE(db().UpdateItem({.table_name = "things",
                                   .key = {{"pk", "hot"}},
                                   .update_expression = "ADD n :one",
                                   .expression_attribute_values = Map{{":one", 1}}})
                      .has_value());
    });
  }
  // All of them are queued behind it.
  while (db().StoreStatistics().unsettled_places < kWriters + 1) {
    std::this_thread::yield();
  }
  disk().LetSyncs(2);
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(NumberIn(*Get("hot"), "n"), kWriters + 1);
  EXPECT_LE(disk().syncs(), syncs + 2);
}

TEST_F(HotItem, TransactionsAndBatchesBuildOnWhatIsQueued) {
  disk().HoldSyncs();
  const Answer<UpdateItemOutput> count = StartCount("hot");
  Answer<TransactWriteItemsOutput> transaction;
  db().StartTransactWriteItems(
      {.transact_items = {TransactUpdate{.table_name = "things",
                                         .key = {{"pk", "hot"}},
                                         .update_expression = "SET n = n + :one, seen = n",
                                         .condition_expression = "n = :one",
                                         .expression_attribute_values = Map{{":one", 1}}},
                          TransactPut{.table_name = "things", .item = {{"pk", "second"}}}}},
      transaction.Expect());
  Answer<BatchWriteItemOutput> batch;
  db().StartBatchWriteItem(
      {.request_items = {{"things",
                          {DeleteRequest{{{"pk", "second"}}}, PutRequest{{{"pk", "third"}}}}}}},
      batch.Expect());
  Answer<PutItemOutput> again = StartPut({{"pk", "second"}}, "attribute_not_exists(pk)");
  disk().AwaitHeldSync();
  EXPECT_FALSE(transaction.is_there() || batch.is_there() || again.is_there());
  disk().LetSyncs(4);
  EXPECT_TRUE(transaction.Await().has_value());
  EXPECT_TRUE(batch.Await().has_value());
  EXPECT_TRUE(again.Await().has_value()) << "the queued deletion was not seen";
  EXPECT_EQ(Get("hot"), (Item{{"pk", "hot"}, {"n", 2}, {"seen", 1}}));
  EXPECT_TRUE(Get("second").has_value());
  EXPECT_EQ(db().DescribeTable({.table_name = "things"}).value().table.item_count, 3);
}

TEST_F(HotItem, TableOperationsStopNoItem) {
  Put({{"pk", "a"}});
  disk().HoldSyncs();
  std::thread maker([&] { MakeTable("others"); });
  disk().AwaitHeldSync();
  EXPECT_TRUE(Get("a").has_value());
  Answer<UpdateItemOutput> count = StartCount("a");
  Answer<PutItemOutput> refused = StartPut({{"pk", "a"}}, "attribute_not_exists(pk)");
  EXPECT_FALSE(count.is_there());
  disk().LetSyncs(2);
  maker.join();
  EXPECT_TRUE(count.Await().has_value());
  EXPECT_EQ(refused.Await().error().code, ErrorCode::kConditionFailed);
}

}  // namespace
}  // namespace stator::liveness
