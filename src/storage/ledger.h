// What the directory must hold: the names of RocksDB's logs and lists of tables, and how many bytes
// of each are known to be on the disk. It is kept in the file STATOR, so that a log that was
// removed, shortened or damaged is noticed when the store is opened, instead of being taken for the
// end of what was written.
//
// COST. An entry is written after each sync of a log, in place and without a sync of its own: some
// microseconds. What is in the ledger was on the disk before, so an old ledger demands too little,
// never too much. It is synced when a file gets its first entry, before a file is removed, and when
// the store is closed. Hence:
//
//   - after a killed process the ledger is exact;
//   - after a power cut it is at least as new as the beginning of the newest log: that a log is
//     missing is always noticed, that it was shortened up to what the system had written of the
//     ledger by then (30 seconds back on most systems; a cut disk that keeps what it said it had
//     synced shortens nothing).
//
// FORMAT (on disk; docs/format.md, "The ledger"). Three places in STATOR, of which the newest good
// one counts. Two are for what is synced, in turns, so that a torn one leaves the other; the third
// is for what is not. Each is text:
//
//   ledger 42 durable 000012.log:4711 MANIFEST-000005:1234 crc 1a2b3c4d\n
//
// THREADS: every method may be called from many threads.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "storage/store_options.h"

namespace stator::storage {

struct LedgerState {
  std::uint64_t number = 0;  // each is one above the former; 0: there is none yet
  Durability durability = Durability::kDurable;
  // Bytes that must be there, by file name.
  std::map<std::string, std::uint64_t, std::less<>> files = {};
  std::size_t next_place = 0;  // 0 or 1: where the next synced one goes
};

// Where the places are, behind the first line of STATOR, which is this long.
inline constexpr std::size_t kLedgerPlaces[] = {4096, 12288, 20480};
inline constexpr std::size_t kLedgerPlaceBytes = 8192;
inline constexpr std::size_t kLedgerFileBytes = kLedgerPlaces[2] + kLedgerPlaceBytes;

// The contents of a new STATOR that begins so.
std::string NewLedger(std::string_view first_line);

// The newest good one; nothing when there is none.
std::optional<LedgerState> ParseLedger(std::string_view contents_of_file);

class Ledger {
 public:
  // REQUIRES: `files` outlives it; STATOR at `path` has places; `state` is what it says, or less.
  static Result<std::unique_ptr<Ledger>> Open(rocksdb::FileSystem& files, const std::string& path,
                                              LedgerState state);

  Ledger(rocksdb::FileSystem& files, std::string path,
         std::unique_ptr<rocksdb::FSRandomRWFile> file, LedgerState state);

  // So many bytes of the file are on the disk, and so is its name.
  rocksdb::IOStatus Note(const std::string& name, std::uint64_t bytes);

  // The file is about to be removed by its owner. On the disk when this returns.
  rocksdb::IOStatus Forget(const std::string& name);

  rocksdb::IOStatus Sync();

  // Replaces the first line of STATOR. On the disk when this returns.
  // REQUIRES: it is as long as the one that is there, so that no half of it can be.
  rocksdb::IOStatus ReplaceFirstLine(std::string_view line);

  // Whether STATOR is still where it was: a directory that was removed, moved or locked away goes
  // on being written through its open files, and nobody would find that again. Asked by Note, too.
  [[nodiscard]] rocksdb::IOStatus CheckPlace() const;

 private:
  // What tells a file from another that got its name.
  struct Identity {
    std::uint64_t device = 0;
    std::uint64_t number = 0;

    friend bool operator==(const Identity&, const Identity&) = default;
  };
  // Nothing when it is not a file of the system, or gone.
  static std::optional<Identity> IdentityOf(const std::string& path);

  rocksdb::IOStatus Write(bool sync) STATOR_REQUIRES(mutex_);

  rocksdb::FileSystem& files_;
  const std::string path_;
  const std::optional<Identity> identity_;
  const std::unique_ptr<rocksdb::FSRandomRWFile> file_;

  Mutex mutex_;
  LedgerState state_ STATOR_GUARDED_BY(mutex_);
  // The disk may not have what had to be there; the next write syncs.
  bool is_behind_ STATOR_GUARDED_BY(mutex_) = false;
};

}  // namespace stator::storage
