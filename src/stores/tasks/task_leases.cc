// Who works on a task, and what a task waits for.

#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/task_rules.h"

namespace stator::tasks {
namespace {

std::unexpected<TaskError> LeaseLost(const TaskRecord& record) {
  return std::unexpected(TaskError{.kind = TaskErrorKind::kLeaseLost, .task = record.task.id});
}

bool IsHeldBy(const TaskRecord& record, std::string_view worker) {
  return record.lease && record.lease->worker == worker;
}

}  // namespace

TaskResult<TaskRecord> TaskStore::Claim(std::string_view owner, std::string_view task,
                                        std::string_view worker, std::string_view group,
                                        Duration length) {
  return Modify(owner, task, /*touch=*/false, [&](TaskRecord& record) -> TaskResult<void> {
    if (IsTerminal(record.task.status)) {
      return CheckTransition(record.task, TaskStatus::kWorking);
    }
    const TimePoint now = options_.clock->Now();
    if (record.lease && !IsHeldBy(record, worker) && record.lease->until >= now) {
      return std::unexpected(TaskError{.kind = TaskErrorKind::kLeaseHeld, .task = record.task.id});
    }
    record.lease = Lease{.worker = std::string(worker),
                         .group = std::string(group),
                         .until = now + length,
                         .attempt = record.lease ? record.lease->attempt + 1 : 1};
    return {};
  });
}

TaskResult<TaskRecord> TaskStore::Renew(std::string_view owner, std::string_view task,
                                        std::string_view worker, Duration length) {
  return Modify(owner, task, /*touch=*/false, [&](TaskRecord& record) -> TaskResult<void> {
    if (!IsHeldBy(record, worker)) {
      return LeaseLost(record);
    }
    record.lease->until = options_.clock->Now() + length;
    return {};
  });
}

TaskResult<TaskRecord> TaskStore::Release(std::string_view owner, std::string_view task,
                                          std::string_view worker) {
  return Modify(owner, task, /*touch=*/false, [&](TaskRecord& record) -> TaskResult<void> {
    if (!IsHeldBy(record, worker)) {
      return LeaseLost(record);
    }
    // Lapsed at once, so that whoever looks for lost work finds it.
    record.lease->until = options_.clock->Now() - std::chrono::milliseconds(1);
    return {};
  });
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
                                               InputRequest request,
                                               std::optional<std::string> message) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> TaskResult<void> {
    TRY_VOID(CheckTransition(record.task, TaskStatus::kInputRequired));
    Apply(record, TaskStatus::kInputRequired, message);
    record.input = request;
    return {};
  });
}

TaskResult<TaskRecord> TaskStore::AnswerInput(std::string_view owner, std::string_view task,
                                              std::string_view request_id, Json answer) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> TaskResult<void> {
    TRY_VOID(CheckTransition(record.task, TaskStatus::kWorking));
    if (!record.input || record.input->id != request_id || record.input->answer) {
      return InvalidArgument("the task does not wait for this answer");
    }
    Apply(record, TaskStatus::kWorking, std::nullopt);
    record.input->answer = answer;
    return {};
  });
}

}  // namespace stator::tasks
