// How the table tools describe themselves to a model: names, descriptions, schemas.

#pragma once

#include <vector>

#include "stator/mcp/tool.h"

namespace stator::hosting {

// Without functions. Those that write are there only when `writable`.
std::vector<mcp::Tool> TableToolSchemas(bool writable);

}  // namespace stator::hosting
