// When a faulty disk fails: the switches of FaultyDisk, and the counts.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <rocksdb/io_status.h>

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>

#include "stator/base/random.h"

namespace stator::storage {

class Faults {
 public:
  void FailSyncsAfter(std::uint64_t successes);
  void FailWritesAfter(std::uint64_t successes);
  void FailAtRandom(std::uint64_t seed, std::uint64_t one_in);
  void FillUpAfter(std::uint64_t bytes);
  void HoldSyncs();
  void AwaitHeldSync();
  void LetSyncs(std::uint64_t count);
  void FailHeldSync();
  void Heal();
  void CutPower();
  void RestorePower();

  // Asked before each operation: good, or the failure to report.
  rocksdb::IOStatus OnSync();
  rocksdb::IOStatus OnChange();   // of a name: make, rename, remove
  rocksdb::IOStatus OnRewrite();  // of bytes in their place
  // `bytes` becomes the number that still fits; those are written even if the answer is NoSpace.
  rocksdb::IOStatus OnWrite(std::uint64_t& bytes);

  [[nodiscard]] std::uint64_t syncs() const;
  [[nodiscard]] std::uint64_t writes() const;
  [[nodiscard]] std::uint64_t bytes_written() const;

 private:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // REQUIRES: mutex_ is held.
  bool Lucky();
  // Returns when the sync may go on; false when it is to fail.
  bool StandUntilLet(std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Protected by mutex_:
  bool powered_ = true;
  std::uint64_t good_syncs_ = kUnlimited;
  std::uint64_t good_writes_ = kUnlimited;
  std::uint64_t free_bytes_ = kUnlimited;
  std::unique_ptr<SeededRandom> random_;
  std::uint64_t one_in_ = 0;
  bool holding_ = false;
  std::uint64_t held_ = 0;     // syncs that stand
  std::uint64_t let_ = 0;      // of those, and of later ones, may go on
  std::uint64_t failing_ = 0;  // of those that stand, fail
  std::uint64_t syncs_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t bytes_written_ = 0;
};

}  // namespace stator::storage
