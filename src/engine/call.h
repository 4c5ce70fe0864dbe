// One call that writes: plan, lock, decide, place, answer; it may be parked anywhere in between,
// and goes on on whatever thread lets it. Nobody waits on a thread that serves others.
//
//   plan     constraints, expressions, tables, keys; what is wrong here is answered at once
//   open     while a table of the call is closed (Table::closed) it waits before it locks
//   room     while the disk does not keep up a call waits before it locks
//   lock     all keys, in ascending order of their hashes
//   decide   reads through a WriterView, fills in the batch
//   place    rows into the overlay, then the write into the commit queue, then the locks go; in
//            this order, on one thread, without waiting in between
//   answer   after its own place is settled; without rows to write, good or bad, after the highest
//            place that it has read is settled; with the failure, if that has failed
//
// One deadline, from its beginning, covers all of this waiting. What has a place has none: its outcome
// is open until the disk speaks. A refusal that rests on a place waits `kRestMax`, because nothing
// of it was written.
//
// THREADS: a call belongs to one thread at a time. Whoever lets a lock go runs those who get it,
// one after the other (never nested), and leaves them to ParkedCalls when they are many.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "engine/engine_core.h"
#include "engine/key_table.h"
#include "engine/pending_write.h"
#include "engine/writer_view.h"
#include "stator/base/result.h"

namespace stator::engine {

// How long a refusal waits for what it rests on.
inline constexpr std::chrono::seconds kRestMax{30};

class Call : public PendingWrite,
             public LockRequest,
             public storage::Dependent,
             public std::enable_shared_from_this<Call> {
 public:
  explicit Call(EngineCore& core);

  // Goes as far as it can without waiting; the rest happens elsewhere.
  void Start();
  // Returns when it is answered. A thread that waits anyway commits by itself if nobody does.
  void Run();

 protected:
  // Finds tables and keys: sets `tables` and the hashes. Called again when a schema was replaced.
  virtual Result<void> Plan() = 0;
  // Lets go of the tables that were found: somebody waits until nobody has them.
  virtual void Unplan() {}
  // Fills in the batch, or says why not. Called with all locks held.
  virtual Result<void> Decide(WriterView& view) = 0;
  // Hands over what was decided, or the failure. Called once.
  virtual void Answer(Result<void> outcome) = 0;
  // Whether what it was asked may be gone when Start has returned, and making it last. What was
  // planned is void then.
  [[nodiscard]] virtual bool borrows_input() const { return false; }
  virtual void KeepInput() {}
  // What is answered when a lock was not to be had in time.
  [[nodiscard]] virtual Error Conflict() const;
  // Called when it is refused because others, or the disk, kept it waiting for too long.
  virtual void CountThrottled() const {}
  // Whether deciding takes long, so that it is not done for somebody else's thread.
  [[nodiscard]] virtual bool is_heavy() const { return false; }

  EngineCore& core() { return core_; }

 private:
  friend class ParkedCalls;

  // Where it stands; `own` is filled in when it was placed by the caller's own thread.
  void Begin(storage::CommitQueue::Placed* own);
  void EnterAfterRoom();
  // Lets go of everything, and begins anew when tables are opened.
  void AwaitOpening(const TablePtr& closed);
  void EnterAfterOpening();
  // Makes it fit to be parked; false when it was answered instead.
  bool PrepareToPark();
  // Takes the locks, or parks. True when they are held.
  bool LockAll();
  // All locks are held, on a thread that runs calls.
  void Enter(storage::CommitQueue::Placed* own);
  void Step(storage::CommitQueue::Placed* own);
  // False when the schema has changed and it has been planned anew without getting its locks.
  bool MakeCurrent();
  void Place(storage::CommitQueue::Placed* own);
  void Rest(const storage::QueuedWritePtr& on, Result<void> decided);
  // Lets the locks go; whether somebody has got some who is to be run by this thread or by ParkedCalls.
  bool ReleaseLocks();
  void Finish(Result<void> outcome);

  // By ParkedCalls, when its deadline is over and it still waits.
  void OnOverdue(const storage::QueuedWritePtr& rests_on);
  void OnNoRoom();
  void OnStillClosed();
  void OnRested(const Result<void>& outcome) override;
  void OnAnswer(const Result<void>& outcome) override;

  EngineCore& core_;
  storage::QueuedWritePtr rests_on_;
  Result<void> decided_;
  std::atomic<std::uint32_t> answered_ = 0;  // 0, then 1

  // Of ParkedCalls, under its mutex; see parked_calls.h.
  Duration deadline_ = {};
  std::shared_ptr<Call> parked_;  // itself, while it is parked
  Call* parked_before_ = nullptr;
  Call* parked_behind_ = nullptr;
};

}  // namespace stator::engine
