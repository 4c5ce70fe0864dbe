// Calls a function every so often on a thread of its own, while there is something to sync.
//
// THREADS: MarkDirty may be called from many threads. The destructor waits for a running call.

#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::storage {

class BackgroundSync {
 public:
  BackgroundSync(std::chrono::milliseconds interval, std::move_only_function<void()> sync);
  BackgroundSync(const BackgroundSync&) = delete;
  BackgroundSync& operator=(const BackgroundSync&) = delete;
  ~BackgroundSync() = default;

  // Something was written; the next call will sync it.
  void MarkDirty() { dirty_.store(true, std::memory_order_relaxed); }

 private:
  void Run(const std::stop_token& stop);

  const std::chrono::milliseconds interval_;
  std::move_only_function<void()> sync_;  // used by the thread only
  std::atomic<bool> dirty_ = false;

  Mutex mutex_;
  StoppableConditionVariable wake_;  // only ever woken by a stop
  std::jthread thread_;              // last, so that it ends before the rest is gone
};

}  // namespace stator::storage
