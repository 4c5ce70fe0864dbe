// Jobs that are carried out one after the other, on a thread of their own.
//
// THREADS: all methods from any thread, except Start and Stop.

#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <thread>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::engine {

class JobQueue {
 public:
  using Job = std::move_only_function<Result<void>()>;

  JobQueue() = default;
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;
  ~JobQueue() { Stop(); }

  // Jobs that wait begin; the thread is made with the first.
  void Start();
  // Returns when the job under way has ended. Jobs that wait are dropped.
  void Stop();

  void Enqueue(Job job);
  // Those that failed wait again.
  void TryFailedAgain();

  [[nodiscard]] bool IsIdle();
  // Returns when no job waits or runs, or it was stopped.
  void AwaitIdle();

  // Waits until no job waits or runs, and has those that are enqueued from then on wait for Release;
  // false when that takes too long, or it was stopped.
  bool TryHold(std::chrono::milliseconds at_most);
  void Release();

 private:
  void Run();
  void BeginIfNeeded() STATOR_REQUIRES(mutex_);

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Job> jobs_ STATOR_GUARDED_BY(mutex_);
  std::deque<Job> failed_ STATOR_GUARDED_BY(mutex_);
  bool started_ STATOR_GUARDED_BY(mutex_) = false;
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  bool running_ STATOR_GUARDED_BY(mutex_) = false;
  bool held_ STATOR_GUARDED_BY(mutex_) = false;
  std::thread thread_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::engine
