// What support/faulty_database.h promises to those who test with it.

#include "support/faulty_database.h"

#include <string>
#include <vector>

#include "patterns/patterns_test.h"

namespace stator::patterns {
namespace {

class FaultyDatabaseTest : public PatternsTest {
 protected:
  // What became of each of a hundred puts.
  [[nodiscard]] std::vector<std::string> Story(std::uint64_t seed) {
    support::FaultyDatabase network(
        db(),
        {.lost_before = 0.1, .lost_after = 0.1, .late = 0.1, .throttled = 0.1, .conflict = 0.1},
        seed);
    std::vector<std::string> story;
    for (int i = 0; i < 100; ++i) {
      const auto done = network.PutItem({.table_name = "things", .item = {{"pk", "x"}, {"n", i}}});
      story.push_back(done ? "done" : std::string(NameOf(done.error().code)));
    }
    return story;
  }
  [[nodiscard]] ErrorCode PutCode(const std::string& pk) {
    const auto done = faulty().PutItem({.table_name = "things", .item = {{"pk", pk}}});
    return done ? ErrorCode::kInternal : done.error().code;
  }
};

TEST_F(FaultyDatabaseTest, ASeedRepeatsARun) {
  EXPECT_EQ(Story(1), Story(1));
  EXPECT_NE(Story(1), Story(2));
}

TEST_F(FaultyDatabaseTest, LostBeforeIsNotDoneLostAfterIsAndBothAreAmbiguous) {
  faulty().Script("PutItem", {Fault::kLostBefore, Fault::kLostAfter});
  EXPECT_EQ(PutCode("before"), ErrorCode::kAmbiguous);
  EXPECT_EQ(PutCode("after"), ErrorCode::kAmbiguous);
  EXPECT_FALSE(Get(kThings, {{"pk", "before"}}));
  EXPECT_TRUE(Get(kThings, {{"pk", "after"}}));
  faulty().Script("GetItem", {Fault::kLostAfter});
  EXPECT_EQ(faulty().GetItem({.table_name = "things", .key = {{"pk", "x"}}}).error().code,
            ErrorCode::kTimeout);
}

TEST_F(FaultyDatabaseTest, ALateWriteIsDoneAFewCallsLater) {
  faulty().Script("PutItem", {Fault::kLate});
  EXPECT_EQ(PutCode("late"), ErrorCode::kAmbiguous);
  EXPECT_FALSE(Get(kThings, {{"pk", "late"}}));
  int calls = 0;
  for (; calls < 10 && !Get(kThings, {{"pk", "late"}}); ++calls) {
    Must(faulty().GetItem({.table_name = "things", .key = {{"pk", "x"}}}));
  }
  EXPECT_GE(calls, 1);
  EXPECT_LT(calls, 10);
}

TEST_F(FaultyDatabaseTest, UnprocessedRequestsComeBack) {
  BatchWriteItemInput input{.request_items = {}};
  for (int i = 0; i < 25; ++i) {
    input.request_items["things"].emplace_back(PutRequest{{{"pk", std::to_string(i)}}});
  }
  faulty().SetRates({.unprocessed = 1});
  std::size_t left = 25;
  const auto output = faulty().BatchWriteItem(input);
  if (output) {
    left = output->unprocessed_items.at("things").size();
    EXPECT_GT(left, 0U);
  }
  EXPECT_EQ(All(kThings).size(), 25 - left);
}

TEST_F(FaultyDatabaseTest, AConflictCancelsATransactionForOneOfItsActions) {
  faulty().Script("TransactWriteItems", {Fault::kConflict});
  const auto done = faulty().TransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "things", .item = {{"pk", "a"}}},
                          TransactPut{.table_name = "things", .item = {{"pk", "b"}}}}});
  ASSERT_FALSE(done);
  const auto* detail = dynamic_cast<const TransactionCanceledDetail*>(done.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->cancellation_reasons.size(), 2U);
  EXPECT_TRUE(All(kThings).empty());
}

}  // namespace
}  // namespace stator::patterns
