// The table of task records in a Database: what it looks like, making it, checking it.
//
// FORMAT (the first five attributes are those of the pmcp-tasks crate, whose records can be read)
//
//   PK          S  "OWNER#" + owner id
//   SK          S  "TASK#" + task id
//   version     N  1, 2, 3…
//   data        S  the record as JSON
//   expires_at  N  seconds since 1970, rounded up; only when the record expires
//   owner_id, task_id, status  S  for people, filters and the index by task
//   head        S  the task as clients see it, and "expiresAt", as JSON
//   created_key S  createdAt + "#" + task id
//   active_key  S  as created_key, while the task has not ended
//   write_id    S  random, one per write: a repeated write recognises itself
//   result_blob S  the key of a result that is in a store of blobs, for whoever removes those that
//                  nothing names
//
// and, while a worker holds the task and does not wait for answers, an item beside it with
//
//   PK          S  as above
//   SK          S  "WORK#" + task id
//   worker      S  whoever holds it
//   lease_group S  workers that may take over
//   lease_until N  milliseconds since 1970
//   expires_at  N  as above
//
//   local index by_created (PK, created_key)  version, head, status, expires_at   lists
//   local index by_task    (PK, task_id)      version, head, created_key          polls
//   local index by_active  (PK, active_key)   expires_at                          counts
//   global index by_lease  (lease_group, lease_until)  keys only                  lost workers
//
// The indexes exist because DynamoDB charges for the whole item whatever is projected: a poll of a
// 300 KB record reads half a kilobyte of by_task instead. Local indexes can be read consistently,
// and can only be made together with the table. A table without indexes works, and reads more.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/result.h"
#include "stator/provision/policy.h"

namespace stator::tasks {

inline constexpr std::string_view kDefaultTaskTable = "pmcp_tasks";

// What CreateTaskTable sends.
CreateTableInput TaskTableDefinition(std::string_view table);

// Makes the table and turns on its TTL; what is there already stays as it is. Waits until the table
// can be used, on `clock`. Fails with kResourceInUse when a table of that name has other keys.
// Returns whether something was changed.
Result<bool> CreateTaskTable(Database& database, std::string_view table, Clock& clock);

// Gives the table a stream of keys, if it has none: processes then hear of each other's changes
// (TaskStore::Follow). Waits as CreateTaskTable does. Returns whether something was changed.
Result<bool> FollowTaskTable(Database& database, std::string_view table, Clock& clock);

struct TaskStoreOptions;

// What a program may do that opens the store with these options; for provision::MakePolicy.
std::vector<provision::TableAccess> AccessOf(const TaskStoreOptions& options,
                                             std::string_view region = "*",
                                             std::string_view account = "*");

}  // namespace stator::tasks
