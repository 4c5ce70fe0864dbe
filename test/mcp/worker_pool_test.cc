#include "mcp/worker_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>

namespace stator::mcp {
namespace {

using testing::ElementsAre;

class Pool : public testing::Test {
 protected:
  // Keeps a worker until it is let go.
  WorkerPool::Job Holding() {
    return [this] {
      held_.release();
      let_go_.acquire();
      let_go_.release();
    };
  }
  WorkerPool::Job Naming(std::string name) {
    return [this, name] {
      const std::scoped_lock lock(mutex_);
      names_.push_back(name);
      done_.release();
    };
  }
  void AwaitHeld(int count) {
    for (int at = 0; at < count; ++at) {
      held_.acquire();
    }
  }
  void AwaitNames(int count) {
    for (int at = 0; at < count; ++at) {
      done_.acquire();
    }
  }

  std::counting_semaphore<> held_{0};
  std::counting_semaphore<> let_go_{0};
  std::counting_semaphore<> done_{0};
  std::mutex mutex_;
  std::vector<std::string> names_;
};

JobKey Of(std::string owner, std::string tool = "t", std::size_t max = 0) {
  return {.owner = std::move(owner), .tool = std::move(tool), .tool_running_max = max};
}

TEST_F(Pool, OwnersTakeTurns) {
  WorkerPool pool({.running = 1});
  pool.Start();
  ASSERT_TRUE(pool.Enqueue(Of("a"), Holding(), false));
  AwaitHeld(1);
  for (const std::string name : {"a1", "a2", "a3"}) {
    pool.Enqueue(Of("a"), Naming(name), false);
  }
  pool.Enqueue(Of("b"), Naming("b1"), false);
  let_go_.release();
  AwaitNames(4);
  EXPECT_THAT(names_, ElementsAre("a1", "b1", "a2", "a3"));
}

TEST_F(Pool, NobodyTakesTheLastQuarter) {
  WorkerPool pool({.running = 4});
  pool.Start();
  for (int job = 0; job < 10; ++job) {
    pool.Enqueue(Of("greedy"), Holding(), false);
  }
  AwaitHeld(3);
  pool.Enqueue(Of("stranger"), Naming("in"), false);
  AwaitNames(1);
  EXPECT_FALSE(held_.try_acquire());  // The fourth is still for strangers.
  let_go_.release();
}

TEST_F(Pool, ToolsAndOwnersHaveLimits) {
  WorkerPool pool({.running = 8, .owner_running = 2});
  pool.Start();
  pool.Enqueue(Of("a", "heavy", 1), Holding(), false);
  AwaitHeld(1);
  pool.Enqueue(Of("b", "heavy", 1), Naming("heavy"), false);
  pool.Enqueue(Of("b", "light"), Naming("light"), false);
  AwaitNames(1);
  EXPECT_THAT(names_, ElementsAre("light"));
  pool.Enqueue(Of("a"), Holding(), false);
  AwaitHeld(1);
  pool.Enqueue(Of("a"), Naming("third of a"), false);
  pool.Enqueue(Of("c"), Naming("c"), false);
  AwaitNames(1);
  EXPECT_THAT(names_, ElementsAre("light", "c"));
  let_go_.release();
  AwaitNames(2);
}

TEST_F(Pool, AFullQueueIsFullForThoseWhoFilledIt) {
  WorkerPool pool({.running = 1, .queued = 2});
  pool.Start();
  pool.Enqueue(Of("a"), Holding(), false);
  AwaitHeld(1);
  EXPECT_TRUE(pool.Enqueue(Of("a"), Naming("1"), false));
  EXPECT_TRUE(pool.Enqueue(Of("a"), Naming("2"), false));
  EXPECT_TRUE(pool.IsFullFor("a"));
  EXPECT_FALSE(pool.Enqueue(Of("a"), Naming("3"), false));
  EXPECT_FALSE(pool.IsFullFor("b"));
  EXPECT_TRUE(pool.Enqueue(Of("b"), Naming("b"), false));
  EXPECT_FALSE(pool.Enqueue(Of("b"), Naming("b"), false));
  EXPECT_TRUE(pool.Enqueue(Of("a"), Naming("urgent"), true));
  let_go_.release();
  AwaitNames(4);
}

TEST_F(Pool, AJobThatWaitsGivesItsPlaceAway) {
  WorkerPool pool({.running = 1, .waiting = 2, .owner_waiting = 2});
  pool.Start();
  std::atomic<int> without_room = 0;
  for (int job = 0; job < 3; ++job) {
    pool.Enqueue(
        Of("a"),
        [&] {
          const WorkerPool::Wait wait(pool);
          if (!wait.has_room()) {
            ++without_room;
          }
          Holding()();
        },
        false);
  }
  AwaitHeld(3);  // On three threads, though one may run: the third found no room and counts.
  EXPECT_EQ(without_room, 1);
  let_go_.release();
  pool.Enqueue(Of("b"), Naming("b"), false);
  AwaitNames(1);
}

TEST_F(Pool, StoppingWaitsForWhatRunsAndDropsTheRest) {
  WorkerPool pool({.running = 1});
  pool.Start();
  pool.Enqueue(Of("a"), Holding(), false);
  AwaitHeld(1);
  pool.Enqueue(Of("a"), Naming("dropped"), false);
  let_go_.release();
  pool.Stop();
  EXPECT_FALSE(pool.Enqueue(Of("a"), Naming("late"), true));
  EXPECT_LE(names_.size(), 1);
}

}  // namespace
}  // namespace stator::mcp
