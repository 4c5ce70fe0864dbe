// Task records as items of the table; FORMAT in stator/stores/tasks/task_table.h.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/api/common.h"
#include "stator/stores/tasks/storage_backend.h"

namespace stator::tasks {

// Names in the table. On disk; cannot change.
inline constexpr std::string_view kPartitionKey = "PK";
inline constexpr std::string_view kSortKey = "SK";
inline constexpr std::string_view kVersion = "version";
inline constexpr std::string_view kData = "data";
inline constexpr std::string_view kExpiresAt = "expires_at";
inline constexpr std::string_view kOwnerId = "owner_id";
inline constexpr std::string_view kTaskId = "task_id";
inline constexpr std::string_view kStatus = "status";
inline constexpr std::string_view kHead = "head";
inline constexpr std::string_view kCreatedKey = "created_key";
inline constexpr std::string_view kActiveKey = "active_key";
inline constexpr std::string_view kLeaseGroup = "lease_group";
inline constexpr std::string_view kLeaseUntil = "lease_until";
inline constexpr std::string_view kWorker = "worker";
inline constexpr std::string_view kWriteId = "write_id";
inline constexpr std::string_view kResultBlob = "result_blob";

// The group, and the holder, of tasks that failed for good.
inline constexpr std::string_view kDeadGroup = "dead";

inline constexpr std::string_view kByCreated = "by_created";
inline constexpr std::string_view kByTask = "by_task";
inline constexpr std::string_view kByActive = "by_active";
inline constexpr std::string_view kByLease = "by_lease";

std::string PartitionKeyOf(std::string_view owner);
std::string SortKeyOf(std::string_view task);
Item KeyOf(const RecordKey& key);

// Behind which an index by creation time goes on.
std::string CreatedKeyOf(std::string_view created_at, std::string_view task);

// Every attribute but the version.
Item ItemOf(const RecordKey& key, const StoredValue& value, std::string write_id);

// Absent when the item lacks the attribute or has it with another type.
std::optional<std::string> TextAttribute(const Item& item, std::string_view name);
std::optional<std::int64_t> NumberAttribute(const Item& item, std::string_view name);

// Of an item of the table, with PK, SK, version and data. Absent when one of them is missing or is
// not of a task.
std::optional<VersionedRecord> RecordOf(const Item& item);

// Of an item of the table or of an index. Takes the head from the data of an item that has none.
std::optional<VersionedHead> HeadOf(const Item& item);

std::optional<RecordKey> RecordKeyOf(const Item& item);

// The lease of a record: an item of its own beside it.
Item LeaseKeyOf(const RecordKey& key);
Item LeaseItemOf(const RecordKey& key, const StoredLease& lease);
// Of such an item, or of its entry in an index.
std::optional<RecordKey> RecordKeyOfLease(const Item& item);

}  // namespace stator::tasks
