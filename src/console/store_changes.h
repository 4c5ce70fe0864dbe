// Changes of what the stores keep, which go through the stores' own code: they know what else has to
// hold. Each is done as its caller, with what the caller's policy allows.

#pragma once

#include <span>
#include <string_view>

#include "server/pages.h"
#include "stator/api/database.h"
#include "stator/stores/sessions/workflow.h"
#include "wire/exchange.h"

namespace stator::console {

// {"table": …, "owner": …, "task": …}: cancels the task (stores/tasks). The answer is the task as
// clients see it. Waits for the write, and does not begin again when somebody else was faster: 409.
server::Page CancelTask(Database& database, const wire::Caller& caller, std::string_view body);

// {"table": …, "workflow": …, "session": …, "from" or "after": a step}: ends the epochs of the steps
// (stores/sessions). The answer has the steps, the sort keys of what was removed, and of what is left,
// which nobody sees any more and which expires. Files of the session stay where they are.
server::Page InvalidateSession(Database& database, std::span<const sessions::Workflow> workflows,
                               const wire::Caller& caller, std::string_view body);

}  // namespace stator::console
