// Locks on item keys, for the time from reading an item to having its replacement on disk.
//
// A lock is not tied to a thread: a write that is waiting for the disk is finished, and its locks
// released, by the thread that commits. Keys are known by a 64-bit hash; two keys with the same
// hash wait for each other needlessly, which is harmless.
//
// INVARIANTS
//
//   (1) A holder acquires all its locks at once, in ascending order, so holders cannot deadlock.
//   (2) Waiting is bounded. Nobody holds a lock while waiting for anything but lower-numbered
//   locks'
//       successors and the disk.
//
// THREADS: all methods from any thread. Readers take no locks.

#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "stator/base/result.h"

namespace stator::engine {

class KeyLocks {
 public:
  // Releases its locks when it is destroyed.
  class Held {
   public:
    Held() = default;
    Held(Held&& other) noexcept;
    Held& operator=(Held&& other) noexcept;
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { Release(); }

    void Release();

   private:
    friend class KeyLocks;
    Held(KeyLocks& locks, std::vector<std::uint64_t> hashes)
        : locks_(&locks), hashes_(std::move(hashes)) {}

    KeyLocks* locks_ = nullptr;
    std::vector<std::uint64_t> hashes_;
  };

  KeyLocks() = default;
  KeyLocks(const KeyLocks&) = delete;
  KeyLocks& operator=(const KeyLocks&) = delete;

  static std::uint64_t HashOf(std::string_view key);

  // Fails with kTransactionConflict when a lock could not be had in time; then none is held.
  Result<Held> Acquire(std::vector<std::uint64_t> hashes, std::chrono::milliseconds wait_max);

 private:
  // Few keys are locked at once, so a shard's list is short and searched in order.
  struct alignas(64) Shard {
    std::mutex mutex;
    std::condition_variable released;
    std::vector<std::uint64_t> held;  // protected by mutex
    int waiting = 0;                  // protected by mutex
  };

  static constexpr std::size_t kShards = 256;

  Shard& ShardOf(std::uint64_t hash) { return shards_[hash % kShards]; }
  bool AcquireOne(std::uint64_t hash, std::chrono::milliseconds wait_max);
  void ReleaseOne(std::uint64_t hash);

  std::array<Shard, kShards> shards_;
};

}  // namespace stator::engine
