// The stdio transport of MCP: one message per line, the client at the other end of two descriptors.

#pragma once

#include "stator/base/result.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

struct StdioOptions {
  int input = 0;
  int output = 1;
  std::size_t message_bytes_max = 16 << 20;
  tasks::Owner owner = {.id = "local", .is_anonymous = true};
};

// Serves until the client closes its end. Calls that it is still waiting for are then given up;
// tasks go on for as long as the process does.
Result<void> ServeStdio(McpServer& server, const StdioOptions& options);

}  // namespace stator::mcp
