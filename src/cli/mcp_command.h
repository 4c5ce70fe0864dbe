// `stator mcp`: an MCP server with the tools of a file (--config), with tools for the database's
// tables (--tables), or with the demonstration tools, to try tasks with any client.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stator::cli {

// Who may ask, over HTTP: tokens of an identity server.
struct OAuthArguments {
  std::string issuer = {};  // empty: no tokens
  std::string keys = {};    // a file or an URL
  std::string audience = {};
  std::string owner_claim = "sub";
  std::vector<std::string> scopes = {};
  std::string public_url = {};
};

struct McpArguments {
  std::string data = "stator-data";  // as stator::Open takes it
  std::string table = "pmcp_tasks";
  std::string blobs = {};  // for large results, as OpenBlobs takes it; empty: none
  std::string audit = {};  // a file; empty: none
  bool push = false;       // the table gets a stream
  std::optional<std::uint16_t> database_port = std::nullopt;  // where the database is served, too
  double lease_seconds = 5;
  std::optional<std::uint16_t> http_port = std::nullopt;  // absent: stdio
  std::string config = {};                                // a file of tools; empty: none
  bool tables = false;
  bool tables_writable = false;
  OAuthArguments oauth = {};
  bool workers = false;
  std::size_t running_max = 8;        // tools at once
  std::size_t owner_running_max = 0;  // of one owner; 0: no limit besides
  std::size_t owner_tasks_max = 100;  // of one owner, that have not ended
  double requests_per_second = 0;     // of one owner; 0: no limit
  bool allow_anonymous = false;       // over HTTP; on stdio it is
};

void AddMcp(CLI::App& app, McpArguments& arguments);

// Returns the exit code of the program.
int RunMcp(const McpArguments& arguments);

}  // namespace stator::cli
