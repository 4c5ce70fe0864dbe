// What environment.h promises.

#include "stator/patterns/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace stator::patterns {
namespace {

using std::chrono::milliseconds;

TEST(Backoff, IsSpreadOverTheWholeSpanThatDoublesUpToTheCap) {
  SeededRandom random(1);
  const Backoff backoff{.base = milliseconds(50), .cap = milliseconds(5000)};
  for (const auto& [repetition, limit] :
       {std::pair(0, 50), {1, 100}, {3, 400}, {6, 3200}, {7, 5000}, {60, 5000}, {1000, 5000}}) {
    Duration least = Duration::max();
    Duration most = Duration::zero();
    for (int i = 0; i < 2000; ++i) {
      const Duration wait = backoff.Jitter(repetition, random);
      least = std::min(least, wait);
      most = std::max(most, wait);
    }
    EXPECT_LE(most, milliseconds(limit));
    EXPECT_GT(most, milliseconds(limit) * 9 / 10);
    EXPECT_LT(least, milliseconds(limit) / 10);
  }
}

TEST(Backoff, CanBeNothing) {
  SeededRandom random(1);
  EXPECT_EQ((Backoff{milliseconds(0), milliseconds(0)}.Jitter(3, random)), Duration::zero());
}

// Asks to stop at its third sleep.
class ImpatientClock final : public Clock {
 public:
  explicit ImpatientClock(std::stop_source& source) : source_(source) {}
  [[nodiscard]] TimePoint Now() const override { return {}; }
  [[nodiscard]] Duration Elapsed() const override { return slept; }
  void SleepFor(Duration duration) override {
    slept += duration;
    if (++sleeps == 3) {
      source_.request_stop();
    }
  }
  Duration slept = Duration::zero();
  int sleeps = 0;

 private:
  std::stop_source& source_;
};

TEST(SleepUnlessStopped, EndsSoonAfterItWasAskedTo) {
  std::stop_source source;
  ImpatientClock clock(source);
  EXPECT_FALSE(SleepUnlessStopped(clock, std::chrono::hours(1), source.get_token()));
  EXPECT_EQ(clock.sleeps, 3);
  EXPECT_LT(clock.slept, std::chrono::seconds(1));
}

TEST(SleepUnlessStopped, SleepsAsLongAsAskedTo) {
  ManualClock clock{TimePoint()};
  EXPECT_TRUE(SleepUnlessStopped(clock, milliseconds(1234), {}));
  EXPECT_EQ(clock.Elapsed(), milliseconds(1234));
  EXPECT_TRUE(SleepUnlessStopped(clock, milliseconds(1234), std::stop_source().get_token()));
  EXPECT_EQ(clock.Elapsed(), milliseconds(2468));
}

}  // namespace
}  // namespace stator::patterns
