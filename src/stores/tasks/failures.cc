#include "stores/tasks/failures.h"

#include <memory>
#include <string>
#include <utility>

#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task_error.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

std::unexpected<Error> FailAbout(ErrorCode code, std::string message, TaskFacts facts) {
  return std::unexpected(Error{.code = code,
                               .message = std::move(message),
                               .detail = std::make_shared<TaskDetail>(std::move(facts))});
}

std::string Bytes(std::uint64_t limit, std::uint64_t actual) {
  return std::to_string(actual) + " bytes exceeds " + std::to_string(limit) + " byte limit";
}

std::string Text(std::string_view text) {
  return std::string(text);
}

}  // namespace

std::unexpected<Error> NotFound(std::string_view task) {
  return FailAbout(ErrorCode::kNotFound, "task not found: " + Text(task), {.task = Text(task)});
}

std::unexpected<Error> Expired(std::string_view task, TimePoint when) {
  return FailAbout(ErrorCode::kExpired,
                   "task expired: " + Text(task) + " (expired at " + ToExactText(when) + ")",
                   {.task = Text(task), .expired_at = when});
}

std::unexpected<Error> NotReady(const Task& task) {
  return FailAbout(
      ErrorCode::kNotReady,
      "task not in terminal state: " + task.id + " (status: " + Text(NameOf(task.status)) + ")",
      {.task = task.id, .from = task.status});
}

std::unexpected<Error> IllegalTransition(const Task& task, TaskStatus to) {
  std::string hint = IsTerminal(task.status)
                         ? "task is in a terminal state and cannot be transitioned"
                         : "task is already in " + Text(NameOf(to)) + " state";
  return FailAbout(ErrorCode::kIllegalTransition,
                   "invalid transition from " + Text(NameOf(task.status)) + " to " +
                       Text(NameOf(to)) + " for task " + task.id,
                   {.task = task.id, .from = task.status, .to = to, .hint = std::move(hint)});
}

std::unexpected<Error> VariablesTooLarge(std::string_view task, std::uint64_t limit,
                                         std::uint64_t actual) {
  return FailAbout(ErrorCode::kTooLarge, "variable size limit exceeded: " + Bytes(limit, actual),
                   {.task = Text(task), .limit = limit, .actual = actual});
}

std::unexpected<Error> RecordTooLarge(std::string_view task, std::uint64_t limit,
                                      std::uint64_t actual) {
  return FailAbout(ErrorCode::kTooLarge,
                   "the record of the task is too large: " + Bytes(limit, actual),
                   {.task = Text(task), .limit = limit, .actual = actual});
}

std::unexpected<Error> TooManyTasks(std::uint64_t limit, std::uint64_t actual) {
  return FailAbout(
      ErrorCode::kLimitExceeded, "resource exhausted",
      {.hint = "Cancel or wait for existing tasks to expire", .limit = limit, .actual = actual});
}

std::unexpected<Error> Overtaken(std::string_view task, std::uint64_t expected,
                                 std::uint64_t actual) {
  return FailAbout(ErrorCode::kConflict,
                   "concurrent modification on task " + Text(task) + ": expected version " +
                       std::to_string(expected) + ", found " + std::to_string(actual),
                   {.task = Text(task), .actual = actual, .expected = expected});
}

std::unexpected<Error> LeaseHeld(std::string_view task) {
  return FailAbout(ErrorCode::kLeaseHeld, "another worker runs task " + Text(task),
                   {.task = Text(task)});
}

std::unexpected<Error> LeaseLost(std::string_view task) {
  return FailAbout(ErrorCode::kLeaseLost,
                   "this worker does not hold task " + Text(task) + " any more",
                   {.task = Text(task)});
}

Error ToTaskError(std::string_view task, const Error& error) {
  if (error.code == ErrorCode::kNotFound) {
    return NotFound(task).error();
  }
  if (error.code == ErrorCode::kConflict || error.code == ErrorCode::kAlreadyExists) {
    const auto* const versions = FindDetail<VersionConflict>(error);
    return Overtaken(task, versions == nullptr ? 0 : versions->expected,
                     versions == nullptr ? 0 : versions->actual)
        .error();
  }
  if (error.code == ErrorCode::kTooLarge || error.code == ErrorCode::kItemCollectionTooLarge) {
    return FailAbout(error.code, "storage full: " + error.message, {.task = Text(task)}).error();
  }
  const auto* const cause = FindDetail<BackendCause>(error);
  // What the database finds wrong with a request of ours is not the fault of whoever asked us.
  return FailAbout(error.code == ErrorCode::kValidation ? ErrorCode::kInternal : error.code,
                   "store error: " + error.message,
                   {.task = Text(task),
                    .cause = cause == nullptr ? std::nullopt : std::optional(cause->error)})
      .error();
}

}  // namespace stator::tasks
