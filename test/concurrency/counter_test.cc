// Counters and elections: no update is lost, and of many who want to be first one is.

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <vector>

#include "concurrency/stage.h"

namespace stator::concurrency {
namespace {

constexpr int kThreads = 8;

class Counters : public ConcurrencyTest {
 protected:
  void SetUp() override { MakeTable("things"); }

  static UpdateItemInput Count(int counter) {
    return {.table_name = "things",
            .key = {{"pk", std::to_string(counter)}},
            .update_expression = "SET n = if_not_exists(n, :zero) + :one",
            .expression_attribute_values = Map{{":zero", 0}, {":one", 1}}};
  }
  std::int64_t Total(int counter) {
    const auto item =
        Must(db().GetItem({.table_name = "things", .key = {{"pk", std::to_string(counter)}}})).item;
    return item ? IntegerOf(*item, "n") : 0;
  }
};

TEST_P(Counters, LoseNoUpdate) {
  const int rounds = 60 * Effort();
  InParallel(kThreads, [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      Must(db().UpdateItem(Count((thread + round) % 2)));
    }
  });
  EXPECT_EQ(Total(0) + Total(1), kThreads * rounds);
}

TEST_P(Counters, LoseNoUpdateThatNobodyWaitsFor) {
  const int rounds = 40 * Effort();
  std::latch finished(static_cast<std::ptrdiff_t>(kThreads) * rounds);
  std::atomic<int> failed = 0;
  InParallel(kThreads, [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      db().StartUpdateItem(Count((thread + round) % 3), [&](Result<UpdateItemOutput> outcome) {
        failed += outcome ? 0 : 1;
        finished.count_down();
      });
    }
  });
  finished.wait();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(Total(0) + Total(1) + Total(2), kThreads * rounds);
}

TEST_P(Counters, LoseNoUpdateAmongBatchesAndTransactions) {
  // Batches write other items under the same table; transactions count on the same one.
  const int rounds = 30 * Effort();
  InParallel(kThreads, [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      switch (thread % 3) {
        case 0:
          Must(db().UpdateItem(Count(0)));
          break;
        case 1: {
          const UpdateItemInput count = Count(0);
          Must(db().TransactWriteItems(
              {.transact_items = {TransactUpdate{
                   .table_name = count.table_name,
                   .key = count.key,
                   .update_expression = *count.update_expression,
                   .expression_attribute_values = count.expression_attribute_values}}}));
          break;
        }
        default:
          Must(db().BatchWriteItem(
              {.request_items = {{"things", {PutRequest{{{"pk", "other"}, {"n", round}}}}}}}));
      }
    }
  });
  EXPECT_EQ(Total(0), 6 * rounds);
}

TEST_P(Counters, ReadersSeeThemOnlyGrow) {
  const int rounds = 60 * Effort();
  std::atomic<int> writers = kThreads / 2;
  InParallel(kThreads, [&](int thread) {
    if (thread < kThreads / 2) {
      for (int round = 0; round < rounds; ++round) {
        Must(db().UpdateItem(Count(0)));
      }
      --writers;
      return;
    }
    std::int64_t last = 0;
    do {
      const std::int64_t now = Total(0);
      EXPECT_GE(now, last);
      last = now;
    } while (writers > 0);
  });
}

TEST_P(Counters, ConditionalPutsElectExactlyOne) {
  const int rounds = 30 * Effort();
  std::vector<std::atomic<int>> winners(static_cast<std::size_t>(rounds));
  InParallel(kThreads, [&](int thread) {
    for (int round = 0; round < rounds; ++round) {
      const auto result =
          db().PutItem({.table_name = "things",
                        .item = {{"pk", "round" + std::to_string(round)}, {"winner", thread}},
                        .condition_expression = "attribute_not_exists(pk)"});
      if (result) {
        ++winners[static_cast<std::size_t>(round)];
      } else {
        EXPECT_EQ(result.error().code, ErrorCode::kConditionFailed) << result.error().message;
      }
    }
  });
  for (const auto& count : winners) {
    EXPECT_EQ(count, 1);
  }
}

TEST_P(Counters, OneTokenIsDoneOnceByWhomever) {
  const int rounds = 20 * Effort();
  InParallel(kThreads, [&](int) {
    for (int round = 0; round < rounds; ++round) {
      const UpdateItemInput count = Count(0);
      Must(db().TransactWriteItems(
          {.transact_items = {TransactUpdate{
               .table_name = count.table_name,
               .key = count.key,
               .update_expression = *count.update_expression,
               .expression_attribute_values = count.expression_attribute_values}},
           .client_request_token = "round" + std::to_string(round)}));
    }
  });
  EXPECT_EQ(Total(0), rounds);
}

INSTANTIATE_TEST_SUITE_P(Homes, Counters, testing::Values(Home::kMemory, Home::kFiles), NameOfHome);

}  // namespace
}  // namespace stator::concurrency
