// The rules that several operations of the store share.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/tasks/task_error.h"

namespace stator::tasks {

std::unexpected<TaskError> InvalidArgument(std::string what);

// Fails with kInvalidTransition, with a hint for people.
TaskResult<void> CheckTransition(const Task& task, TaskStatus to);

// Moves the task. REQUIRES: CheckTransition passed.
void Apply(TaskRecord& record, TaskStatus to, std::optional<std::string> message);

// Messages are in every list, so they are cut at a length that no person misses.
std::optional<std::string> Shortened(std::optional<std::string> message);

}  // namespace stator::tasks
