// Tools with which a client can try every way of calling: `stator mcp` has them, and the tests.

#pragma once

#include <vector>

#include "stator/mcp/tool.h"

namespace stator::mcp {

// slow: task optional, takes about a second (or "ms" milliseconds), restartable, reports progress.
// fails: task optional, answers with isError. asks: task optional, elicits a name.
// req: task required. plain: no tasks.
std::vector<Tool> DemonstrationTools();

}  // namespace stator::mcp
