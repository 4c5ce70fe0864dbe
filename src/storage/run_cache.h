// Short runs of rows that are walked again and again, in front of RocksDB: a bounded part of the
// store's memory in which walking costs a fiftieth of what an iterator of RocksDB does.
//
//   RunCache::Visit visit;
//   if (RunPtr run = cache.Find(lower, upper, visit)) { ... }
//   else { make an iterator of RocksDB; while (visit.welcome) add each row to a RowRun; at the end
//          cache.Offer(lower, upper, visit, run); }
//
// REGIONS. A write knows its keys, and cannot know which runs they are in. It closes the regions of
// its keys: a region is all keys with the same first bytes, and a range of keys is kept only if it is
// within one. Keys of one partition are (keyspace/keys.h).
//
// INVARIANTS
//
//   (1) A run that is found has the rows that RocksDB has at that moment, all of its range and no
//       others. While a write of a key is on its way into RocksDB the key's region is closed: no run
//       of it is found, and none is let in.
//   (2) A run that was read before a write of its region began is never found after that: each
//       beginning gives the region another version, and a run has the one that its reader saw.
//
// Runs come in when they are walked a second time, from one end to the other, without a write of
// their region in between, so that what is written as often as it is read never does. What goes out
// is what was not asked for longest.
//
// THREADS: all methods of RunCache from any thread. A RowRun belongs to one thread until it is offered.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stator/base/mutex.h"

namespace stator::storage {

// Rows side by side, in the order of their keys.
class RowRun {
 public:
  // A run with more is not worth its memory.
  static constexpr std::size_t kBytesMax = 32 << 10;

  // False when the run would be too long. REQUIRES: the keys come in their order, or all the other
  // way round (then Reverse).
  bool Add(std::string_view key, std::string_view value, std::uint32_t note);
  void Reverse();

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::string_view key(std::size_t at) const {
    return {bytes_.data() + rows_[at].key_at, rows_[at].value_at - rows_[at].key_at};
  }
  [[nodiscard]] std::string_view value(std::size_t at) const {
    return {bytes_.data() + rows_[at].value_at, rows_[at].end - rows_[at].value_at};
  }
  [[nodiscard]] std::uint32_t note(std::size_t at) const { return rows_[at].note; }
  // The first row at or behind a key.
  [[nodiscard]] std::size_t Find(std::string_view key) const;

  // What the run takes, about.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Row {
    std::uint32_t key_at;
    std::uint32_t value_at;  // where the key ends
    std::uint32_t end;
    std::uint32_t note;
  };

  std::string bytes_;
  std::vector<Row> rows_;
};

using RunPtr = std::shared_ptr<const RowRun>;

class RunCache {
 public:
  // What a reader that found nothing has to show when it offers what it read.
  struct Visit {
    std::uint64_t hash = 0;
    std::size_t region = 0;
    std::uint64_t version = 0;  // of the region
    bool welcome = false;       // whether an offer is
  };

  // Zero: keeps nothing.
  explicit RunCache(std::size_t bytes_max);

  // The rows of [lower, upper); null when they are not here.
  RunPtr Find(std::string_view lower, std::string_view upper, Visit& visit);

  // REQUIRES: the iterator that read the run was made after Find.
  void Offer(std::string_view lower, std::string_view upper, const Visit& visit, RowRun run);

  // Of a region; every key has one. REQUIRES: is_enabled().
  void Close(std::size_t region);
  void Reopen(std::size_t region);

  static std::size_t RegionOf(std::string_view key);

  [[nodiscard]] bool is_enabled() const { return shard_bytes_max_ > 0; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::size_t kShards = 32;     // more than threads, so that two rarely meet
  static constexpr std::size_t kMarks = 64;      // of a shard; ranges share them
  static constexpr std::size_t kRegions = 4096;  // that are told apart

  // Of a range: its bounds, and what the region was when it was read.
  struct Kept {
    std::uint64_t hash;
    std::string lower;
    std::string upper;
    std::uint64_t version;
    RunPtr run;
    [[nodiscard]] std::size_t bytes() const;
  };
  struct Shard {
    // How many runs there are whose hash has these bits, and of the ranges that were not found last
    // their hash with the version of their region. Who finds no run there does not wait for the
    // mutex: both are only hints, an old one costs a walk of RocksDB.
    std::array<std::atomic<std::uint32_t>, kMarks> kept = {};
    std::array<std::atomic<std::uint64_t>, kMarks> missed = {};

    mutable Mutex mutex;
    std::list<Kept> runs STATOR_GUARDED_BY(mutex);  // the one that was asked for last in front
    // By hash; of two ranges with the same one only the later is kept.
    std::unordered_map<std::uint64_t, std::list<Kept>::iterator> places STATOR_GUARDED_BY(mutex);
    std::size_t bytes STATOR_GUARDED_BY(mutex) = 0;

    void Add(Kept run) STATOR_REQUIRES(mutex);
    void Drop(std::uint64_t hash) STATOR_REQUIRES(mutex);
    RunPtr Find(std::string_view lower, std::string_view upper, const Visit& visit);
  };
  // How many writes are on their way into it, and above that how many there were.
  using Region = std::atomic<std::uint64_t>;

  Shard& ShardOf(std::uint64_t hash) { return shards_[hash % kShards]; }
  static std::size_t MarkOf(std::uint64_t hash) { return hash / kShards % kMarks; }

  const std::size_t shard_bytes_max_;
  std::vector<Shard> shards_;
  std::vector<Region> regions_;
};

}  // namespace stator::storage
