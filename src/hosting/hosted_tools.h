// HostedTools: makes tools of an MCP server out of what a file describes, and has what they need to
// run: the keeper of child processes, the thread of HTTP exchanges, the places. None of their calls
// occupies a worker of the server while it waits.
//
// THREADS: Tools from one; the tools themselves from many. Must outlive the server that has them.

#pragma once

#include <memory>
#include <vector>

#include "hosting/child_keeper.h"
#include "hosting/places.h"
#include "hosting/tool_file.h"
#include "stator/mcp/tool.h"
#include "transport/http_exchanges.h"

namespace stator::hosting {

class HostedTools {
 public:
  explicit HostedTools(std::vector<HostedTool> tools, const PlaceLimits& limits = {});
  HostedTools(const HostedTools&) = delete;
  HostedTools& operator=(const HostedTools&) = delete;
  ~HostedTools() = default;

  // For McpServer::AddTool.
  [[nodiscard]] std::vector<mcp::Tool> Tools();

 private:
  const std::vector<std::shared_ptr<const HostedTool>> tools_;
  Places places_;
  ChildKeeper keeper_;
  transport::HttpExchanges exchanges_;
};

}  // namespace stator::hosting
