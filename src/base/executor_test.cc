#include "base/executor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <latch>
#include <vector>

namespace stator::base {
namespace {

TEST(Executor, RunsWhatIsPostedInItsOrder) {
  std::vector<int> order;
  Executor executor(1);
  for (int i = 0; i < 100; ++i) {
    executor.Post(Threads::kPool, [&order, i] { order.push_back(i); });
  }
  executor.Stop();
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(executor.LoadOf(Threads::kPool).begun, 100U);
}

TEST(Executor, ControlGoesOnWhileThePoolIsHeld) {
  Executor executor(2);
  std::latch held(2);
  std::promise<void> let_go;
  const std::shared_future<void> gate = let_go.get_future().share();
  for (int i = 0; i < 2; ++i) {
    executor.Post(Threads::kPool, [&held, gate] {
      held.count_down();
      gate.wait();
    });
  }
  held.wait();
  executor.Post(Threads::kPool, [] {});
  std::promise<void> ran;
  executor.Post(Threads::kControl, [&ran] { ran.set_value(); });
  ran.get_future().wait();
  EXPECT_EQ(executor.LoadOf(Threads::kPool).running, 2U);
  EXPECT_EQ(executor.LoadOf(Threads::kPool).waiting, 1U);
  let_go.set_value();
}

TEST(Executor, StopRunsWhatTasksPostAndLaterTasksRunAtOnce) {
  Executor executor(1);
  std::atomic<int> ran = 0;
  executor.Post(Threads::kControl, [&] {
    executor.Post(Threads::kPool, [&] {
      ++ran;
      executor.Post(Threads::kControl, [&] { ++ran; });
    });
  });
  executor.Stop();
  EXPECT_EQ(ran, 2);
  executor.Post(Threads::kPool, [&] { ++ran; });
  EXPECT_EQ(ran, 3);
}

TEST(Executor, ThePoolStandsBackBehindTheThreadsThatServe) {
  Executor executor(1);
  std::promise<int> pool;
  std::promise<int> control;
  executor.Post(Threads::kPool, [&] { pool.set_value(getpriority(PRIO_PROCESS, 0)); });
  executor.Post(Threads::kControl, [&] { control.set_value(getpriority(PRIO_PROCESS, 0)); });
  const int own = getpriority(PRIO_PROCESS, 0);
  EXPECT_EQ(pool.get_future().get(), std::max(own, 10));
  EXPECT_EQ(control.get_future().get(), own);
}

}  // namespace
}  // namespace stator::base
