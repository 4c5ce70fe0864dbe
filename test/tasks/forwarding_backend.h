// For tests: a backend in front of another; override what you want to observe, bend or fail.

#pragma once

#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

class ForwardingBackend : public StorageBackend {
 public:
  explicit ForwardingBackend(StorageBackend& next) : next_(next) {}

  Result<VersionedRecord> Get(const RecordKey& key) override { return next_.Get(key); }
  Result<VersionedHead> GetHead(const RecordKey& key) override { return next_.GetHead(key); }
  Result<std::uint64_t> Put(const RecordKey& key, const StoredValue& value) override {
    return next_.Put(key, value);
  }
  Result<std::uint64_t> PutIfAbsent(const RecordKey& key, const StoredValue& value) override {
    return next_.PutIfAbsent(key, value);
  }
  Result<std::uint64_t> PutIfVersion(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected) override {
    return next_.PutIfVersion(key, value, expected);
  }
  Result<std::uint64_t> PutWithLease(const RecordKey& key, const StoredValue& value,
                                     std::uint64_t expected,
                                     const std::optional<StoredLease>& lease) override {
    return next_.PutWithLease(key, value, expected, lease);
  }
  Result<std::uint64_t> PutWithNew(const RecordKey& key, const StoredValue& value,
                                   std::uint64_t expected, const StoredLease& lease,
                                   const NewRecord& made) override {
    return next_.PutWithNew(key, value, expected, lease, made);
  }
  Result<bool> Delete(const RecordKey& key) override { return next_.Delete(key); }
  Result<HeadPage> ListOwner(std::string_view owner, const std::optional<ListPosition>& after,
                             std::size_t limit) override {
    return next_.ListOwner(owner, after, limit);
  }
  Result<std::size_t> CountActive(std::string_view owner, std::int64_t now_seconds,
                                  std::size_t enough) override {
    return next_.CountActive(owner, now_seconds, enough);
  }
  Result<void> TakeLease(const RecordKey& key, const StoredLease& lease,
                         std::int64_t now_ms) override {
    return next_.TakeLease(key, lease, now_ms);
  }
  Result<void> MoveLease(const RecordKey& key, std::string_view worker,
                         std::int64_t until_ms) override {
    return next_.MoveLease(key, worker, until_ms);
  }
  Result<bool> RemoveLease(const RecordKey& key,
                           std::optional<std::int64_t> lapsed_at_ms) override {
    return next_.RemoveLease(key, lapsed_at_ms);
  }
  Result<std::vector<RecordKey>> ListLapsed(std::string_view group, std::int64_t now_ms,
                                            std::size_t limit) override {
    return next_.ListLapsed(group, now_ms, limit);
  }
  Result<std::size_t> CleanupExpired(std::int64_t now_seconds) override {
    return next_.CleanupExpired(now_seconds);
  }
  Result<BackendCapabilities> Capabilities() override { return next_.Capabilities(); }
  Result<std::unique_ptr<ChangeFeed>> Follow() override { return next_.Follow(); }

 protected:
  StorageBackend& next() { return next_; }

 private:
  StorageBackend& next_;
};

}  // namespace stator::tasks
