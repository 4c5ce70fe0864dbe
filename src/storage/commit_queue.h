// Group commit: many writers, one commit at a time, each commit with everything that waits.
//
// One thread that merges 64 batches into one synced write is more than twice as fast as 64 threads
// that each hand RocksDB one: a batch costs a copy of its bytes instead of a turn in the write
// path, and everybody who waits for a group is woken by one call.
//
// A write takes the next PLACE and is SETTLED when it and all before it are visible and durable, or
// have failed. The order of places is the order of commits; numbers that have to rise with it
// (STAMPS, see write_batch.h) are filled in when the place is given.
//
// A writer that waits anyway and finds the queue idle commits by itself, so a single writer pays
// for no switch of threads. Everybody who comes meanwhile joins the group that is open; the commit
// thread takes it next. After a group with several writers the commit thread waits a moment for
// them to come back before it commits again: they usually do, and the sync that is saved is worth
// more.
//
// INVARIANTS
//
//   (1) At most one commit is running; the one who runs it is the owner (see Owner).
//   (2) Places are committed and settled in their order, each once.
//   (3) While groups wait there is an owner, so none waits for ever.
//   (4) After a place has failed, all behind it fail, and no further place is given until Resume; what
//       was decided before that gets none.
//   (5) The unsettled bytes are the sum of the charges of what has a place and is not settled.
//   (6) A row, the BOUND, says a time that no commit is behind. A commit that would be raises it by
//       a tenth of a second, in its own group or an earlier one: so it is written rarely, and after a
//       crash times go on behind it without anybody having to look for the last one.
//
// THREADS: every method may be called from many threads; the destructor must be alone. It commits
// what has a place before it returns.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "storage/queued_write.h"

namespace stator::storage {

struct CommitQueueOptions {
  std::size_t group_bytes_max = 8 << 20;   // a group is closed then; one batch may be larger
  std::size_t queue_bytes_max = 64 << 20;  // HasRoom says no from here on
  Clock* clock = &SystemClock();           // of how long a place has waited
  Clock* commit_clock = nullptr;           // of commit times; null: the same
};

class CommitQueue {
 public:
  // Writes a group, merged, as durably as the store promises. Runs on one thread at a time.
  using Commit = std::move_only_function<Result<void>(std::span<const QueuedWritePtr> group)>;
  // Whether a place may be given. Called from many threads.
  using Check = std::move_only_function<Result<void>()>;

  // Writes that are committed together; what a waiting writer waits on.
  class Group {
   public:
    void Await() const { finished_.wait(0); }

   private:
    friend class CommitQueue;
    std::vector<QueuedWritePtr> writes_;
    std::size_t bytes_ = 0;
    std::uint64_t first_time_ = 0;            // the lowest commit time in it; 0 when there is none
    Duration since_ = {};                     // when the first of them came
    std::atomic<std::uint32_t> finished_{0};  // 0, then 1
  };

  // What Enqueue gives.
  struct Placed {
    std::shared_ptr<Group> group;
    // The caller is the owner now, and must call CommitOwned or LeaveToThread.
    bool owned = false;
  };

  enum class Whose : bool { kThread, kCaller };

  CommitQueue(const CommitQueueOptions& options, Check check, Commit commit);
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;
  ~CommitQueue();

  // Gives the write the next place; never waits. Fails when places are not given any more; then the
  // write was not touched. With kCaller an idle queue is left to the caller to commit.
  Result<Placed> Enqueue(QueuedWritePtr write, Whose commit = Whose::kThread);
  void CommitOwned();
  void LeaveToThread();

  // What a decision must ask for before it reads, and its write must carry (QueuedWrite::set_epoch):
  // rows that it has read may have failed, and then it is void.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

  // Calls `mend` while nothing is being committed; when it is good, places are given again. Fails
  // with kUnavailable, and calls nothing, while something is.
  Result<void> Resume(const std::function<Result<void>()>& mend);

  // Writes past the queue, on this thread, when nothing has a place: `write_now` says whether it
  // was written; when not, the write has to be enqueued. Stamped numbers become visible in order.
  // REQUIRES: nothing that the write rests on is queued.
  using WriteNow = std::function<Result<bool>(WriteBatch& batch)>;
  Result<bool> TryWriteNow(QueuedWrite& write, const WriteNow& write_now);

  // Calls `dependent` when the write is settled. False when it is settled already: then the outcome
  // is OutcomeOf, and nothing is called.
  bool WhenSettled(QueuedWrite& write, Dependent& dependent);
  // True when the dependent will not be called any more.
  bool Withdraw(QueuedWrite& write, Dependent& dependent);
  // REQUIRES: the write is settled.
  Result<void> OutcomeOf(const QueuedWrite& write) const;

  // False while so much is unsettled that no further write should be begun.
  [[nodiscard]] bool HasRoom() const { return unsettled_bytes_ < options_.queue_bytes_max; }
  // Called, on the thread that commits, when there is room again. Before the first Enqueue.
  void set_on_room(std::move_only_function<void()> on_room) { on_room_ = std::move(on_room); }

  [[nodiscard]] std::uint64_t unsettled() const { return unsettled_places_; }
  [[nodiscard]] std::size_t unsettled_bytes() const { return unsettled_bytes_; }
  // How long the oldest unsettled place has waited; zero when there is none.
  [[nodiscard]] Duration OldestAge() const;

  // Sequence stamps go on behind `last`. Before the first Enqueue.
  void StartSequencesBehind(std::uint64_t last);
  // The highest sequence stamp that is visible.
  [[nodiscard]] std::uint64_t visible_sequence() const { return visible_sequence_; }

  // Commit times go on behind `bound`, in microseconds since 1970, which is what the row `bound_key`
  // says (eight bytes, big-endian), if it is there; see (6). Before the first Enqueue.
  void StartTimesBehind(std::uint64_t bound, std::string bound_key);
  // Has the row say the last time that was given, so that the next start goes on right behind it. For
  // who is about to end; waits for nothing.
  void ReturnTimes();
  // All commits up to this time are visible, and no later one will have a time up to it. As late as
  // can be said: now, when nothing that has a time is on its way, unless the clock is behind.
  [[nodiscard]] std::uint64_t SettledTime();

 private:
  enum class Owner : std::uint8_t {
    kNobody,  // no commit is running and none waits
    kWriter,  // a thread outside commits a group, or writes past the queue
    kThread,  // the commit thread commits groups until none waits
  };

  [[nodiscard]] std::uint64_t NowOrLater(std::uint64_t earliest) const STATOR_REQUIRES(mutex_);
  void Stamp(QueuedWrite& write) STATOR_REQUIRES(mutex_);
  // Writes the bound; nobody waits for it.
  [[nodiscard]] QueuedWritePtr WriteOfBound(std::uint64_t time) const STATOR_REQUIRES(mutex_);
  // The same, when the write has a time behind the bound, and the bound that there is then; null when
  // it has none.
  [[nodiscard]] std::pair<QueuedWritePtr, std::uint64_t> NextBound(const QueuedWrite& write) const
      STATOR_REQUIRES(mutex_);
  // Adds the writes, of which the first may be null, to one group.
  std::shared_ptr<Group> Join(QueuedWritePtr first, QueuedWritePtr write) STATOR_REQUIRES(mutex_);
  void Add(QueuedWritePtr write, Group& group) STATOR_REQUIRES(mutex_);
  std::shared_ptr<Group> TakeGroup() STATOR_REQUIRES(mutex_);

  void RunCommitThread();
  void CommitGroup(Group& group);
  // Settles a group and answers it.
  void Settle(Group& group, const Result<void>& outcome);
  void AwaitReturningWriters(std::size_t writers);

  const CommitQueueOptions options_;
  Check check_;
  Commit commit_;                            // used by the owner only
  std::move_only_function<void()> on_room_;  // used by the owner only
  std::uint64_t settled_place_ = 0;          // used by the owner only

  mutable Mutex mutex_;
  ConditionVariable work_;
  std::deque<std::shared_ptr<Group>> waiting_ STATOR_GUARDED_BY(mutex_);
  Owner owner_ STATOR_GUARDED_BY(mutex_) = Owner::kNobody;
  bool stopping_ STATOR_GUARDED_BY(mutex_) = false;
  std::uint64_t next_place_ STATOR_GUARDED_BY(mutex_) = 1;
  std::uint64_t last_sequence_ STATOR_GUARDED_BY(mutex_) = 0;
  // The highest time that was given or promised not to be, and the lowest of what is being committed;
  // 0: none has one.
  std::uint64_t last_time_ STATOR_GUARDED_BY(mutex_) = 0;
  std::uint64_t committing_time_ STATOR_GUARDED_BY(mutex_) = 0;
  // What the row says once everything that has a place is committed; by default there is none.
  std::string bound_key_ STATOR_GUARDED_BY(mutex_);
  std::uint64_t bound_ STATOR_GUARDED_BY(mutex_) = std::numeric_limits<std::uint64_t>::max();
  // Of the group that is being committed.
  std::optional<Duration> committing_since_ STATOR_GUARDED_BY(mutex_);
  // Of the first place that failed since Resume.
  std::optional<Result<void>> failure_ STATOR_GUARDED_BY(mutex_);
  // The same, but kept by Resume: whoever asks for the outcome of a write that failed may be late.
  Result<void> last_failure_ STATOR_GUARDED_BY(mutex_);

  // Written under mutex_ or by the owner, read without.
  std::atomic<std::uint32_t> waiting_writes_{0};
  std::atomic<std::uint64_t> unsettled_places_{0};
  std::atomic<std::size_t> unsettled_bytes_{0};
  std::atomic<std::uint64_t> visible_sequence_{0};
  std::atomic<std::uint64_t> epoch_{1};

  std::jthread thread_;  // last, so that it starts when everything else is there
};

}  // namespace stator::storage
