// A task as the Tasks extension (io.modelcontextprotocol/tasks) shows it: flat, with its outcome or
// its open questions inside.

#pragma once

#include "stator/stores/tasks/task.h"

namespace stator::mcp {

// As tasks/get answers it. A result that says that the tool failed (isError) is a completed task
// here, whatever the older protocol calls it.
tasks::JsonObject ExtensionTask(const tasks::TaskRecord& record);

// As the call that became a task is answered: without outcome and questions.
tasks::JsonObject ExtensionHandle(const tasks::Task& task);

}  // namespace stator::mcp
