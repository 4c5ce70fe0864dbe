#include "stores/tasks/backend_checks.h"

#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "value/check_value.h"

namespace stator::tasks {

Result<void> CheckKey(const RecordKey& key) {
  if (std::string problem = ProblemWith(key); !problem.empty()) {
    return Invalid(std::move(problem));
  }
  return {};
}

Result<void> CheckWrite(const RecordKey& key, const StoredValue& value) {
  TRY_VOID(CheckKey(key));
  if (!value::IsUtf8(value.data) || !value::IsUtf8(value.attributes.head)) {
    return Invalid("data is not valid UTF-8");
  }
  return {};
}

Result<void> CheckLease(const RecordKey& key, const StoredLease& lease) {
  TRY_VOID(CheckKey(key));
  if (!value::IsUtf8(lease.worker) || !value::IsUtf8(lease.group) ||
      lease.group.size() > limits::kPartitionKeyBytesMax) {
    return Invalid("a worker or group is too long or not valid UTF-8");
  }
  return {};
}

std::size_t RecordBytes(const RecordKey& key, const StoredValue& value) {
  // The table holds the owner twice and the task in PK, task_id, created_key and active_key.
  return value.data.size() + value.attributes.head.size() + 2 * key.owner.size() +
         4 * key.task.size();
}

}  // namespace stator::tasks
