// Task records in a table of any Database: embedded, `stator serve`, Amazon DynamoDB. The table is
// described in task_table.h.
//
//   DatabaseBackend backend(database, {.table = "pmcp_tasks"});
//
// COST: one request per call, besides one DescribeTable before the first; MoveLeases one per
// hundred leases. GetHead reads about half a kilobyte of an index.
// THREADS: as StorageBackend says.
// RETRIES: a conditional write whose answer was lost is sent again and recognises its first
// attempt, a record's by write_id, a lease's by its worker; one that met a transaction on its item
// is sent again, too. Everything else is left to the Database.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/mutex.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"
#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task_table.h"

namespace stator::tasks {

struct DatabaseBackendOptions {
  std::string table = std::string(kDefaultTaskTable);
  // For a conditional write whose answer was lost.
  patterns::RetryOptions retry = {};
};

class DatabaseBackend final : public StorageBackend {
 public:
  // The database must outlive the backend.
  explicit DatabaseBackend(Database& database, DatabaseBackendOptions options = {},
                           patterns::Environment environment = {})
      : database_(database), options_(std::move(options)), environment_(environment) {}

  Result<VersionedRecord> Get(const RecordKey& key) override;
  Result<VersionedHead> GetHead(const RecordKey& key) override;
  Result<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) override;
  Result<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) override;
  Result<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected) override;
  Result<std::uint64_t> PutWithLease(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected,
                                     const std::optional<StoredLease>& lease) override;
  Result<std::uint64_t> PutWithNew(const RecordKey& key, const StoredValue& value,
                                   std::uint64_t expected, const StoredLease& lease,
                                   const NewRecord& made) override;
  Result<bool> Delete(const RecordKey& key) override;
  Result<HeadPage> ListOwner(std::string_view owner, const std::optional<ListPosition>& after,
                             std::size_t limit) override;
  Result<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                  std::size_t enough) override;
  Result<void> TakeLease(const RecordKey& key, const StoredLease& lease,
                         std::int64_t now_ms) override;
  Result<void> MoveLease(const RecordKey& key, std::string_view worker,
                         std::int64_t until_ms) override;
  Result<std::vector<bool>> MoveLeases(const std::vector<LeaseHolder>& leases,
                                       std::int64_t until_ms) override;
  Result<bool> RemoveLease(const RecordKey& key, std::optional<std::int64_t> lapsed_at_ms) override;
  Result<std::vector<RecordKey>> ListLapsed(std::string_view lease_group, std::int64_t now_ms,
                                            std::size_t limit) override;
  Result<std::size_t> CleanupExpired(std::int64_t now_seconds) override;
  Result<BackendCapabilities> Capabilities() override;
  // By the stream of the table, if it has one.
  Result<std::unique_ptr<ChangeFeed>> Follow() override;

 private:
  Result<bool> HasIndexes();
  Result<std::uint64_t> PutWhen(const RecordKey& key, const StoredValue& value,
                                std::uint64_t version, PutItemInput input);
  // `made` may be null.
  Result<std::uint64_t> PutTogether(const RecordKey& key, const StoredValue& value,
                                    std::uint64_t expected, const std::optional<StoredLease>& lease,
                                    const NewRecord* made);
  // What a write means whose condition failed on `there`: that it was done before, or cannot be.
  [[nodiscard]] Result<std::uint64_t> Overtaken(const RecordKey& key,
                                                const std::optional<Item>& there,
                                                std::uint64_t version,
                                                const std::string& write_id) const;
  // Moves those that `held` says are held, all of them or none. What stands in the way of one is
  // said there, and is worth another attempt; false when nothing did.
  Result<bool> MoveTogether(std::span<const LeaseHolder> leases, std::int64_t until_ms,
                            std::vector<bool>& held);
  Result<std::optional<Item>> ReadItem(const RecordKey& key);
  Result<std::vector<Item>> ReadAllItems(std::string_view owner);
  [[nodiscard]] Error Failed(const Error& error) const;
  // Again while nobody knows what has become of it, or a transaction was in the way. For writes that
  // recognise themselves.
  template <class Send>
  auto SendUntilKnown(Send&& send) const -> decltype(send()) {
    return patterns::RetryWhile(options_.retry, environment_, std::forward<Send>(send),
                                [](const Error& error) {
                                  return error.code == ErrorCode::kAmbiguous ||
                                         error.code == ErrorCode::kTransactionConflict;
                                });
  }

  Database& database_;
  const DatabaseBackendOptions options_;
  const patterns::Environment environment_;
  Mutex mutex_;
  std::optional<bool> has_indexes_ STATOR_GUARDED_BY(mutex_);  // absent until the table was seen
};

}  // namespace stator::tasks
