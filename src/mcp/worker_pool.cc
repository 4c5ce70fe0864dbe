#include "mcp/worker_pool.h"

#include <utility>

namespace stator::mcp {

void WorkerPool::Start() {
  for (std::size_t worker = 0; worker < workers_; ++worker) {
    threads_.emplace_back([this] { Work(); });
  }
}

void WorkerPool::Stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

bool WorkerPool::IsFull() {
  const std::scoped_lock lock(mutex_);
  return queue_.size() >= queue_max_;
}

bool WorkerPool::Enqueue(Job job, bool urgent) {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || (!urgent && queue_.size() >= queue_max_)) {
      return false;
    }
    queue_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void WorkerPool::Work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) {
        return;
      }
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    job();
  }
}

}  // namespace stator::mcp
