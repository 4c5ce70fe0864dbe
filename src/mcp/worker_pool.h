// Threads that run tools, and the calls that wait for one.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stator::mcp {

class WorkerPool {
 public:
  using Job = std::move_only_function<void()>;

  WorkerPool(std::size_t workers, std::size_t queue_max)
      : workers_(workers), queue_max_(queue_max) {}
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { Stop(); }

  void Start();

  // Ends when the jobs that run have returned; those that wait are dropped.
  void Stop();

  [[nodiscard]] bool IsFull();

  // False when too many wait or the pool is stopped. `urgent` jobs wait however many there are.
  bool Enqueue(Job job, bool urgent);

 private:
  void Work();

  const std::size_t workers_;
  const std::size_t queue_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> queue_;  // protected by mutex_
  bool stopping_ = false;  // protected by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace stator::mcp
