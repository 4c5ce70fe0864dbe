// Waiting, with a mutex held, for what another thread does. The condition reads what the mutex
// protects, and says so:
//
//   changed_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return !tasks_.empty(); });
//
// The lock is given up while the thread waits and held again when a wait returns.

#pragma once

#include <chrono>
#include <condition_variable>
#include <stop_token>
#include <utility>

#include "stator/base/mutex.h"

namespace stator {

// std::condition_variable for a MutexLock. Every wait takes its condition, so that none is woken for
// nothing. THREADS: many.
class ConditionVariable {
 public:
  void NotifyOne() noexcept { condition_.notify_one(); }
  void NotifyAll() noexcept { condition_.notify_all(); }

  template <typename Condition>
  void Wait(MutexLock& lock, Condition condition) {
    condition_.wait(lock.lock_, std::move(condition));
  }

  // Whether the condition holds: false when it does not and the time is over.
  template <typename Rep, typename Period, typename Condition>
  bool WaitFor(MutexLock& lock, std::chrono::duration<Rep, Period> longest, Condition condition) {
    return condition_.wait_for(lock.lock_, longest, std::move(condition));
  }

 private:
  std::condition_variable condition_;
};

// Its waits end also when their thread is asked to stop. Dearer, so only where that is needed.
class StoppableConditionVariable {
 public:
  void NotifyOne() noexcept { condition_.notify_one(); }
  void NotifyAll() noexcept { condition_.notify_all(); }

  template <typename Condition>
  void Wait(MutexLock& lock, Condition condition) {
    condition_.wait(lock.lock_, std::move(condition));
  }

  // Whether the condition holds: false when it does not and the thread shall stop.
  template <typename Condition>
  bool Wait(MutexLock& lock, std::stop_token stop, Condition condition) {
    return condition_.wait(lock.lock_, std::move(stop), std::move(condition));
  }

  // The same, or the time is over.
  template <typename Rep, typename Period, typename Condition>
  bool WaitFor(MutexLock& lock, std::stop_token stop, std::chrono::duration<Rep, Period> longest,
               Condition condition) {
    return condition_.wait_for(lock.lock_, std::move(stop), longest, std::move(condition));
  }

 private:
  std::condition_variable_any condition_;
};

}  // namespace stator
