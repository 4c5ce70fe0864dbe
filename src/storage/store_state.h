// What a store is made of; shared by store.cc (reading, lifetime) and store_write.cc (writing).

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/background_sync.h"
#include "storage/commit_queue.h"
#include "storage/fuse.h"
#include "storage/log_files.h"
#include "storage/store.h"

namespace stator::storage {

// What RocksDB tells us while it works in the background.
class StoreListener final : public rocksdb::EventListener {
 public:
  explicit StoreListener(Fuse& fuse) : fuse_(fuse) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override;

  // RocksDB would go on by itself when a full disk has space again, and write to a log that has
  // failed. It is not to: see Fuse.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* recover) override {
    *recover = false;
  }

 private:
  Fuse& fuse_;
};

struct Store::State {
  explicit State(const StoreOptions& from);

  Result<void> OpenDatabase();
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

  const StoreOptions options;
  const rocksdb::ReadOptions latest;  // made once: it is large

  Fuse fuse;
  const std::shared_ptr<StoreListener> listener;
  const std::shared_ptr<LogFiles> log_files;   // null in memory
  std::vector<std::string> losses;             // that salvaging passed over
  std::optional<std::uint64_t> ledger_number;  // of the ledger that was looked at
  const std::unique_ptr<rocksdb::Env> env;
  std::unique_ptr<rocksdb::DB> database;

  std::atomic<std::uint64_t> batches{0};
  std::atomic<std::uint64_t> groups{0};
  std::atomic<std::uint64_t> syncs{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> sync_micros{0};

  // Last, because their threads use everything above.
  std::unique_ptr<CommitQueue> queue;  // null in a store for reading
  std::unique_ptr<BackgroundSync> background_sync;
};

}  // namespace stator::storage
