#include "base/serving_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "stator/base/clock.h"

namespace stator::base {
namespace {

TEST(ServingThreadTest, OthersMayWait) {
  const std::uint64_t before = WaitsOfServingThreads();
  MayWait();
  std::thread([] { const ServingThread mark; }).join();
  {
    const ServingThread mark;
    std::thread(MayWait).join();
  }
  MayWait();
  EXPECT_EQ(WaitsOfServingThreads(), before);
}

void SleepWhileServing() {
  const ServingThread mark;
  SystemClock().SleepFor(std::chrono::microseconds(1));
}

#ifdef NDEBUG
TEST(ServingThreadTest, AMarkedThreadThatWaitsIsCounted) {
  const std::uint64_t before = WaitsOfServingThreads();
  SleepWhileServing();
  EXPECT_EQ(WaitsOfServingThreads(), before + 1);
}
#else
TEST(ServingThreadDeathTest, AMarkedThreadThatWaitsIsABug) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(SleepWhileServing(), "serves");
}
#endif

}  // namespace
}  // namespace stator::base
