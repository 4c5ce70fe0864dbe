// What the engine does on its own: long jobs behind schema changes, and the housekeeping that time
// brings (expired items, old stream records, old tokens, saved statistics). A thread for each, so that
// no job, however long, keeps items from expiring; and one for exports and imports, which wait for
// buckets.
//
// Every job can be cut off at any moment by a crash: what is left to do is on disk (the state of an
// index, a dropped table's row), and Resume finds it again.
//
// THREADS: all methods from any thread, except Start and Stop.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "engine/engine_core.h"
#include "engine/job_queue.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"

namespace stator::engine {

class BackgroundWork {
 public:
  using Job = JobQueue::Job;

  // `interval` is the time between two rounds of housekeeping; zero means that there are none but
  // those that RunHousekeeping is asked for.
  BackgroundWork(EngineCore& core, std::chrono::milliseconds interval)
      : core_(core), interval_(interval) {}
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;
  ~BackgroundWork() { Stop(); }

  void Start();
  // Ends the job under way at its next step, and the threads. Jobs that wait are dropped; they are
  // found again at the next start. Jobs that failed are tried again by housekeeping, once the store
  // takes writes.
  void Stop();

  // A job that takes long does a part of it and enqueues the rest, so that others have their turn.
  void Enqueue(Job job) { jobs_.Enqueue(std::move(job)); }
  // The same of one that reads or writes a bucket.
  void EnqueueTransfer(Job job) { transfers_.Enqueue(std::move(job)); }

  // Returns when no job waits or runs. For tests and for tools.
  void AwaitIdle();

  // While it is there no job of the queue runs; those that are enqueued wait.
  struct ReleaseQueue {
    void operator()(JobQueue* queue) const { queue->Release(); }
  };
  using HeldQueue = std::unique_ptr<JobQueue, ReleaseQueue>;
  // The same of jobs of both kinds.
  struct Hold {
    HeldQueue transfers;
    HeldQueue jobs;
  };
  // Waits until no job waits or runs; nothing when that takes too long, or the engine stops.
  std::optional<Hold> TryHoldJobs(std::chrono::milliseconds at_most);

  // One round now, on this thread.
  Result<void> RunHousekeeping();

  [[nodiscard]] bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  // Waits until no operation goes by an old schema of the table: from then on every write goes by
  // the new one. Fails when the engine stops meanwhile.
  Result<void> AwaitNewSchema(std::uint32_t table_id);
  // The same for at most so long; false when one still does.
  Result<bool> AwaitNewSchema(std::uint32_t table_id, Duration at_most);

  // False when it is time to stop.
  bool Pause(std::chrono::milliseconds duration);

 private:
  // Reads every backup, export and import, so not in every round.
  Result<void> LookAtRecords();

  EngineCore& core_;
  const std::chrono::milliseconds interval_;
  std::atomic<TimePoint> records_looked_at_ = TimePoint::min();
  std::thread housekeeping_thread_;
  std::atomic<bool> stopping_ = false;

  Mutex mutex_;
  ConditionVariable changed_;
  JobQueue jobs_;
  JobQueue transfers_;
};

// The jobs. Each takes over where an earlier run of it was cut off.

// Makes entries for the items that were there before the index, then opens the index to readers.
Result<void> BackfillIndex(EngineCore& core, std::uint32_t table_id, std::uint32_t index_id);
// Removes the entries of an index that is being deleted, then the index.
Result<void> DropIndex(EngineCore& core, std::uint32_t table_id, std::uint32_t index_id);
// Removes every row of a table that is gone; items and undo rows not before nobody can restore it.
Result<void> CleanDroppedTable(EngineCore& core, std::uint32_t table_id);
// Makes, or removes, the expiry rows of the items of a table whose expiry was switched.
Result<void> FinishTtlChange(EngineCore& core, std::uint32_t table_id);

// Copies a part of the items of the table that another one is restored from; at the end its indexes are
// filled, and it is there.
Result<void> ContinueRestore(EngineCore& core, std::uint32_t table_id);

// Takes back a part of the items of a table that is being rewound; at the end it is open again.
Result<void> ContinueRewind(EngineCore& core, std::uint32_t table_id);

// Enqueues the jobs that an earlier run of the program did not finish.
Result<void> ResumeJobs(EngineCore& core);

// Housekeeping; each does a bounded amount of work and returns how much.
Result<std::size_t> SweepExpiredItems(EngineCore& core, std::size_t limit);
Result<std::size_t> TrimStreams(EngineCore& core, std::size_t limit);
Result<void> SaveStatistics(EngineCore& core);

}  // namespace stator::engine
