// From what a program or an endpoint gave to the result of a call.

#pragma once

#include <string>

#include "hosting/child_keeper.h"
#include "hosting/tool_file.h"
#include "stator/mcp/tool.h"
#include "transport/http.h"

namespace stator::hosting {

// Text that may be told: UTF-8, without secrets of the tool.
std::string Told(const HostedTool& tool, std::string text);

mcp::ToolResult ResultOf(const HostedTool& tool, ChildOutcome outcome);
mcp::ToolResult ResultOf(const HostedTool& tool, Result<transport::HttpResponse> response);

}  // namespace stator::hosting
