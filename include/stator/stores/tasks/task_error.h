// What the errors of the task store carry beside their code. The messages name tasks, never owners.
//
//   kIllegalTransition  task, from, to, hint
//   kNotFound           task; a task of somebody else is not found either
//   kExpired            task, expired_at
//   kNotReady           task, from: it has not ended yet
//   kTooLarge           limit, actual: of the variables, or of the whole record
//   kLimitExceeded      limit, actual, hint: too many active tasks
//   kConflict           task, expected, actual: others were always faster
//   kLeaseHeld          task: another worker runs it
//   kLeaseLost          task: another worker took it over
//   kValidation         the request is wrong
//
// and those of the home of the tasks (IsStoreFailure): `cause` is what it said, for the log and not
// for clients.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/tasks/task.h"

namespace stator::tasks {

struct TaskFacts {
  std::string task = {};
  std::optional<TaskStatus> from = std::nullopt;
  std::optional<TaskStatus> to = std::nullopt;
  std::optional<std::string> hint = std::nullopt;
  std::optional<TimePoint> expired_at = std::nullopt;
  std::uint64_t limit = 0;
  std::uint64_t actual = 0;
  std::uint64_t expected = 0;
  std::optional<Error> cause = std::nullopt;
};

struct TaskDetail final : ErrorDetail, TaskFacts {
  explicit TaskDetail(TaskFacts facts) : TaskFacts(std::move(facts)) {}
};

// Of any error; without a TaskDetail they are empty.
const TaskFacts& FactsOf(const Error& error);

// Whether the home of the tasks failed, rather than refused: configuration, throttling, a service
// that is away, records that cannot be read.
bool IsStoreFailure(ErrorCode code);

// What JSON-RPC calls it: -32602 when the request is wrong, -32603 when the server failed.
std::int64_t JsonRpcCode(ErrorCode code);

}  // namespace stator::tasks
