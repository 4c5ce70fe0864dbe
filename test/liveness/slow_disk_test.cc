// A disk that is slower than the callers: those for whom there is no room wait before they lock,
// for a bounded time; what has a place is finished.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/probe.h"
#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

constexpr std::size_t kSmallQueue = 1000;

class SlowDisk : public HeldDisk {
 protected:
  SlowDisk() { Open(kSmallQueue); }

  static Item Large(const std::string& pk) {
    return {{"pk", pk}, {"bytes", std::string(2 * kSmallQueue, 'x')}};
  }
};

TEST_F(SlowDisk, RefusesWhatFindsNoRoomInTime) {
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartPut(Large("first"));
  disk().AwaitHeldSync();
  Answer<PutItemOutput> second = StartPut(Large("second"));
  Answer<PutItemOutput> third = StartPut({{"pk", "third"}}, "attribute_not_exists(pk)");
  EXPECT_EQ(Get("second"), std::nullopt) << "readers go on";
  clock().Advance(std::chrono::seconds(5));
  EXPECT_EQ(second.Await().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(third.Await().error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(first.is_there());
  disk().LetSyncs(100);
  EXPECT_TRUE(first.Await().has_value());
  EXPECT_EQ(Get("second"), std::nullopt) << "nothing of it was written";
  EXPECT_TRUE(StartPut({{"pk", "third"}}).Await().has_value());
}

TEST_F(SlowDisk, CountsWhatItRefuses) {
  ASSERT_TRUE(db().UpdateContributorInsights({.table_name = "things"}).has_value());
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartPut(Large("first"));
  disk().AwaitHeldSync();
  Answer<PutItemOutput> second = StartPut(Large("second"));
  clock().Advance(std::chrono::seconds(5));
  EXPECT_EQ(second.Await().error().code, ErrorCode::kUnavailable);
  disk().LetSyncs(100);
  EXPECT_TRUE(first.Await().has_value());
  const auto state = db().DescribeContributorInsights({.table_name = "things"});
  ASSERT_TRUE(state.has_value() && state->counted_keys.has_value());
  ASSERT_EQ(state->counted_keys->throttled_partitions.size(), 1U);
  EXPECT_EQ(state->counted_keys->throttled_partitions[0].key, (Item{{"pk", "second"}}));
  EXPECT_EQ(state->counted_keys->accessed_partitions.size(), 1U);
}

TEST_F(SlowDisk, LetsThemInInTheirOrderWhenThereIsRoom) {
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartPut(Large("first"));
  disk().AwaitHeldSync();
  std::vector<Answer<UpdateItemOutput>> counts;
  for (int number = 0; number < 20; ++number) {
    counts.push_back(StartCount("hot"));
  }
  std::thread blocking([&] { Put({{"pk", "blocking"}}); });
  disk().LetSyncs(1000);
  EXPECT_TRUE(first.Await().has_value());
  for (std::size_t number = 0; number < counts.size(); ++number) {
    EXPECT_EQ(NumberIn(*counts[number].Await().value().attributes, "n"),
              static_cast<std::int64_t>(number + 1));
  }
  blocking.join();
  EXPECT_TRUE(Get("blocking").has_value());
  AwaitQuiet();
}

TEST_F(SlowDisk, AReadOfThePastWaitsForWritesFromBeforeThatMoment) {
  ASSERT_TRUE(
      db().UpdateContinuousBackups(
              {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}})
          .has_value());
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartPut({{"pk", "first"}});
  disk().AwaitHeldSync();
  clock().Advance(std::chrono::seconds(1));
  Result<GetItemOutput> past;
  std::thread reader([&] {
    past = db().GetItem({.table_name = "things", .key = {{"pk", "first"}}, .as_of = clock().Now()});
  });
  // In release builds there are no probes; then it may come before or after.
  for (int looks = 0;
       looks < 1000 && !base::ProbeWasReached("a read of the past waits for a write"); ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  disk().LetSyncs(100);
  reader.join();
  EXPECT_TRUE(first.Await().has_value());
  ASSERT_TRUE(past.has_value()) << past.error().message;
  EXPECT_TRUE(past->item.has_value()) << "it was written before the moment that was asked for";
}

TEST_F(SlowDisk, WhatFailsLetsNobodyIn) {
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartPut(Large("first"));
  disk().AwaitHeldSync();
  Answer<PutItemOutput> second = StartPut(Large("second"));
  disk().FailHeldSync();
  EXPECT_EQ(first.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(second.Await().error().code, ErrorCode::kIo);
  AwaitQuiet();
}

}  // namespace
}  // namespace stator::liveness
