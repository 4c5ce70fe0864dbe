// Task records in the memory of this process, gone when it ends: for tests and for trying things.

#pragma once

#include <functional>
#include <map>
#include <string>

#include "stator/base/mutex.h"
#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

// COST: ListLapsed looks at every lease, CleanupExpired at every record and lease.
class MemoryBackend final : public StorageBackend {
 public:
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
  Result<bool> RemoveLease(const RecordKey& key, std::optional<std::int64_t> lapsed_at_ms) override;
  Result<std::vector<RecordKey>> ListLapsed(std::string_view lease_group, std::int64_t now_ms,
                                            std::size_t limit) override;
  Result<std::size_t> CleanupExpired(std::int64_t now_seconds) override;
  Result<BackendCapabilities> Capabilities() override;

  // Records of all owners.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Row {
    StoredValue value;
    std::uint64_t version = 0;
  };
  using Rows = std::map<std::string, Row, std::less<>>;  // by task

  Row* FindRow(const RecordKey& key) STATOR_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, Rows, std::less<>> owners_ STATOR_GUARDED_BY(mutex_);
  std::map<RecordKey, StoredLease> leases_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::tasks
