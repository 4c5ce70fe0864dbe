// How the task store reports failure: a kind for branching, the parts that belong to it, a text for
// people. The texts name tasks, never owners.

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/tasks/task.h"

namespace stator::tasks {

enum class TaskErrorKind : std::uint8_t {
  kInvalidTransition,       // task, from, to, hint
  kNotFound,                // task; a task of somebody else is not found either
  kExpired,                 // task, expired_at
  kNotReady,                // task, from: it has not ended yet
  kVariableSizeExceeded,    // limit, actual
  kResultTooLarge,          // limit, actual: the whole record
  kResourceExhausted,       // limit, hint: too many active tasks
  kConcurrentModification,  // task, expected, actual: others were always faster
  kLeaseHeld,               // task: another worker runs it
  kLeaseLost,               // task: another worker took it over
  kStorageFull,             // detail
  kStoreError,              // detail; `cause` is for the log, not for clients
  kInvalidArgument,         // detail
};

struct TaskError {
  TaskErrorKind kind;
  std::string task = {};
  std::optional<TaskStatus> from = std::nullopt;
  std::optional<TaskStatus> to = std::nullopt;
  std::optional<std::string> hint = std::nullopt;
  std::optional<TimePoint> expired_at = std::nullopt;
  std::uint64_t limit = 0;
  std::uint64_t actual = 0;
  std::uint64_t expected = 0;
  std::string detail = {};
  std::optional<Error> cause = std::nullopt;

  [[nodiscard]] std::string ToText() const;

  // What JSON-RPC calls it: -32602 when the request is wrong, -32603 when the server failed.
  [[nodiscard]] std::int64_t JsonRpcCode() const;
};

template <class T>
using TaskResult = std::expected<T, TaskError>;

}  // namespace stator::tasks
