// JSON-RPC 2.0 as MCP uses it: no batches, ids are texts or whole numbers.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/mcp/tool.h"

namespace stator::mcp {

inline constexpr std::int64_t kParseError = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;

// Of 2026-07-28.
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingCapability = -32021;
inline constexpr std::int64_t kUnsupportedVersion = -32022;
// Of those before: an unknown resource.
inline constexpr std::int64_t kResourceNotFound = -32002;

inline constexpr std::string_view kModernVersion = "2026-07-28";
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view kRelatedTask = "io.modelcontextprotocol/related-task";

// With a handshake; newest first. What a client asks for is granted when it is here. Older ones want
// batches of requests, or another transport, and are not offered.
inline constexpr std::array<std::string_view, 2> kProtocolVersions = {"2025-11-25", "2025-06-18"};
bool IsProtocolVersion(std::string_view version);

enum class MessageKind : std::uint8_t { kRequest, kNotification, kResponse, kInvalid };

// One message, taken apart. Params are an object, empty when there were none.
struct Message {
  MessageKind kind = MessageKind::kInvalid;
  Json id = nullptr;  // null when there is none
  std::string method = {};
  Json params = JsonObject();
  std::optional<Json> result = std::nullopt;  // of a response
  std::optional<tasks::TaskFault> error = std::nullopt;
  std::string problem = {};  // of an invalid message
};

Message ParseMessage(const Json& json);

Json MakeResult(const Json& id, Json result);
Json MakeError(const Json& id, const tasks::TaskFault& fault);
Json MakeRequest(const Json& id, std::string_view method, Json params);
Json MakeNotification(std::string_view method, Json params);

// `object` with the related task added to its _meta. REQUIRES: an object.
Json WithRelatedTask(Json object, std::string_view task);

}  // namespace stator::mcp
