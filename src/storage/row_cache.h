// Rows that are asked for again and again, by key, in front of RocksDB: a bounded part of the store's
// memory in which finding a row takes a tenth of what RocksDB takes.
//
//   RowCache::Visit visit;
//   if (RowPtr row = cache.Find(key, visit)) { ... }
//   else { read it from RocksDB; cache.Offer(key, visit, value); }
//
// Whoever writes says so before and afterwards (writes_to.h).
//
// INVARIANTS
//
//   (1) A row that is found is the one that RocksDB has at that moment. While a write of its key is
//       on its way into RocksDB the key is closed: not found here, and not let in.
//   (2) A row that was read before a write of its key began is not let in after it: each beginning
//       gives the key another version, and an offer names the version that its reader saw.
//   (3) A row that was here when a write of it began is here again, as written, when the write has
//       succeeded and no other of the key has begun meanwhile: then nobody has written it later.
//
// Rows come in when they are asked for a second time within a while, so that a scan over many, or a
// write of many, displaces nothing. What goes out is the oldest that was not asked for since room was
// last needed.
//
// THREADS: all methods from any thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stator/base/mutex.h"
#include "storage/cached_row.h"

namespace stator::storage {

class RowCache {
 public:
  // What a reader that found nothing has to show when it offers what it read.
  struct Visit {
    std::uint64_t hash = 0;
    std::uint32_t version = 0;
    bool welcome = false;  // whether an offer is
  };

  // Zero: keeps nothing.
  explicit RowCache(std::size_t bytes_max);
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;
  ~RowCache();

  // Null when it is not here.
  RowPtr Find(std::string_view key, Visit& visit);

  void Offer(std::string_view key, const Visit& visit, std::string_view value);

  // What a writer keeps of a key while it is closed.
  struct Closing {
    std::uint64_t hash;
    std::uint32_t version;
    bool was_here;
  };
  Closing Close(std::string_view key);
  void Reopen(const Closing& closing);
  // The same after the key was written, with that value.
  void Reopen(const Closing& closing, std::string_view key, std::string_view value);

  [[nodiscard]] bool is_enabled() const { return shard_bytes_max_ > 0; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t kShards = 128;  // far more than threads, so that two rarely meet
  static constexpr std::size_t kDoors = 64;    // of a shard; keys share them

  struct Door {
    std::uint32_t version = 0;
    std::uint32_t writers = 0;      // that have closed it
    std::uint32_t last_missed = 0;  // of the hash of the key that was not found last
  };
  struct Shard {
    mutable Mutex mutex;
    // By hash, in chains; of two keys with the same hash only the later is kept.
    std::vector<CachedRow*> buckets STATOR_GUARDED_BY(mutex);
    CachedRow* newest STATOR_GUARDED_BY(mutex) = nullptr;
    CachedRow* oldest STATOR_GUARDED_BY(mutex) = nullptr;
    std::size_t count STATOR_GUARDED_BY(mutex) = 0;
    std::size_t bytes STATOR_GUARDED_BY(mutex) = 0;
    std::array<Door, kDoors> doors STATOR_GUARDED_BY(mutex);

    // The place of the pointer to the row with that hash, or of the null behind the last of its chain.
    // REQUIRES: there are buckets.
    CachedRow*& PlaceOf(std::uint64_t hash) STATOR_REQUIRES(mutex);
    void Add(RowPtr row) STATOR_REQUIRES(mutex);
    // Whether there was such a row.
    bool Drop(std::uint64_t hash) STATOR_REQUIRES(mutex);
    void DropAll() STATOR_REQUIRES(mutex);
    // Until no more than that is left.
    void MakeRoom(std::size_t bytes_max) STATOR_REQUIRES(mutex);

   private:
    void Enqueue(CachedRow& row) STATOR_REQUIRES(mutex);
    void Dequeue(CachedRow& row) STATOR_REQUIRES(mutex);
    void Widen() STATOR_REQUIRES(mutex);
  };

  static std::uint64_t HashOf(std::string_view key);
  Shard& ShardOf(std::uint64_t hash) { return shards_[hash % kShards]; }
  static std::size_t DoorOf(std::uint64_t hash) { return hash / kShards % kDoors; }

  const std::size_t shard_bytes_max_;
  std::vector<Shard> shards_;
};

}  // namespace stator::storage
