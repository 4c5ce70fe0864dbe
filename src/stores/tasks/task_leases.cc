// Who works on a task, and what a task waits for.

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"

namespace stator::tasks {
namespace {

std::unexpected<TaskError> LeaseLost(std::string_view task) {
  return std::unexpected(TaskError{.kind = TaskErrorKind::kLeaseLost, .task = std::string(task)});
}

bool HasOpenInput(const TaskRecord& record) {
  return std::ranges::any_of(record.inputs,
                             [](const InputRequest& input) { return !input.answer; });
}

std::int64_t Milliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

TaskResult<void> CheckClaimable(const Task& task) {
  return IsTerminal(task.status) ? CheckTransition(task, TaskStatus::kWorking) : TaskResult<void>();
}

// Nobody will work on the task any more.
bool IsOver(const TaskError& error) {
  return error.kind == TaskErrorKind::kNotFound || error.kind == TaskErrorKind::kExpired ||
         error.kind == TaskErrorKind::kInvalidTransition;
}

}  // namespace

TaskResult<void> TaskStore::TakeLease(const RecordKey& key, const LeaseRequest& request,
                                      const std::optional<TimePoint>& expires_at) {
  const TimePoint now = options_.clock->Now();
  const StorageResult<void> taken =
      backend_.TakeLease(key,
                         {.worker = request.worker,
                          .group = request.group,
                          .until_ms = Milliseconds(now + request.length),
                          .expires_at_seconds = ExpirySeconds(expires_at)},
                         Milliseconds(now));
  if (!taken && taken.error().kind == StorageError::Kind::kAlreadyExists) {
    return std::unexpected(TaskError{.kind = TaskErrorKind::kLeaseHeld, .task = key.task});
  }
  if (!taken) {
    return std::unexpected(ErrorOf(key.task, taken.error()));
  }
  return {};
}

// A lease that stays lapses, and whoever finds it then removes it; so failing is no failure.
void TaskStore::RemoveLease(const RecordKey& key, std::optional<TimePoint> lapsed_at) {
  std::optional<std::int64_t> lapsed_at_ms;
  if (lapsed_at) {
    lapsed_at_ms = Milliseconds(*lapsed_at);
  }
  if (const StorageResult<bool> removed = backend_.RemoveLease(key, lapsed_at_ms); !removed) {
    Log("the lease of " + ToText(key) + " was not removed: " + removed.error().ToText());
  }
}

TaskResult<TaskRecord> TaskStore::Claim(std::string_view owner, std::string_view task,
                                        std::string_view worker, std::string_view group,
                                        Duration length) {
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  // The lease first: from then on the worker that had it cannot renew, and whoever dies before the
  // record is written leaves a lease that lapses. The record then says whose outcome counts.
  const auto change = [&](TaskRecord& record) -> TaskResult<void> {
    TRY_VOID(CheckClaimable(record.task));
    record.lease = Lease{.worker = std::string(worker),
                         .group = std::string(group),
                         .attempt = record.lease ? record.lease->attempt + 1 : 1};
    return {};
  };
  const auto claim = [&]() -> TaskResult<TaskRecord> {
    const Head head = TRY(ReadHead(owner, task, /*for_change=*/true));
    TRY_VOID(CheckClaimable(head.task));
    TRY_VOID(TakeLease(
        key, {.worker = std::string(worker), .group = std::string(group), .length = length},
        head.expires_at));
    return Modify(owner, task, /*touch=*/false, change);
  };
  TaskResult<TaskRecord> claimed = claim();
  // The lease of a task that is over would be found again and again. Not one that is still held:
  // its task may be about to be created.
  if (!claimed && IsOver(claimed.error()) && !CannotExist(owner, task)) {
    RemoveLease(key, options_.clock->Now());
  }
  return claimed;
}

TaskResult<Task> TaskStore::Renew(std::string_view owner, std::string_view task,
                                  std::string_view worker, Duration length) {
  Head head = TRY(ReadHead(owner, task, /*for_change=*/true));
  if (IsTerminal(head.task.status)) {
    return LeaseLost(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const StorageResult<void> moved =
      backend_.MoveLease(key, worker, Milliseconds(options_.clock->Now() + length));
  if (!moved && moved.error().kind == StorageError::Kind::kNotFound) {
    return RegainLease(key, worker, length);
  }
  if (!moved) {
    return std::unexpected(ErrorOf(task, moved.error()));
  }
  return std::move(head.task);
}

TaskResult<Task> TaskStore::RegainLease(const RecordKey& key, std::string_view worker,
                                        Duration length) {
  TaskRecord record = TRY(Read(key.owner, key.task, /*for_change=*/true));
  if (!record.lease || record.lease->worker != worker) {
    return LeaseLost(key.task);
  }
  const TaskResult<void> taken = TakeLease(
      key, {.worker = std::string(worker), .group = record.lease->group, .length = length},
      record.expires_at);
  if (!taken) {
    return taken.error().kind == TaskErrorKind::kLeaseHeld ? LeaseLost(key.task)
                                                           : std::unexpected(taken.error());
  }
  return std::move(record.task);
}

TaskResult<void> TaskStore::Release(std::string_view owner, std::string_view task,
                                    std::string_view worker) {
  if (CannotExist(owner, task)) {
    return LeaseLost(task);
  }
  // Lapsed at once, so that whoever looks for lost work finds it.
  const TimePoint past = options_.clock->Now() - std::chrono::milliseconds(1);
  const StorageResult<void> moved = backend_.MoveLease(
      {.owner = std::string(owner), .task = std::string(task)}, worker, Milliseconds(past));
  if (!moved && moved.error().kind == StorageError::Kind::kNotFound) {
    return LeaseLost(task);
  }
  if (!moved) {
    return std::unexpected(ErrorOf(task, moved.error()));
  }
  return {};
}

TaskResult<std::vector<RecordKey>> TaskStore::ListLapsed(std::string_view group,
                                                         std::size_t limit) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(options_.clock->Now());
  StorageResult<std::vector<RecordKey>> keys =
      backend_.ListLapsed(group, now.time_since_epoch().count(), limit);
  if (!keys) {
    return std::unexpected(ErrorOf("", keys.error()));
  }
  return *std::move(keys);
}

TaskResult<TaskRecord> TaskStore::RequestInput(std::string_view owner, std::string_view task,
                                               const std::vector<InputRequest>& requests,
                                               const std::optional<std::string>& message) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> TaskResult<void> {
    TRY_VOID(CheckNotEnded(record));
    for (const InputRequest& request : requests) {
      const auto found = std::ranges::find(record.inputs, request.id, &InputRequest::id);
      if (found == record.inputs.end()) {
        record.inputs.push_back(request);
      } else if (found->method != request.method || found->params != request.params) {
        return InvalidArgument("another question has this id");
      }
    }
    if (HasOpenInput(record)) {
      Apply(record, TaskStatus::kInputRequired, message);
    }
    return {};
  });
}

TaskResult<TaskRecord> TaskStore::AnswerInput(std::string_view owner, std::string_view task,
                                              std::string_view request_id, Json answer) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> TaskResult<void> {
    TRY_VOID(CheckNotEnded(record));
    const auto found = std::ranges::find(record.inputs, request_id, &InputRequest::id);
    if (found == record.inputs.end() || found->answer) {
      return InvalidArgument("the task does not wait for this answer");
    }
    found->answer = answer;
    if (!HasOpenInput(record)) {
      Apply(record, TaskStatus::kWorking, std::nullopt);
    }
    return {};
  });
}

}  // namespace stator::tasks
