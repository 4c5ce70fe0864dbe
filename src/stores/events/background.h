// What is written behind the log: the index when a chunk is complete, and the rows of the view when
// few append. On a thread of its own, or, without one, the index by whoever completes a chunk.
//
// THREADS: made for many.

#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::events {

struct EventStoreCore;

class Background {
 public:
  explicit Background(EventStoreCore& core) : core_(&core) {}

  // Something was appended. Costs nothing while the thread is at work.
  void Notice();

 private:
  void Work(const std::stop_token& stop);
  // Until everything is written and nobody appends.
  void WriteBehind(const std::stop_token& stop);

  EventStoreCore* core_;
  std::atomic<bool> news_ = false;
  Mutex mutex_;
  StoppableConditionVariable wake_;
  bool started_ STATOR_GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace stator::events
