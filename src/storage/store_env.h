// What RocksDB runs in: the machine's threads on a file system of our choice, and a clock that does
// not sleep once the store has failed. RocksDB sleeps for a second after a failed flush before it
// would try again; nothing is tried again here (see FailureLatch), so closing need not wait for that.
//
// Flushes are counted, because RocksDB 7.8 forgets one that has a thread assigned but begins only
// after RocksDB has stopped for an error: it stays queued, nobody ever runs it, and DB::Resume waits
// for it for ever. So whoever stops RocksDB gives flushes a moment to begin; see StoreListener.

#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstddef>
#include <memory>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "storage/failure_latch.h"

namespace stator::storage {

// The flushes of one store that wait for a thread or are running.
//
// THREADS: every method may be called from many threads.
class FlushJobs {
 public:
  void Begin();
  void End();
  // Waits until there are none, but not for long: one that runs may wait for the caller. Not at all
  // on the thread of a flush.
  void GiveAMoment();

 private:
  Mutex mutex_;
  ConditionVariable ended_;
  std::size_t under_way_ STATOR_GUARDED_BY(mutex_) = 0;
};

// REQUIRES: `failure` outlives it.
std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const FailureLatch& failure,
                                           std::shared_ptr<FlushJobs> flushes);

}  // namespace stator::storage
