// What RocksDB runs in: the machine's threads on a file system of our choice, and a clock that does
// not sleep once the store has failed. RocksDB sleeps for a second after a failed flush before it
// would try again; nothing is tried again here (see FailureLatch), so closing need not wait for that.
//
// Flushes are counted, because RocksDB 7.8 forgets one that has a thread assigned but begins only
// after RocksDB has stopped for an error: it stays queued, nobody ever runs it, and DB::Resume waits
// for it for ever. So whoever stops RocksDB lets flushes begin first (StoreListener), and what RocksDB
// asks a thread for from then on is held until it goes on (store_recovery.cc) or is closed.
//
// No OPTIONS file is written: the settings are the program's, nobody reads them from a directory. RocksDB
// would write them at every opening, twice when it makes a family, sync them, and parse them again to be
// sure: most of the time that opening takes.

#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "storage/failure_latch.h"

namespace stator::storage {

// A flush that RocksDB has asked a thread for.
struct FlushJob {
  void (*run)(void*);
  void (*forget)(void*);  // instead of run; may be null
  void* argument;
  void* tag;
};

// The flushes of one store that have a thread assigned and have not begun.
//
// THREADS: every method may be called from many threads.
class FlushJobs {
 public:
  void Assign();
  // The one that this thread runs has begun, or is over without that. Only the first call counts.
  void Begin();
  // Waits until none is left; not for ever, because another store's flush may hold the thread up. Not
  // at all on the thread of a flush.
  void AwaitBegun();

  // RocksDB is about to stop, and goes on.
  void Stop();
  void GoOn();
  // Keeps a flush that is asked for after Stop and before GoOn. False at other times.
  bool Hold(const FlushJob& job);
  [[nodiscard]] bool HasHeld();
  // All that are held, and those with a tag; they are no longer.
  std::vector<FlushJob> TakeHeld();
  std::vector<FlushJob> TakeHeld(const void* tag);

 private:
  Mutex mutex_;
  ConditionVariable begun_;
  std::size_t assigned_ STATOR_GUARDED_BY(mutex_) = 0;
  bool is_stopped_ STATOR_GUARDED_BY(mutex_) = false;
  std::vector<FlushJob> held_ STATOR_GUARDED_BY(mutex_);
};

// Whether this thread runs a flush of RocksDB.
bool IsFlushThread();

// REQUIRES: `failure` outlives it.
std::unique_ptr<rocksdb::Env> MakeStoreEnv(const std::shared_ptr<rocksdb::FileSystem>& files,
                                           const FailureLatch& failure,
                                           std::shared_ptr<FlushJobs> flushes);

// Has threads run what is held. REQUIRES: `env` was made by MakeStoreEnv with these flushes.
void ReleaseHeld(rocksdb::Env& env, FlushJobs& flushes);

// The same for a store without files, which cannot fail.
std::unique_ptr<rocksdb::Env> MakeMemoryEnv();

}  // namespace stator::storage
