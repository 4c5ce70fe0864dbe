// What environment.h promises.

#include "stator/patterns/environment.h"

#include <gtest/gtest.h>

#include <chrono>

namespace stator::patterns {
namespace {

using std::chrono::milliseconds;

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
