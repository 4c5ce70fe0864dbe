#include "stator/stores/tasks/task_error.h"

#include <utility>

#include "stores/tasks/timestamps.h"

namespace stator::tasks {

std::string TaskError::ToText() const {
  const auto status = [](const std::optional<TaskStatus>& value) {
    return std::string(value ? NameOf(*value) : "unknown");
  };
  switch (kind) {
    case TaskErrorKind::kInvalidTransition:
      return "invalid transition from " + status(from) + " to " + status(to) + " for task " + task;
    case TaskErrorKind::kNotFound:
      return "task not found: " + task;
    case TaskErrorKind::kExpired:
      return "task expired: " + task +
             (expired_at ? " (expired at " + ToExactText(*expired_at) + ")" : "");
    case TaskErrorKind::kNotReady:
      return "task not in terminal state: " + task + " (status: " + status(from) + ")";
    case TaskErrorKind::kVariableSizeExceeded:
      return "variable size limit exceeded: " + std::to_string(actual) + " bytes exceeds " +
             std::to_string(limit) + " byte limit";
    case TaskErrorKind::kResultTooLarge:
      return "the record of the task is too large: " + std::to_string(actual) + " bytes exceeds " +
             std::to_string(limit) + " byte limit";
    case TaskErrorKind::kResourceExhausted:
      return "resource exhausted";
    case TaskErrorKind::kConcurrentModification:
      return "concurrent modification on task " + task + ": expected version " +
             std::to_string(expected) + ", found " + std::to_string(actual);
    case TaskErrorKind::kLeaseHeld:
      return "another worker runs task " + task;
    case TaskErrorKind::kLeaseLost:
      return "this worker does not hold task " + task + " any more";
    case TaskErrorKind::kStorageFull:
      return "storage full: " + detail;
    case TaskErrorKind::kStoreError:
      return "store error: " + detail;
    case TaskErrorKind::kInvalidArgument:
      return detail;
  }
  std::unreachable();
}

std::int64_t TaskError::JsonRpcCode() const {
  constexpr std::int64_t kInvalidParams = -32602;
  constexpr std::int64_t kInternalError = -32603;
  switch (kind) {
    case TaskErrorKind::kInvalidTransition:
    case TaskErrorKind::kNotFound:
    case TaskErrorKind::kExpired:
    case TaskErrorKind::kNotReady:
    case TaskErrorKind::kVariableSizeExceeded:
    case TaskErrorKind::kResultTooLarge:
    case TaskErrorKind::kInvalidArgument:
      return kInvalidParams;
    case TaskErrorKind::kResourceExhausted:
    case TaskErrorKind::kConcurrentModification:
    case TaskErrorKind::kLeaseHeld:
    case TaskErrorKind::kLeaseLost:
    case TaskErrorKind::kStorageFull:
    case TaskErrorKind::kStoreError:
      return kInternalError;
  }
  std::unreachable();
}

}  // namespace stator::tasks
