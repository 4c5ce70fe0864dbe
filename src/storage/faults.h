// When a faulty disk fails: the switches of FaultyDisk, and the counts.
//
// THREADS: every method may be called from many threads.

#pragma once

#include <rocksdb/io_status.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/base/random.h"

namespace stator::storage {

class Faults {
 public:
  void FailSyncsAfter(std::uint64_t successes);
  void FailWritesAfter(std::uint64_t successes);
  void FailAtRandom(std::uint64_t seed, std::uint64_t one_in);
  void FillUpAfter(std::uint64_t bytes);
  void CallAtWrite(std::uint64_t successes, std::function<void()> call);
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

  bool Lucky() STATOR_REQUIRES(mutex_);
  std::function<void()> TakeCall();
  // Returns when the sync may go on; false when it is to fail.
  bool StandUntilLet(MutexLock& lock) STATOR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  ConditionVariable changed_;
  bool powered_ STATOR_GUARDED_BY(mutex_) = true;
  std::uint64_t good_syncs_ STATOR_GUARDED_BY(mutex_) = kUnlimited;
  std::uint64_t good_writes_ STATOR_GUARDED_BY(mutex_) = kUnlimited;
  std::uint64_t free_bytes_ STATOR_GUARDED_BY(mutex_) = kUnlimited;
  std::uint64_t writes_until_call_ STATOR_GUARDED_BY(mutex_) = 0;
  std::function<void()> call_ STATOR_GUARDED_BY(mutex_);  // null: none
  std::unique_ptr<SeededRandom> random_ STATOR_GUARDED_BY(mutex_);
  std::uint64_t one_in_ STATOR_GUARDED_BY(mutex_) = 0;
  bool holding_ STATOR_GUARDED_BY(mutex_) = false;
  std::uint64_t held_ STATOR_GUARDED_BY(mutex_) = 0;     // syncs that stand
  std::uint64_t let_ STATOR_GUARDED_BY(mutex_) = 0;      // of those, and of later ones, may go on
  std::uint64_t failing_ STATOR_GUARDED_BY(mutex_) = 0;  // of those that stand, fail
  std::uint64_t syncs_ STATOR_GUARDED_BY(mutex_) = 0;
  std::uint64_t writes_ STATOR_GUARDED_BY(mutex_) = 0;
  std::uint64_t bytes_written_ STATOR_GUARDED_BY(mutex_) = 0;
};

}  // namespace stator::storage
