// Group commit: many writers, one commit at a time, each commit with everything that waits.
//
// One thread that merges 64 batches into one synced write is more than twice as fast as 64 threads
// that each hand RocksDB one: a batch costs its writer a copy of its bytes instead of a turn in the
// write path, and everybody who took part in a group is woken by one call.
//
// A writer that finds the queue idle commits by itself, so a single writer pays for no switch of
// threads. Everybody who comes meanwhile joins the group that is open; the commit thread takes it
// next. After a group with several writers the commit thread waits a moment for them to come back
// before it commits again: they usually do, and the sync that is saved is worth more.
//
// INVARIANTS
//
//   (1) At most one commit is running; the one who runs it is the owner (see Owner).
//   (2) Batches are committed in the order in which Write and Submit were entered.
//   (3) While groups wait there is an owner, so none waits for ever.
//
// THREADS: every method may be called from many threads; the destructor must be alone. It commits
// what was submitted before it returns.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "stator/base/result.h"
#include "storage/write_batch.h"

namespace stator::storage {

class CommitQueue {
 public:
  using Done = std::move_only_function<void(Result<void>)>;
  // Makes a group durable: `batches` of them, merged. Runs on one thread at a time.
  using Commit = std::move_only_function<Result<void>(WriteBatch&& group, std::uint32_t batches)>;

  // A group is closed when it has `group_bytes_max` bytes; a single batch may be larger.
  CommitQueue(std::size_t group_bytes_max, Commit commit);
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;
  ~CommitQueue();

  // Returns when the batch was committed, or why it was not.
  Result<void> Write(WriteBatch&& batch);

  // Returns at once; calls `done` on the commit thread.
  void Submit(WriteBatch&& batch, Done done);

 private:
  struct Group {
    WriteBatch merged;
    std::uint32_t batches = 0;
    std::vector<Done> callbacks;
    Result<void> result;                     // written before `finished`
    std::atomic<std::uint32_t> finished{0};  // 0, then 1; what waiting writers wait on
  };

  enum class Owner : std::uint8_t {
    kNobody,  // no commit is running and none waits
    kWriter,  // a thread inside Write commits its own batch
    kThread,  // the commit thread commits groups until none waits
  };

  // The open group after `batch` was added to it. REQUIRES: mutex_ is held.
  std::shared_ptr<Group> Join(WriteBatch&& batch);
  void GiveUpOwnership();
  void RunCommitThread();
  void CommitWaitingGroups(std::unique_lock<std::mutex>& lock);
  void CommitGroup(Group& group);
  void AwaitReturningWriters(std::uint32_t writers);

  const std::size_t group_bytes_max_;
  Commit commit_;  // used by the owner only

  std::mutex mutex_;
  std::condition_variable work_;
  // Protected by mutex_:
  std::deque<std::shared_ptr<Group>> waiting_;
  Owner owner_ = Owner::kNobody;
  bool stopping_ = false;

  // Batches in waiting_; written under mutex_, read without it.
  std::atomic<std::uint32_t> waiting_batches_{0};

  std::jthread thread_;  // last, so that it starts when everything else is there
};

}  // namespace stator::storage
