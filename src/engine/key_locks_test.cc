// What key_locks.h promises: exclusion, bounded waiting, release from any thread, no deadlock.

#include "engine/key_locks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace stator::engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAtOnce{0};
constexpr milliseconds kLong{10'000};

TEST(KeyLocks, AHeldLockIsRefusedToOthersInTime) {
  KeyLocks locks;
  const auto held = locks.Acquire({1, 2}, kAtOnce);
  ASSERT_TRUE(held);
  const auto refused = locks.Acquire({2, 3}, kAtOnce);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTransactionConflict);
}

TEST(KeyLocks, ARefusedAcquisitionHoldsNothing) {
  KeyLocks locks;
  const auto held = locks.Acquire({2}, kAtOnce);
  ASSERT_FALSE(locks.Acquire({1, 2, 3}, kAtOnce));
  EXPECT_TRUE(locks.Acquire({1, 3}, kAtOnce));
}

TEST(KeyLocks, TheSameKeyTwiceIsOneLock) {
  KeyLocks locks;
  EXPECT_TRUE(locks.Acquire({7, 7, 7}, kAtOnce));
}

TEST(KeyLocks, ReleaseOnAnotherThreadWakesTheWaiter) {
  KeyLocks locks;
  auto held = locks.Acquire({1}, kAtOnce);
  ASSERT_TRUE(held);
  std::thread releaser([moved = *std::move(held)]() mutable { moved.Release(); });
  EXPECT_TRUE(locks.Acquire({1}, kLong));
  releaser.join();
}

TEST(KeyLocks, ManyThreadsOverManyKeysExcludeEachOther) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 500;
  KeyLocks locks;
  std::array<std::atomic<int>, 4> inside{};
  std::array<int, 4> counts{};  // guarded by the locks under test
  std::atomic<int> violations = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < kRounds; ++round) {
        const auto first = static_cast<std::size_t>((thread + round) % 4);
        const auto second = static_cast<std::size_t>((thread * 3 + round * 7) % 4);
        const auto held = locks.Acquire({first, second}, kLong);
        if (!held || inside[first]++ != 0) {
          ++violations;
        }
        ++counts[first];
        --inside[first];
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(violations, 0);
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], kThreads * kRounds);
}

}  // namespace
}  // namespace stator::engine
