// What retry.h promises: waits within their bounds and spread over them, and a quota that runs out
// and comes back.

#include "transport/retry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace stator::transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Duration Longest(int repetition, Failure failure, std::optional<Duration> asked_for = {}) {
  SeededRandom random(1);
  Duration longest{};
  for (int i = 0; i < 2000; ++i) {
    longest = std::max(longest, BackoffBefore(repetition, failure, asked_for, {}, random));
  }
  return longest;
}

void ExpectJustBelow(Duration wait, Duration bound) {
  EXPECT_LE(wait, bound);
  EXPECT_GT(wait, bound * 98 / 100);
}

TEST(BackoffBefore, DoublesFromTwentyFiveMilliseconds) {
  ExpectJustBelow(Longest(0, Failure::kTransient), milliseconds(25));
  ExpectJustBelow(Longest(1, Failure::kTransient), milliseconds(50));
  ExpectJustBelow(Longest(2, Failure::kTransient), milliseconds(100));
}

TEST(BackoffBefore, BeginsAtASecondWhenThrottled) {
  ExpectJustBelow(Longest(0, Failure::kThrottled), seconds(1));
  ExpectJustBelow(Longest(1, Failure::kThrottled), seconds(2));
}

TEST(BackoffBefore, IsNeverLongerThanTwentySeconds) {
  for (const int repetition : {10, 20, 63, 64, 1000}) {
    ExpectJustBelow(Longest(repetition, Failure::kTransient), seconds(20));
    ExpectJustBelow(Longest(repetition, Failure::kThrottled), seconds(20));
  }
}

TEST(BackoffBefore, IsSpreadOverTheWholeTime) {
  SeededRandom random(1);
  int early = 0;
  for (int i = 0; i < 1000; ++i) {
    early += BackoffBefore(0, Failure::kThrottled, {}, {}, random) < milliseconds(500) ? 1 : 0;
  }
  EXPECT_GT(early, 400);
  EXPECT_LT(early, 600);
}

TEST(BackoffBefore, GivesTheEndpointTheTimeItAsksForWithinReason) {
  SeededRandom random(1);
  EXPECT_EQ(BackoffBefore(0, Failure::kTransient, seconds(3), {}, random), seconds(3));
  EXPECT_LE(Longest(0, Failure::kTransient, seconds(100)), seconds(5) + milliseconds(25));
  EXPECT_GE(BackoffBefore(0, Failure::kTransient, seconds(100), {}, random), seconds(5));
}

TEST(RetryQuota, RunsOut) {
  RetryQuota quota(30);
  EXPECT_EQ(quota.Take(Failure::kTransient), 14);
  EXPECT_EQ(quota.Take(Failure::kTransient), 14);
  EXPECT_EQ(quota.Take(Failure::kTransient), std::nullopt);
  EXPECT_EQ(quota.Take(Failure::kThrottled), std::nullopt);
  EXPECT_EQ(quota.tokens(), 2);
}

TEST(RetryQuota, ComesBackWithSuccesses) {
  RetryQuota quota(20);
  const std::optional<int> taken = quota.Take(Failure::kThrottled);
  EXPECT_EQ(quota.tokens(), 15);
  quota.Refund(taken);
  EXPECT_EQ(quota.tokens(), 20);
  quota.Refund(std::nullopt);
  EXPECT_EQ(quota.tokens(), 20);
  EXPECT_EQ(quota.Take(Failure::kTransient), 14);
  quota.Refund(std::nullopt);
  EXPECT_EQ(quota.tokens(), 7);
}

}  // namespace
}  // namespace stator::transport
