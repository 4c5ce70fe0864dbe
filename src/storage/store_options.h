// How a store is opened.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "stator/base/clock.h"
#include "storage/family.h"
#include "storage/row_filter.h"

namespace stator::storage {

class FaultyDisk;

enum class Durability : std::uint8_t {
  kDurable,  // a write is acknowledged after it was synced
  kRelaxed,  // a write is acknowledged before; a background thread syncs
};

// Said once when a fault begins, and once when it is over.
struct StoreNotice {
  enum class Kind : std::uint8_t {
    kRefuses,  // writes are refused
    kGoesOn,   // no more
    kStands,   // the disk does not answer
    kAnswers,  // it does again
  };
  Kind kind;
  std::string text;  // what happened and what to do, without a time
};

struct StoreOptions {
  std::string path;        // the directory; ignored when in_memory
  bool in_memory = false;  // no files, no log; the data ends with the store

  Durability durability = Durability::kDurable;
  // A relaxed store loses at most this much of the past in a power cut.
  std::chrono::milliseconds sync_interval{200};

  bool create_if_missing = true;
  // Reads the directory as it is, beside a process that writes it or not; refuses every write.
  bool read_only = false;
  // Opens a directory whose log is damaged and keeps what was written before the damage; what is
  // lost is in Store::Losses. Without it such a directory is refused.
  bool salvage = false;

  // The version of everything inside (keyspace/format_version.h), as the STATOR file says it.
  // A new directory gets it; one of an older version keeps its own until Store::RaiseFormat.
  std::uint32_t format_version = kHistorySince;

  // Memory. Both are upper bounds that are taken when needed, not at Open.
  std::size_t block_cache_bytes = 64 << 20;  // of blocks, rows and runs
  std::size_t write_buffer_bytes = 32 << 20;

  // Files that may be open at once, of those that the store can close; 0 for all that there are.
  std::size_t open_files_max = 0;

  // The largest group of batches that is written and synced at once; one batch may be larger.
  std::size_t group_bytes_max = 8 << 20;

  // So much may be on its way to the disk before Store::HasRoom says no.
  std::size_t queue_bytes_max = 64 << 20;

  // How often the store looks after itself: whether there is room again after a lack of it, whether
  // the disk answers. Zero: only when Store::Maintain is called.
  std::chrono::milliseconds watch_interval{1000};
  // The disk stands still when a write has been on its way for so long.
  std::chrono::milliseconds stall_max{5000};
  // Called from one thread at a time, which may take its time.
  std::function<void(const StoreNotice&)> on_notice = nullptr;

  // Of the history; null when every row stays.
  std::shared_ptr<RowFilterMaker> history_filters = nullptr;

  // Measures syncs.
  Clock* clock = &SystemClock();
  // Tells commit times; null: the same.
  Clock* commit_clock = nullptr;

  // A disk that fails on demand, for tests.
  std::shared_ptr<FaultyDisk> disk = nullptr;
};

// What of the cache is for rows (row_cache.h), and for runs of them (run_cache.h).
inline std::size_t RowCacheBytes(const StoreOptions& options) {
  return options.block_cache_bytes / 8;
}
inline std::size_t RunCacheBytes(const StoreOptions& options) {
  return options.block_cache_bytes / 16;
}

}  // namespace stator::storage
