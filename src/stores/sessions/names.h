// The names of attributes and keys that the store adds to what a workflow declares. They are in
// tables, so they cannot change; session_table.h describes them.

#pragma once

namespace stator::sessions {

inline constexpr const char* kPartitionKey = "PK";
inline constexpr const char* kSortKey = "SK";
inline constexpr const char* kExpiry = "expiresAt";
inline constexpr const char* kMetaKey = "META";

inline constexpr const char* kRevision = "rev";
inline constexpr const char* kWriteId = "write_id";
inline constexpr const char* kRecentWrites = "recent_writes";
inline constexpr const char* kType = "type";
inline constexpr const char* kSchema = "schema";
inline constexpr const char* kEpoch = "epoch";

// Of the session.
inline constexpr const char* kOwner = "ownerSub";
inline constexpr const char* kCreatedAt = "createdAt";
inline constexpr const char* kLatest = "latest";
inline constexpr const char* kChildrenUntil = "children_until";
inline constexpr const char* kSessionEpoch = "session";  // the entry of kEpoch that is no step's

// Of records.
inline constexpr const char* kLeaseOwner = "lease_owner";
inline constexpr const char* kLeaseUntil = "lease_until";
inline constexpr const char* kResults = "results";
inline constexpr const char* kPending = "pending";
inline constexpr const char* kBuilding = "building";
inline constexpr const char* kChildren = "children";
inline constexpr const char* kChildrenOpen = "open";
inline constexpr const char* kChildrenDone = "done";
inline constexpr const char* kSpilled = "spilled";
inline constexpr const char* kSpillId = "spill_id";

// Of items and parts, which stand behind their record.
inline constexpr const char* kItemMark = "#I#";
inline constexpr const char* kPartMark = "#P#";
inline constexpr const char* kItemPhase = "phase";
inline constexpr const char* kItemInput = "input";
inline constexpr const char* kItemResult = "result";
inline constexpr const char* kPartList = "list";
inline constexpr const char* kPartElements = "elements";

inline constexpr int kSchemaVersion = 1;

}  // namespace stator::sessions
