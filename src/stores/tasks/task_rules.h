// The rules that several operations of the store share.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/stores/tasks/task_error.h"

namespace stator::tasks {

// Ids come from clients: what cannot be stored cannot be found.
bool CannotExist(std::string_view owner, std::string_view task);

// When a task ends that is made now; nothing when that is never, or beyond what can be written.
std::optional<TimePoint> ExpiryOf(TimePoint now, std::optional<std::int64_t> ttl_ms);

// Fails with kIllegalTransition, with a hint for people.
Result<void> CheckTransition(const Task& task, TaskStatus to);

// Fails with kInvalidTransition when nothing changes any more.
Result<void> CheckNotEnded(const TaskRecord& record);

// Moves the task. REQUIRES: CheckTransition passed.
void Apply(TaskRecord& record, TaskStatus to, std::optional<std::string> message);

// Messages are in every list, so they are cut at a length that no person misses.
std::optional<std::string> Shortened(std::optional<std::string> message);

}  // namespace stator::tasks
