#include "stator/stores/tasks/memory_backend.h"

#include <algorithm>
#include <tuple>

#include "base/limits.h"
#include "base/try.h"
#include "stores/tasks/backend_checks.h"

namespace stator::tasks {
namespace {

bool IsYounger(const VersionedHead& left, const VersionedHead& right) {
  return std::tie(left.created_at, left.key.task) > std::tie(right.created_at, right.key.task);
}

}  // namespace

MemoryBackend::Row* MemoryBackend::FindRow(const RecordKey& key) {
  const auto owner = owners_.find(key.owner);
  if (owner == owners_.end()) {
    return nullptr;
  }
  const auto row = owner->second.find(key.task);
  return row == owner->second.end() ? nullptr : &row->second;
}

Result<VersionedRecord> MemoryBackend::Get(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  const MutexLock lock(mutex_);
  const Row* const row = FindRow(key);
  if (row == nullptr) {
    return KeyNotFound(key);
  }
  return VersionedRecord{.data = row->value.data, .version = row->version};
}

Result<VersionedHead> MemoryBackend::GetHead(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  const MutexLock lock(mutex_);
  const Row* const row = FindRow(key);
  if (row == nullptr) {
    return KeyNotFound(key);
  }
  return VersionedHead{.key = key,
                       .head = row->value.attributes.head,
                       .created_at = row->value.attributes.created_at,
                       .version = row->version};
}

Result<std::uint64_t> MemoryBackend::Put(const RecordKey& key, const StoredValue& value) {
  TRY_VOID(CheckWrite(key, value));
  const MutexLock lock(mutex_);
  Row& row = owners_[key.owner][key.task];
  row.value = value;
  return ++row.version;
}

Result<std::uint64_t> MemoryBackend::PutIfAbsent(const RecordKey& key, const StoredValue& value) {
  TRY_VOID(CheckWrite(key, value));
  const MutexLock lock(mutex_);
  const auto [row, added] =
      owners_[key.owner].try_emplace(key.task, Row{.value = value, .version = 1});
  if (!added) {
    return KeyExists(key, row->second.version);
  }
  return 1;
}

Result<std::uint64_t> MemoryBackend::PutIfVersion(const RecordKey& key, const StoredValue& value,
                                                  std::uint64_t expected) {
  TRY_VOID(CheckWrite(key, value));
  const MutexLock lock(mutex_);
  Row* const row = FindRow(key);
  if (row == nullptr) {
    return KeyNotFound(key);
  }
  if (row->version != expected) {
    return OtherVersion(key, expected, row->version);
  }
  row->value = value;
  return ++row->version;
}

Result<std::uint64_t> MemoryBackend::PutWithLease(const RecordKey& key, const StoredValue& value,
                                                  std::uint64_t expected,
                                                  const std::optional<StoredLease>& lease) {
  TRY_VOID(CheckWrite(key, value));
  if (lease) {
    TRY_VOID(CheckLease(key, *lease));
  }
  const MutexLock lock(mutex_);
  Row* const row = FindRow(key);
  if (row == nullptr) {
    return KeyNotFound(key);
  }
  if (row->version != expected) {
    return OtherVersion(key, expected, row->version);
  }
  row->value = value;
  if (lease) {
    leases_.insert_or_assign(key, *lease);
  } else {
    leases_.erase(key);
  }
  return ++row->version;
}

Result<std::uint64_t> MemoryBackend::PutWithNew(const RecordKey& key, const StoredValue& value,
                                                std::uint64_t expected, const StoredLease& lease,
                                                const NewRecord& made) {
  TRY_VOID(CheckWrite(key, value));
  TRY_VOID(CheckLease(key, lease));
  TRY_VOID(CheckWrite(made.key, made.value));
  TRY_VOID(CheckLease(made.key, made.lease));
  const MutexLock lock(mutex_);
  Row* const row = FindRow(key);
  if (row == nullptr) {
    return KeyNotFound(key);
  }
  if (row->version != expected) {
    return OtherVersion(key, expected, row->version);
  }
  if (FindRow(made.key) != nullptr) {
    return KeyExists(made.key);
  }
  row->value = value;
  const std::uint64_t version = ++row->version;
  owners_[made.key.owner].emplace(made.key.task, Row{.value = made.value, .version = 1});
  leases_.insert_or_assign(key, lease);
  leases_.insert_or_assign(made.key, made.lease);
  return version;
}

Result<bool> MemoryBackend::Delete(const RecordKey& key) {
  TRY_VOID(CheckKey(key));
  const MutexLock lock(mutex_);
  const auto owner = owners_.find(key.owner);
  return owner != owners_.end() && owner->second.erase(key.task) > 0;
}

Result<HeadPage> MemoryBackend::ListOwner(std::string_view owner,
                                          const std::optional<ListPosition>& after,
                                          std::size_t limit) {
  HeadPage page;
  {
    const MutexLock lock(mutex_);
    const auto rows = owners_.find(owner);
    if (rows == owners_.end()) {
      return page;
    }
    for (const auto& [task, row] : rows->second) {
      const RecordAttributes& attributes = row.value.attributes;
      if (after &&
          std::tie(attributes.created_at, task) >= std::tie(after->created_at, after->task)) {
        continue;
      }
      page.heads.push_back({.key = {.owner = std::string(owner), .task = task},
                            .head = attributes.head,
                            .created_at = attributes.created_at,
                            .version = row.version});
    }
  }
  std::ranges::sort(page.heads, IsYounger);
  page.more = page.heads.size() > limit;
  if (page.more) {
    page.heads.resize(limit);
  }
  return page;
}

Result<std::size_t> MemoryBackend::CountActive(std::string_view owner, std::int64_t now_seconds,
                                               std::size_t enough) {
  const MutexLock lock(mutex_);
  const auto rows = owners_.find(owner);
  if (rows == owners_.end()) {
    return 0;
  }
  std::size_t count = 0;
  for (const auto& [task, row] : rows->second) {
    const RecordAttributes& attributes = row.value.attributes;
    const bool expired =
        attributes.expires_at_seconds && *attributes.expires_at_seconds <= now_seconds;
    count += attributes.is_active && !expired ? 1 : 0;
    if (count >= enough) {
      break;
    }
  }
  return count;
}

Result<void> MemoryBackend::TakeLease(const RecordKey& key, const StoredLease& lease,
                                      std::int64_t now_ms) {
  TRY_VOID(CheckLease(key, lease));
  const MutexLock lock(mutex_);
  const auto [held, is_new] = leases_.try_emplace(key, lease);
  if (!is_new && held->second.worker != lease.worker && held->second.until_ms >= now_ms) {
    return KeyExists(key);
  }
  held->second = lease;
  return {};
}

Result<void> MemoryBackend::MoveLease(const RecordKey& key, std::string_view worker,
                                      std::int64_t until_ms) {
  TRY_VOID(CheckKey(key));
  const MutexLock lock(mutex_);
  const auto held = leases_.find(key);
  if (held == leases_.end() || held->second.worker != worker) {
    return KeyNotFound(key);
  }
  held->second.until_ms = until_ms;
  return {};
}

Result<bool> MemoryBackend::RemoveLease(const RecordKey& key,
                                        std::optional<std::int64_t> lapsed_at_ms) {
  TRY_VOID(CheckKey(key));
  const MutexLock lock(mutex_);
  const auto held = leases_.find(key);
  if (held == leases_.end() || (lapsed_at_ms && held->second.until_ms >= *lapsed_at_ms)) {
    return false;
  }
  leases_.erase(held);
  return true;
}

Result<std::vector<RecordKey>> MemoryBackend::ListLapsed(std::string_view lease_group,
                                                         std::int64_t now_ms, std::size_t limit) {
  std::vector<std::pair<std::int64_t, RecordKey>> lapsed;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, lease] : leases_) {
      if (!lease_group.empty() && lease.group == lease_group && lease.until_ms < now_ms) {
        lapsed.emplace_back(lease.until_ms, key);
      }
    }
  }
  std::ranges::stable_sort(lapsed, {}, &std::pair<std::int64_t, RecordKey>::first);
  std::vector<RecordKey> keys;
  for (auto& [until, key] : lapsed) {
    if (keys.size() == limit) {
      break;
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

Result<std::size_t> MemoryBackend::CleanupExpired(std::int64_t now_seconds) {
  const MutexLock lock(mutex_);
  std::size_t removed = 0;
  for (auto& [owner, rows] : owners_) {
    removed += std::erase_if(rows, [&](const auto& entry) {
      const std::optional<std::int64_t>& until = entry.second.value.attributes.expires_at_seconds;
      return until && *until < now_seconds;
    });
  }
  std::erase_if(leases_, [&](const auto& entry) {
    return entry.second.expires_at_seconds && *entry.second.expires_at_seconds < now_seconds;
  });
  return removed;
}

Result<BackendCapabilities> MemoryBackend::Capabilities() {
  // The limit of the table, so that what works here works there.
  return BackendCapabilities{.record_bytes_max = limits::kItemBytesMax - 4 * limits::kKilobyte};
}

std::size_t MemoryBackend::size() const {
  const MutexLock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [owner, rows] : owners_) {
    count += rows.size();
  }
  return count;
}

}  // namespace stator::tasks
