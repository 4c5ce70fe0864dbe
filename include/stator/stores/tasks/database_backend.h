// Task records in a table of any Database: embedded, `stator serve`, Amazon DynamoDB. The table is
// described in task_table.h.
//
//   DatabaseBackend backend(database, {.table = "pmcp_tasks"});
//
// COST: one request per call, besides one DescribeTable before the first. GetHead reads about half
// a kilobyte of an index.
// THREADS: as StorageBackend says.
// RETRIES: a conditional write whose answer was lost is sent again and recognises its first
// attempt, a record's by write_id, a lease's by its worker. Everything else is left to the
// Database.

#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "stator/api/database.h"
#include "stator/base/random.h"
#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task_table.h"

namespace stator::tasks {

struct DatabaseBackendOptions {
  std::string table = std::string(kDefaultTaskTable);
  Random* random = &SystemRandom();
};

class DatabaseBackend final : public StorageBackend {
 public:
  // The database must outlive the backend.
  explicit DatabaseBackend(Database& database, DatabaseBackendOptions options = {})
      : database_(database), options_(std::move(options)) {}

  StorageResult<VersionedRecord> Get(const RecordKey& key) override;
  StorageResult<VersionedHead> GetHead(const RecordKey& key) override;
  StorageResult<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) override;
  StorageResult<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) override;
  StorageResult<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                            std::uint64_t expected) override;
  StorageResult<bool> Delete(const RecordKey& key) override;
  StorageResult<HeadPage> ListOwner(std::string_view owner,
                                    const std::optional<ListPosition>& after,
                                    std::size_t limit) override;
  StorageResult<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                         std::size_t enough) override;
  StorageResult<void> TakeLease(const RecordKey& key, const StoredLease& lease,
                                std::int64_t now_ms) override;
  StorageResult<void> MoveLease(const RecordKey& key, std::string_view worker,
                                std::int64_t until_ms) override;
  StorageResult<bool> RemoveLease(const RecordKey& key,
                                  std::optional<std::int64_t> lapsed_at_ms) override;
  StorageResult<std::vector<RecordKey>> ListLapsed(std::string_view lease_group,
                                                   std::int64_t now_ms, std::size_t limit) override;
  StorageResult<std::size_t> CleanupExpired(std::int64_t now_seconds) override;
  StorageResult<BackendCapabilities> Capabilities() override;

 private:
  StorageResult<bool> HasIndexes();
  StorageResult<std::uint64_t> PutWhen(const RecordKey& key, const StoredValue& value,
                                       std::uint64_t version, PutItemInput input);
  StorageResult<std::optional<Item>> ReadItem(const RecordKey& key);
  StorageResult<std::vector<Item>> ReadAllItems(std::string_view owner);
  [[nodiscard]] StorageError Failed(const RecordKey& key, const Error& error) const;

  Database& database_;
  const DatabaseBackendOptions options_;
  std::mutex mutex_;
  std::optional<bool> has_indexes_;  // protected by mutex_; absent until the table was seen
};

}  // namespace stator::tasks
