// What a store is made of; shared by store.cc (reading, lifetime) and store_write.cc (writing).

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "storage/background_sync.h"
#include "storage/commit_queue.h"
#include "storage/failure_latch.h"
#include "storage/log_files.h"
#include "storage/row_cache.h"
#include "storage/run_cache.h"
#include "storage/store.h"
#include "storage/store_env.h"
#include "storage/watch.h"

namespace stator::storage {

// What RocksDB tells us while it works in the background.
class StoreListener final : public rocksdb::EventListener {
 public:
  StoreListener(FailureLatch& failure, std::shared_ptr<FlushJobs> flushes)
      : failure_(failure), flushes_(std::move(flushes)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override;

  void OnFlushBegin(rocksdb::DB* /*database*/, const rocksdb::FlushJobInfo& /*job*/) override {
    // Those of a store in memory are not counted.
    if (IsFlushThread()) {
      flushes_->Begin();
    }
  }

  void OnFlushCompleted(rocksdb::DB* /*database*/, const rocksdb::FlushJobInfo& /*job*/) override;

  // Returns when `is_over`, which is asked whenever a flush has ended or failed.
  void Await(const std::function<bool()>& is_over);
  // How often something has failed in the background.
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

  // RocksDB would go on by itself when a full disk has space again, and write to a log that has
  // failed. It is not to: see FailureLatch.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* recover) override {
    *recover = false;
  }

 private:
  FailureLatch& failure_;
  const std::shared_ptr<FlushJobs> flushes_;
  std::atomic<std::uint64_t> failures_ = 0;
  Mutex mutex_;  // held while what is_over looks at changes
  ConditionVariable changed_;
};

struct Store::State {
  explicit State(const StoreOptions& from);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  Result<void> OpenDatabase();
  [[nodiscard]] rocksdb::ColumnFamilyHandle* HandleOf(Family family) const;
  Result<void> TakeHistory(rocksdb::ColumnFamilyHandle* handle);
  // Gives the families and the database back.
  rocksdb::Status CloseDatabase();
  // Decides what RocksDB may read of the directory, and keeps its ledger from then on.
  Result<void> PrepareFiles();
  // Whether another process has written the directory since PrepareFiles looked at it.
  [[nodiscard]] bool HasMovedOn() const;
  // Writes a group as durably as the store promises.
  Result<void> CommitGroup(std::span<const QueuedWritePtr> group);
  // Writes without a sync; false when RocksDB would hold the writer up.
  Result<bool> WriteNow(WriteBatch& batch);
  [[nodiscard]] bool syncs_each_write() const {
    return !options.in_memory && options.durability == Durability::kDurable;
  }
  Result<void> SyncLog();
  // Writes what is in memory to tables, and returns when that is done.
  rocksdb::Status Flush();

  // Asks RocksDB for its sizes, which may wait; Store::Statistics tells what was asked last.
  void RefreshSizes();

  // Says what has begun and what is over, and goes on after a lack of room; see store_recovery.cc.
  void Maintain();
  Result<void> Resume();
  Result<void> ResumeDatabase();
  void Say(StoreNotice::Kind kind, std::string text) const;
  [[nodiscard]] bool IsStalled() const;

  const StoreOptions options;
  const rocksdb::ReadOptions latest;  // made once: it is large
  RowCache rows;
  RunCache runs;

  FailureLatch failure;
  const std::shared_ptr<FlushJobs> flushes = std::make_shared<FlushJobs>();
  const std::shared_ptr<StoreListener> listener;
  const std::shared_ptr<LogFiles> log_files;   // null in memory
  std::vector<std::string> losses;             // that salvaging passed over
  std::optional<std::uint64_t> ledger_number;  // of the ledger that was looked at
  const std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> database;
  std::uint32_t format = 0;  // of the directory; changed by RaiseFormat, which is alone
  std::atomic<rocksdb::ColumnFamilyHandle*> history = nullptr;  // null: there is none

  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> groups{0};
  std::atomic<std::uint64_t> syncs{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> sync_micros{0};
  std::atomic<std::uint64_t> stalls{0};
  std::atomic<std::uint64_t> disk_bytes{0};
  std::atomic<std::uint64_t> memory_bytes{0};
  std::atomic<std::uint64_t> keys_estimate{0};
  std::atomic<bool> writes_are_slowed{false};

  Mutex look_mutex;  // held by whoever looks after the store
  std::uint64_t refusals_said STATOR_GUARDED_BY(look_mutex) = 0;  // failure.count() of the last
  bool refusal_is_said STATOR_GUARDED_BY(look_mutex) = false;
  bool stall_is_said STATOR_GUARDED_BY(look_mutex) = false;

  // Last, because their threads use everything above.
  std::unique_ptr<CommitQueue> queue;  // null in a store for reading
  std::unique_ptr<BackgroundSync> background_sync;
  std::unique_ptr<Watch> watch;         // null in memory and in a store for reading
  std::atomic<Watch*> waker = nullptr;  // the same, from when it is there
};

}  // namespace stator::storage
