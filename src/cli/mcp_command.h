// `stator mcp`: an MCP server with the tools of a file (--config), or with the demonstration tools,
// to try tasks with any client.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace stator::cli {

struct McpArguments {
  std::string data = "stator-data";  // as stator::Open takes it
  std::string table = "pmcp_tasks";
  double lease_seconds = 5;
  std::optional<std::uint16_t> http_port = std::nullopt;  // absent: stdio
  std::string config = {};                                // a file of tools; empty: none
  bool allow_anonymous = false;                           // over HTTP; on stdio it is
};

void AddMcp(CLI::App& app, McpArguments& arguments);

// Returns the exit code of the program.
int RunMcp(const McpArguments& arguments);

}  // namespace stator::cli
