// The file of `stator mcp --config`: JSON that describes tools which are commands or HTTP
// endpoints. docs/mcp.md says what may stand in it.
//
// Whatever is wrong with it is found when it is read, and told with file, tool and what to do.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "client/environment.h"
#include "hosting/secrets.h"
#include "hosting/spawn.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/mcp/tool.h"

namespace stator::hosting {

struct Endpoint {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

struct HostedTool {
  mcp::Tool tool;  // without its function
  // Monostate: done by workers.
  std::variant<std::monostate, Command, Endpoint> target;
  Duration time_limit = std::chrono::minutes(10);
  std::size_t output_bytes_max = 128 << 10;
  std::size_t running_max = 0;  // 0: no limit
  Secrets secrets = {};
};

struct ToolFile {
  std::optional<std::string> name = std::nullopt;  // of the server
  std::optional<std::string> instructions = std::nullopt;
  std::vector<HostedTool> tools = {};
};

// `path` is where the text came from: relative folders and programs are seen from there.
Result<ToolFile> ParseToolFile(std::string_view text, const std::string& path,
                               const client::Environment& environment);
Result<ToolFile> ReadToolFile(const std::string& path, const client::Environment& environment);

}  // namespace stator::hosting
