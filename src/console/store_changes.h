// Changes of what the stores keep, which go through the stores' own code: they know what else has to
// hold. Each is done as its caller, with what the caller's policy allows.

#pragma once

#include <string_view>

#include "server/pages.h"
#include "stator/api/database.h"
#include "wire/exchange.h"

namespace stator::console {

// {"table": …, "owner": …, "task": …}: cancels the task (stores/tasks). The answer is the task as
// clients see it. Waits for the write, and does not begin again when somebody else was faster: 409.
server::Page CancelTask(Database& database, const wire::Caller& caller, std::string_view body);

}  // namespace stator::console
