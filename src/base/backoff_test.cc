#include "stator/base/backoff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace stator {
namespace {

using std::chrono::milliseconds;

TEST(BackoffBefore, IsSpreadOverTheWholeSpanThatDoublesUpToTheLongest) {
  SeededRandom random(1);
  for (const auto& [repetition, limit] : {std::pair(0, 50),
                                          {1, 100},
                                          {3, 400},
                                          {6, 3200},
                                          {7, 5000},
                                          {60, 5000},
                                          {1000, 5000},
                                          {-1, 50}}) {
    Duration least = Duration::max();
    Duration most = Duration::zero();
    for (int i = 0; i < 2000; ++i) {
      const Duration wait = BackoffBefore(repetition, milliseconds(50), milliseconds(5000), random);
      least = std::min(least, wait);
      most = std::max(most, wait);
    }
    EXPECT_LE(most, milliseconds(limit));
    EXPECT_GT(most, milliseconds(limit) * 9 / 10);
    EXPECT_LT(least, milliseconds(limit) / 10);
  }
}

TEST(BackoffBefore, OfNoTimeIsNoTime) {
  SeededRandom random(1);
  EXPECT_EQ(BackoffBefore(5, {}, milliseconds(5), random), Duration::zero());
  EXPECT_EQ(BackoffBefore(5, milliseconds(5), {}, random), Duration::zero());
  EXPECT_EQ(BackoffBefore(5, milliseconds(-5), milliseconds(-1), random), Duration::zero());
}

}  // namespace
}  // namespace stator
