// Threads for work that would hold up others: whoever serves many hands it over and goes on.
//
// The pool runs at a low priority (nice 10), so that on a busy machine the threads that hand over
// are served first; it has more threads than cores, so that the system divides the time that is
// left between long tasks and none waits for another's end. The control thread is for tasks that
// wait, for a disk or a lock, rather than compute.
//
// THREADS: all methods from any thread; Stop not from a task.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::base {

// Which of the executor's threads run a task: the pool for what computes long, the control thread for
// what waits. Each has a queue of its own.
enum class Threads : std::uint8_t { kPool, kControl };

class Executor {
 public:
  using Task = std::move_only_function<void()>;

  // `pool_threads` 0: four for each core but one, at least four.
  explicit Executor(std::size_t pool_threads = 0);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor() { Stop(); }

  // Runs the task after those that were posted to these threads before. After Stop: at once, here.
  void Post(Threads threads, Task task);

  // Returns when every task that was posted has ended.
  void Stop();

  struct Load {
    std::size_t waiting = 0;
    std::size_t running = 0;
    std::uint64_t begun = 0;  // ever
  };
  [[nodiscard]] Load LoadOf(Threads threads) const;

 private:
  struct Queue {
    ConditionVariable changed;
    std::deque<Task> tasks;
    std::size_t running = 0;
    std::uint64_t begun = 0;
  };

  [[nodiscard]] Queue& QueueOf(Threads threads) STATOR_REQUIRES(mutex_) {
    return queues_[static_cast<std::size_t>(threads)];
  }
  void Run(Threads threads);

  mutable Mutex mutex_;
  std::array<Queue, 2> queues_ STATOR_GUARDED_BY(mutex_);  // by Threads
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  bool stopped_ STATOR_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;  // of the constructor, and of the one that stops
};

}  // namespace stator::base
