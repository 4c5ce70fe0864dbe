// Resources and prompts: what an MCP server offers to read, and texts to begin with.
//
// Their functions are those of tools: plain or coroutines, and they may ask the client.
//
//   server.AddResource({.uri = "app://motd", .name = "motd", .read = [](ToolCall& call) {
//                         return ResourceText(call, "text/plain", "Hello");
//                       }});

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/mcp/tool.h"

namespace stator::mcp {

// Values for an argument that begin as `value` does. `others` are the arguments that the client has
// already, an object.
using Completer =
    std::function<std::vector<std::string>(std::string_view value, const Json& others)>;

// `uri` may be a template as in RFC 6570 with {name}, which matches up to the next "/", and
// {+name}, which matches more. call.arguments() has "uri" and, of a template, the values of the
// names.
struct Resource {
  std::string uri;
  std::string name;
  std::string description = {};
  std::optional<std::string> title = std::nullopt;
  std::optional<std::string> mime_type = std::nullopt;
  std::optional<Json> annotations = std::nullopt;  // audience, priority, lastModified
  std::optional<Json> icons = std::nullopt;
  std::map<std::string, Completer, std::less<>> complete = {};  // by the name in the template
  ToolFunction read = {};

  [[nodiscard]] bool is_template() const { return uri.contains('{'); }
};

// What `read` gives: one content, of the uri that was asked for.
ToolResult ResourceText(const ToolCall& call, std::string_view mime_type, std::string_view text);
ToolResult ResourceBytes(const ToolCall& call, std::string_view mime_type, std::string_view bytes);

struct PromptArgument {
  std::string name;
  std::string description = {};
  bool required = false;
  Completer complete = nullptr;
};

struct Prompt {
  std::string name;
  std::string description = {};
  std::optional<std::string> title = std::nullopt;
  std::vector<PromptArgument> arguments = {};
  std::optional<Json> icons = std::nullopt;
  // Gives {"messages": [{"role", "content"}…], "description"?}.
  ToolFunction get = {};
};

}  // namespace stator::mcp
