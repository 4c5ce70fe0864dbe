// What is known about one request, whichever generation it is of: legacy requests have it from
// their session, modern ones (2026-07-28) bring it along.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mcp/client_capabilities.h"
#include "stator/mcp/tool.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::mcp {

struct CacheHints {
  std::int64_t ttl_ms = 0;
  bool is_public = false;
};

struct RequestContext {
  bool is_modern = false;
  std::string version = {};  // "2025-11-25"
  tasks::Owner owner = {};
  ClientCapabilities capabilities = {};
  std::optional<LogLevel> log_level =
      std::nullopt;               // messages below it are not sent; none: none is
  Json progress_token = nullptr;  // null when there is none
  // Of modern results.
  Json server_info = nullptr;
  std::optional<CacheHints> cache = std::nullopt;
};

// As the generation of the request wants it: what is said of every result stands here and only
// here.
Json ShapedResult(Json result, const RequestContext& context);

// Absent for a name that is none.
std::optional<LogLevel> ParseLogLevel(std::string_view name);
std::string_view NameOf(LogLevel level);

// A value of the _meta of a request; null when there is none.
Json MetaOf(const Json& params, std::string_view name);

}  // namespace stator::mcp
