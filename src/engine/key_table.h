// Per key: who holds its lock, who waits for it, and the newest row of it that is queued.
//
// LOCKS are held from reading an item until the write has its place in the commit queue, not until
// the disk has answered. A lock belongs to a request, not to a thread. Waiting is a FIFO of
// requests, not of threads: whoever lets a lock go hands it to the next one, and goes on locking on
// its behalf. Keys are known by a 64-bit hash; two keys of one hash share a lock, which is
// harmless, and have a row each.
//
// THE OVERLAY is the rows of writes that have a place and are not settled: of each key the one of
// the newest place. Only the holder of the lock that covers a key inserts a row of it; a row leaves
// when its write is settled, which is after it is visible in the store. So who holds the lock and
// finds no row here finds the newest one in the store, if it looks here first.
//
// INVARIANTS
//
//   (1) A request locks its hashes in ascending order, so there is no cycle of waiting.
//   (2) A lock that somebody waits for is never given to somebody who came later.
//   (3) A slot is there while it is held, waited for, or has rows.
//   (4) Rows point into the batch of a write, which they keep.
//
// THREADS: all methods from any thread. Readers do not come here.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "stator/base/mutex.h"
#include "storage/queued_write.h"

namespace stator::engine {

// Somebody who wants locks: all of them before anything is done. Kept alive by its owner while it
// holds or waits.
class LockRequest {
 public:
  LockRequest() = default;
  LockRequest(const LockRequest&) = delete;
  LockRequest& operator=(const LockRequest&) = delete;
  virtual ~LockRequest() = default;

  // Sorted and without duplicates from here on. REQUIRES: holds nothing.
  void SetHashes(std::vector<std::uint64_t> hashes);
  void SetHash(std::uint64_t hash);

  [[nodiscard]] bool Holds(std::uint64_t hash) const;
  [[nodiscard]] bool HoldsAll() const { return held_ == hashes_.size(); }

  // Whether one of the locked keys had a queued row when its lock was given. If not it has none
  // until the lock is let go: nobody else may insert one.
  [[nodiscard]] bool found_rows() const { return found_rows_; }

 private:
  friend class KeyTable;
  friend class GrantedRequests;

  enum class State : std::uint8_t { kIdle, kWaiting, kWithdrawn };

  std::vector<std::uint64_t> hashes_;
  std::size_t held_ = 0;  // the first of them
  bool found_rows_ = false;
  // Changed under the mutex of the shard that it waits in.
  State state_ = State::kIdle;
  std::atomic<std::uint64_t> waits_for_ = 0;
  LockRequest* next_ = nullptr;
};

// Requests that were given their last lock, in order; their owners have to be told.
class GrantedRequests {
 public:
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  void Push(LockRequest& request);
  LockRequest* Pop();

 private:
  LockRequest* first_ = nullptr;
  LockRequest* last_ = nullptr;
};

class KeyTable {
 public:
  struct QueuedRow {
    storage::QueuedWritePtr write;
    std::string_view value;  // in the batch of `write`
    bool deleted = false;
  };

  KeyTable() = default;
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  static std::uint64_t HashOf(std::string_view key);

  // Takes the locks that can be had at once, in order. True when all are held.
  bool TryLock(LockRequest& request);
  // The same, and waits for the first that cannot be had: false. Then the request belongs to
  // whoever lets locks go, until it is granted or withdrawn.
  bool LockOrWait(LockRequest& request);
  // Ends the waiting. True when it had not been given what it waited for; it still holds the locks
  // before that.
  bool Withdraw(LockRequest& request);
  // Lets go whatever the request holds. Whoever has all its locks by that is added to `granted`.
  void Unlock(LockRequest& request, GrantedRequests& granted);

  // The row becomes the newest of its key. `key` and `value` point into the batch of `write`.
  // REQUIRES: the lock that covers the key is held, and `write` has no place yet.
  void Insert(std::uint64_t hash, std::string_view key, const QueuedRow& row);
  // The write is settled: its row goes, unless a newer one has taken its place.
  void Drop(std::uint64_t hash, std::string_view key, const storage::QueuedWrite& write);
  [[nodiscard]] std::optional<QueuedRow> Find(std::uint64_t hash, std::string_view key);

  // No lock, no waiter, no row.
  [[nodiscard]] bool IsEmpty() const;

 private:
  struct Row {
    storage::QueuedWritePtr write;  // null: no row
    std::string_view key;
    std::string_view value;
    bool deleted = false;
  };

  struct Slot {
    std::uint64_t hash = 0;
    bool used = false;
    bool held = false;
    LockRequest* first_waiter = nullptr;
    LockRequest* last_waiter = nullptr;
    Row row;
    std::unique_ptr<std::vector<Row>> others;  // of further keys with the same hash

    [[nodiscard]] bool has_rows() const { return row.write != nullptr || others != nullptr; }
  };

  // A hash table of few slots, with linear probing, so that a visit touches one line or two.
  struct alignas(64) Shard {
    mutable Mutex mutex;
    std::vector<Slot> slots STATOR_GUARDED_BY(mutex);  // a power of two, or none
    std::size_t used STATOR_GUARDED_BY(mutex) = 0;

    // A slot stays where it is until the next call of these.
    Slot* Find(std::uint64_t hash) STATOR_REQUIRES(mutex);
    Slot& FindOrMake(std::uint64_t hash) STATOR_REQUIRES(mutex);
    void RemoveIfUnused(Slot& slot) STATOR_REQUIRES(mutex);

   private:
    [[nodiscard]] std::size_t HomeOf(std::uint64_t hash) const STATOR_REQUIRES(mutex);
    void Grow() STATOR_REQUIRES(mutex);
  };

  static constexpr std::size_t kShards = 256;

  [[nodiscard]] Shard& ShardOf(std::uint64_t hash) { return shards_[hash % kShards]; }
  bool Lock(LockRequest& request, bool may_wait);
  // The one that the lock was handed to; null when nobody waits.
  LockRequest* UnlockOne(std::uint64_t hash);
  static Row* FindRow(Slot& slot, std::string_view key);

  std::array<Shard, kShards> shards_;
};

}  // namespace stator::engine
