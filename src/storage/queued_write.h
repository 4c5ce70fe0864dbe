// One write on its way through the commit queue, from its place to its answer.
//
// Its batch keeps its bytes where they are until the write is settled, so others may hold views
// into it: the engine's queued rows are such views.
//
// A write is owned by shared pointers: of its group, of rows that point into it, and of calls whose
// answer rests on it.
//
// THREADS: the batch belongs to its maker until the write is enqueued; from then on its bytes are
// only read.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "stator/base/result.h"
#include "storage/write_batch.h"

namespace stator::storage {

// An answer that rests on a queued write; see CommitQueue::WhenSettled.
class Dependent {
 public:
  Dependent() = default;
  Dependent(const Dependent&) = delete;
  Dependent& operator=(const Dependent&) = delete;
  virtual ~Dependent() = default;

  // Good when the write is durable. On the thread that commits, so it only hands over.
  virtual void OnRested(const Result<void>& outcome) = 0;

 private:
  friend class CommitQueue;
  Dependent* next_ = nullptr;
};

class QueuedWrite {
 public:
  QueuedWrite() = default;
  QueuedWrite(const QueuedWrite&) = delete;
  QueuedWrite& operator=(const QueuedWrite&) = delete;
  virtual ~QueuedWrite() = default;

  WriteBatch batch;

  // 1, 2, 3, ... since the store was opened, in the order of commits; 0 before it has one.
  [[nodiscard]] std::uint64_t place() const { return place_.load(std::memory_order_relaxed); }

  // The commit time that was stamped into the batch; 0 when it has none. Good once it is settled.
  [[nodiscard]] std::uint64_t commit_time() const { return commit_time_; }

  // What the write takes of the queue's room; set before it is enqueued.
  void set_charge(std::size_t bytes) { charge_ = bytes; }

  // The queue's epoch from before the decision has read; without one it does not count.
  void set_epoch(std::uint64_t epoch) { epoch_ = epoch; }

 protected:
  // The batch is visible, or never will be by this queue: counts, forgets rows, lets schemas go.
  // In the order of places, each once.
  virtual void OnSettled(const Result<void>& outcome) = 0;
  // The whole group is settled: hands the outcome to the caller. In the order of places.
  virtual void OnAnswer(const Result<void>& outcome) = 0;

 private:
  friend class CommitQueue;

  // Whether it was decided before the queue has gone on after a failure.
  [[nodiscard]] bool IsStale(std::uint64_t now) const { return epoch_ != 0 && epoch_ != now; }

  std::atomic<std::uint64_t> place_ = 0;  // written once, under the queue's mutex
  std::uint64_t epoch_ = 0;
  std::size_t charge_ = 0;
  std::uint64_t last_sequence_ = 0;  // the highest sequence stamp; 0 when there is none
  std::uint64_t commit_time_ = 0;    // its stamp of that kind; 0 when there is none
  // Protected by the queue's mutex:
  bool settled_ = false;
  bool failed_ = false;
  Dependent* first_dependent_ = nullptr;  // in the order in which they came
  Dependent* last_dependent_ = nullptr;
};

using QueuedWritePtr = std::shared_ptr<QueuedWrite>;

}  // namespace stator::storage
