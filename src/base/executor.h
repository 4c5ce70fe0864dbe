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
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stator::base {

// Which of the executor's threads run a task: the pool for what computes long, the control thread for
// what waits. Each has a queue of its own.
enum class Lane : std::uint8_t { kPool, kControl };

class Executor {
 public:
  using Task = std::move_only_function<void()>;

  // `pool_threads` 0: four for each core but one, at least four.
  explicit Executor(std::size_t pool_threads = 0);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor() { Stop(); }

  // Runs the task after those that were posted to the lane before. After Stop: at once, here.
  void Post(Lane lane, Task task);

  // Returns when every task that was posted has ended.
  void Stop();

  struct Load {
    std::size_t waiting = 0;
    std::size_t running = 0;
    std::uint64_t begun = 0;  // ever
  };
  [[nodiscard]] Load LoadOf(Lane lane) const;

 private:
  struct Queue {
    std::condition_variable changed;
    std::deque<Task> tasks;
    std::size_t running = 0;
    std::uint64_t begun = 0;
  };

  void Run(Queue& queue);

  mutable std::mutex mutex_;
  std::array<Queue, 2> queues_;  // by Lane; protected by mutex_
  bool stopping_ = false;        // protected by mutex_
  bool stopped_ = false;         // protected by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace stator::base
