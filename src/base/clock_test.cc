// Clocks: the manual one moves only when told, the machine's one moves forward.

#include "stator/base/clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace stator {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr TimePoint kStart = TimePoint(seconds(1'700'000'000));

TEST(ManualClock, StandsStillUntilItIsMoved) {
  ManualClock clock(kStart);
  EXPECT_EQ(clock.Now(), kStart);
  EXPECT_EQ(clock.Now(), kStart);
  EXPECT_EQ(clock.Elapsed(), Duration::zero());
  clock.Advance(milliseconds(1500));
  EXPECT_EQ(clock.Now(), kStart + milliseconds(1500));
  EXPECT_EQ(clock.Elapsed(), milliseconds(1500));
}

TEST(ManualClock, MovesInsteadOfSleeping) {
  ManualClock clock(kStart);
  clock.SleepFor(std::chrono::hours(24));
  EXPECT_EQ(clock.Now(), kStart + std::chrono::hours(24));
}

TEST(ManualClock, LosesNoMoveOfManyThreads) {
  ManualClock clock(kStart);
  constexpr int kThreads = 4;
  std::vector<std::jthread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&clock] {
      for (int round = 0; round < 1000; ++round) {
        clock.Advance(microseconds(1));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(clock.Elapsed(), microseconds(4000));
}

TEST(SystemClock, NeverStepsBack) {
  const Duration before = SystemClock().Elapsed();
  EXPECT_GE(SystemClock().Elapsed(), before);
  EXPECT_GT(SystemClock().Now(), kStart);
  EXPECT_EQ(&SystemClock(), &SystemClock());
}

TEST(SystemClock, SleepsAtLeastAsLongAsAsked) {
  const Duration before = SystemClock().Elapsed();
  SystemClock().SleepFor(microseconds(100));
  EXPECT_GE(SystemClock().Elapsed() - before, microseconds(100));
}

TEST(EpochSeconds, RoundsDownOnBothSidesOf1970) {
  EXPECT_EQ(EpochSeconds(TimePoint(microseconds(0))), 0);
  EXPECT_EQ(EpochSeconds(TimePoint(microseconds(1'999'999))), 1);
  EXPECT_EQ(EpochSeconds(TimePoint(microseconds(-1))), -1);
  EXPECT_EQ(EpochSeconds(kStart), 1'700'000'000);
}

}  // namespace
}  // namespace stator
