#include "mcp/request_context.h"

#include <algorithm>
#include <array>
#include <utility>

#include "mcp/json_rpc.h"

namespace stator::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

// Before 2026-07-28 structured content was an object.
void WrapStructuredContent(JsonObject& result) {
  if (const Json* const content = result.Find("structuredContent");
      content != nullptr && !content->Is<JsonObject>()) {
    result.Set("structuredContent", JsonObject{{"result", *content}});
  }
}

}  // namespace

Json ShapedResult(Json result, const RequestContext& context) {
  auto* const members = result.If<JsonObject>();
  if (members == nullptr) {
    return result;
  }
  if (!context.is_modern) {
    WrapStructuredContent(*members);
    return result;
  }
  if (members->Find("resultType") == nullptr) {
    members->Set("resultType", "complete");
  }
  if (context.cache && members->Find("resultType")->ToText() == R"("complete")") {
    members->Set("ttlMs", context.cache->ttl_ms);
    members->Set("cacheScope", context.cache->is_public ? "public" : "private");
  }
  const Json* const there = members->Find("_meta");
  JsonObject meta =
      there != nullptr && there->Is<JsonObject>() ? *there->If<JsonObject>() : JsonObject();
  meta.Set(kServerInfoKey, context.server_info);
  members->Set("_meta", std::move(meta));
  return result;
}

std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name);
  return found == kLevels.end() ? std::nullopt
                                : std::optional(static_cast<LogLevel>(found - kLevels.begin()));
}

std::string_view NameOf(LogLevel level) {
  return kLevels.at(static_cast<std::size_t>(level));
}

Json MetaOf(const Json& params, std::string_view name) {
  const Json* const meta = params.Find("_meta");
  const Json* const value = meta == nullptr ? nullptr : meta->Find(name);
  return value == nullptr ? Json() : *value;
}

}  // namespace stator::mcp
