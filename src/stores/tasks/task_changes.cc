// Changes of one task: status, message, variables, outcome.

#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/task_rules.h"
#include "stores/tasks/variables.h"

namespace stator::tasks {
namespace {

constexpr std::int64_t kInternalError = -32603;

// What a client is told about a task that ended without saying how.
TaskFault MissingOutcome(const Task& task) {
  if (task.status == TaskStatus::kCancelled) {
    return {.code = kInternalError,
            .message = "Task was cancelled",
            .data = JsonObject{{"status", "cancelled"}}};
  }
  if (task.status == TaskStatus::kFailed) {
    return {.code = kInternalError, .message = task.status_message.value_or("Task failed")};
  }
  return {.code = kInternalError, .message = "Task completed without a result"};
}

}  // namespace

Result<TaskRecord> TaskStore::UpdateStatus(std::string_view owner, std::string_view task,
                                           TaskStatus status, std::optional<std::string> message) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckTransition(record.task, status));
    Apply(record, status, message);
    return {};
  });
}

Result<TaskRecord> TaskStore::SetMessage(std::string_view owner, std::string_view task,
                                         std::optional<std::string> message) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckNotEnded(record));
    record.task.status_message = Shortened(message);
    return {};
  });
}

Result<TaskRecord> TaskStore::SetVariables(std::string_view owner, std::string_view task,
                                           const JsonObject& changes) {
  const VariableLimits limits{.depth_max = options_.variable_depth_max,
                              .text_bytes_max = options_.variable_text_bytes_max};
  const auto change = [&](TaskRecord& record) -> Result<void> {
    if (!options_.variables_after_end) {
      TRY_VOID(CheckNotEnded(record));
    }
    if (const Result<void> checked = CheckVariables(changes, limits); !checked) {
      return std::unexpected(checked.error());
    }
    Json merged = Merged(record.variables, changes);
    const std::size_t bytes = merged.ToText().size();
    if (bytes > options_.variables_bytes_max) {
      return VariablesTooLarge(record.task.id, options_.variables_bytes_max, bytes);
    }
    record.variables = std::move(*merged.If<JsonObject>());
    return {};
  };
  return Modify(owner, task, /*touch=*/true, change, options_.variables_retry);
}

Result<void> TaskStore::SetResult(std::string_view owner, std::string_view task, Json result) {
  const auto keep = [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckNotEnded(record));
    record.result = result;
    record.result_blob.reset();
    return {};
  };
  TRY_VOID(Modify(owner, task, /*touch=*/true, keep));
  return {};
}

Result<TaskOutcome> TaskStore::GetResult(std::string_view owner, std::string_view task) {
  TaskRecord record = TRY(Read(owner, task, /*for_change=*/false));
  if (!IsTerminal(record.task.status)) {
    return NotReady(record.task);
  }
  TRY_VOID(FetchResult(record));
  TaskOutcome outcome{.task = std::move(record.task)};
  if (record.error) {
    outcome.error = std::move(record.error);
  } else if (record.result) {
    outcome.result = std::move(record.result);
  } else {
    outcome.error = MissingOutcome(outcome.task);
  }
  return outcome;
}

Result<TaskRecord> TaskStore::Complete(std::string_view owner, std::string_view task,
                                       const CompleteTaskInput& input) {
  if (!IsTerminal(input.status)) {
    return Invalid("a task is completed with a terminal status, not with " +
                   std::string(NameOf(input.status)));
  }
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckTransition(record.task, input.status));
    if (input.worker && (!record.lease || record.lease->worker != *input.worker)) {
      return LeaseLost(record.task.id);
    }
    Apply(record, input.status, input.message);
    if (input.result) {
      record.result = input.result;
      record.result_blob.reset();
    }
    record.error = input.error;
    return {};
  });
}

Result<TaskRecord> TaskStore::Cancel(std::string_view owner, std::string_view task) {
  return UpdateStatus(owner, task, TaskStatus::kCancelled);
}

}  // namespace stator::tasks
