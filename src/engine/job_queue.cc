#include "engine/job_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/probe.h"
#include "base/serving_thread.h"

namespace stator::engine {

void JobQueue::Start() {
  const MutexLock lock(mutex_);
  CHECK(!thread_.joinable());
  started_ = true;
  stopping_ = false;
  BeginIfNeeded();
}

void JobQueue::BeginIfNeeded() {
  if (started_ && !stopping_ && !jobs_.empty() && !thread_.joinable()) {
    thread_ = std::thread([this] { Run(); });
  }
}

void JobQueue::Stop() {
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    CHECK_THAT(std::this_thread::get_id() != thread_.get_id(), "a job cannot await its own end");
    stopping_ = true;
    thread = std::move(thread_);
  }
  changed_.NotifyAll();
  if (thread.joinable()) {
    thread.join();
  }
}

void JobQueue::Enqueue(Job job) {
  CHECK(job);
  {
    const MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
    BeginIfNeeded();
  }
  changed_.NotifyAll();
}

void JobQueue::TryFailedAgain() {
  {
    const MutexLock lock(mutex_);
    std::ranges::move(failed_, std::back_inserter(jobs_));
    failed_.clear();
    BeginIfNeeded();
  }
  changed_.NotifyAll();
}

bool JobQueue::IsIdle() {
  const MutexLock lock(mutex_);
  return stopping_ || (jobs_.empty() && !running_);
}

void JobQueue::AwaitIdle() {
  base::MayWait();
  MutexLock lock(mutex_);
  changed_.Wait(
      lock, [&]() STATOR_REQUIRES(mutex_) { return stopping_ || (jobs_.empty() && !running_); });
}

bool JobQueue::TryHold(std::chrono::milliseconds at_most) {
  base::MayWait();
  MutexLock lock(mutex_);
  const bool idle = changed_.WaitFor(lock, at_most, [&]() STATOR_REQUIRES(mutex_) {
    return stopping_ || (jobs_.empty() && !running_ && !held_);
  });
  if (!idle || stopping_) {
    return false;
  }
  held_ = true;
  return true;
}

void JobQueue::Release() {
  {
    const MutexLock lock(mutex_);
    CHECK(held_);
    held_ = false;
  }
  changed_.NotifyAll();
}

void JobQueue::Run() {
  MutexLock lock(mutex_);
  while (true) {
    changed_.Wait(
        lock, [&]() STATOR_REQUIRES(mutex_) { return stopping_ || (!jobs_.empty() && !held_); });
    if (stopping_) {
      return;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    DCHECK(!running_);
    running_ = true;
    lock.Unlock();
    const Result<void> done = job();
    lock.Lock();
    if (!done && !stopping_) {
      PROBE("a job behind a change of a table fails and is tried again");
      failed_.push_back(std::move(job));
    }
    running_ = false;
    changed_.NotifyAll();
  }
}

}  // namespace stator::engine
