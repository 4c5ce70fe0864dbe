// Threads that serve many and therefore never wait.
//
// A thread that reads requests must not stand still for one of them: neither for a lock that is held
// while something is written, nor for a sync, nor for sleep. What waits says so before it does:
//
//   base::MayWait();
//   group.Await();
//
// On a marked thread that is a bug of Stator. Debug builds stop there; release builds wait and count,
// because nothing wrong is written (stator_io_thread_waits_total, which is 0).
//
// THREADS: the mark belongs to the thread that made it; the count is of the process.

#pragma once

#include <cstdint>

namespace stator::base {

// Marks the thread that makes it, as long as it lives.
class ServingThread {
 public:
  ServingThread();
  ServingThread(const ServingThread&) = delete;
  ServingThread& operator=(const ServingThread&) = delete;
  ~ServingThread();
};

// Stands before everything that waits.
void MayWait();

// How often a marked thread has waited.
[[nodiscard]] std::uint64_t WaitsOfServingThreads();

}  // namespace stator::base
