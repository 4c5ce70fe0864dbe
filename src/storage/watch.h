// A thread that looks after something every so often, and at once when it is woken.
//
// THREADS: Wake may be called from many threads. The destructor waits for a running round.

#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::storage {

class Watch {
 public:
  Watch(std::chrono::milliseconds interval, std::move_only_function<void()> look);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() = default;

  void Wake();
  // Waits for a running round; there are none from then on. Not from a round.
  void Stop();

 private:
  void Run(const std::stop_token& stop);

  const std::chrono::milliseconds interval_;
  std::move_only_function<void()> look_;
  Mutex mutex_;
  StoppableConditionVariable wake_;
  bool woken_ STATOR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last, so that it starts when everything else is there
};

}  // namespace stator::storage
