#include "stator/base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <latch>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/shared_mutex.h"
#include "stator/base/condition_variable.h"

namespace stator {
namespace {

static_assert(sizeof(Mutex) == sizeof(std::mutex));
static_assert(sizeof(MutexLock) == sizeof(std::unique_lock<std::mutex>));
static_assert(sizeof(ConditionVariable) == sizeof(std::condition_variable));
static_assert(sizeof(SharedMutex) == sizeof(std::shared_mutex));

class Counter {
 public:
  void Add() {
    const MutexLock lock(mutex_);
    ++count_;
  }
  [[nodiscard]] int count() const {
    const MutexLock lock(mutex_);
    return count_;
  }

 private:
  mutable Mutex mutex_;
  int count_ STATOR_GUARDED_BY(mutex_) = 0;
};

// Whether another thread could have it.
bool IsFree(Mutex& mutex) {
  return std::async(std::launch::async,
                    [&mutex] {
                      if (!mutex.TryLock()) {
                        return false;
                      }
                      mutex.Unlock();
                      return true;
                    })
      .get();
}

TEST(Mutex, IsHeldByOneThreadAtATime) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 10'000;
  Counter counter;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (int time = 0; time < kTimes; ++time) {
          counter.Add();
        }
      });
    }
  }
  EXPECT_EQ(counter.count(), kThreads * kTimes);
}

TEST(MutexLock, HoldsForItsScopeSaveBetweenUnlockAndLock) {
  Mutex mutex;
  {
    MutexLock lock(mutex);
    EXPECT_FALSE(IsFree(mutex));
    lock.Unlock();
    EXPECT_TRUE(IsFree(mutex));
    lock.Lock();
    EXPECT_FALSE(IsFree(mutex));
  }
  EXPECT_TRUE(IsFree(mutex));
  {
    MutexLock lock(mutex);
    lock.Unlock();
  }
  EXPECT_TRUE(IsFree(mutex));
}

TEST(MutexLock, TakesOverWhatTryLockGot) {
  Mutex mutex;
  if (mutex.TryLock()) {
    const MutexLock lock(mutex, std::adopt_lock);
    EXPECT_FALSE(IsFree(mutex));
  } else {
    FAIL() << "nobody had it";
  }
  EXPECT_TRUE(IsFree(mutex));
}

struct Mailbox {
  Mutex mutex;
  int letters STATOR_GUARDED_BY(mutex) = 0;
};

TEST(ConditionVariable, WaitsUntilTheConditionHolds) {
  Mailbox box;
  ConditionVariable changed;
  std::jthread sender([&] {
    for (int letter = 0; letter < 3; ++letter) {
      const MutexLock lock(box.mutex);
      ++box.letters;
      changed.NotifyAll();
    }
  });
  MutexLock lock(box.mutex);
  changed.Wait(lock, [&]() STATOR_REQUIRES(box.mutex) { return box.letters == 3; });
  EXPECT_EQ(box.letters, 3);
}

TEST(ConditionVariable, SaysWhenTheTimeWasOverFirst) {
  Mutex mutex;
  ConditionVariable changed;
  MutexLock lock(mutex);
  EXPECT_FALSE(changed.WaitFor(lock, std::chrono::milliseconds(1), [] { return false; }));
  EXPECT_TRUE(changed.WaitFor(lock, std::chrono::hours(1), [] { return true; }));
  EXPECT_FALSE(IsFree(mutex)) << "it is held again after a wait";
}

TEST(StoppableConditionVariable, EndsItsWaitsWhenItsThreadShallStop) {
  Mailbox box;
  StoppableConditionVariable changed;
  const auto has_letters = [&]() STATOR_REQUIRES(box.mutex) { return box.letters > 0; };
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  MutexLock lock(box.mutex);
  EXPECT_FALSE(changed.Wait(lock, stop.get_token(), has_letters));
  EXPECT_FALSE(changed.WaitFor(lock, stop.get_token(), std::chrono::hours(1), has_letters));
  box.letters = 1;
  EXPECT_TRUE(changed.Wait(lock, stop.get_token(), has_letters));
  changed.Wait(lock, has_letters);
}

TEST(SharedMutex, IsHeldByManyReadersOrOneWriter) {
  constexpr int kReaders = 3;
  SharedMutex mutex;
  int value = 0;
  {
    // Every reader holds it when the last of them arrives.
    std::latch all(kReaders);
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < kReaders; ++reader) {
      readers.emplace_back([&] {
        const ReaderLock lock(mutex);
        all.arrive_and_wait();
      });
    }
  }
  std::jthread writer;
  {
    const WriterLock lock(mutex);
    writer = std::jthread([&] {
      const WriterLock other(mutex);
      value *= 10;
    });
    value = 4;
  }
  writer.join();
  EXPECT_EQ(value, 40);
}

}  // namespace
}  // namespace stator
