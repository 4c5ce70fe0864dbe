#include "stator/mcp/content.h"

#include <utility>

#include "base/base64.h"
#include "stator/mcp/resource.h"

namespace stator::mcp {
namespace {

Json DataBlock(std::string_view type, std::string_view bytes, std::string_view mime_type) {
  return JsonObject{{"type", type}, {"data", base::EncodeBase64(bytes)}, {"mimeType", mime_type}};
}

ToolResult Contents(const ToolCall& call, std::string_view mime_type, std::string_view member,
                    std::string content) {
  return JsonObject{
      {"contents", JsonArray{JsonObject{{"uri", call.arguments().TextOf("uri").value_or("")},
                                        {"mimeType", mime_type},
                                        {std::string(member), std::move(content)}}}}};
}

}  // namespace

Json TextBlock(std::string_view text) {
  return JsonObject{{"type", "text"}, {"text", text}};
}

Json ImageBlock(std::string_view bytes, std::string_view mime_type) {
  return DataBlock("image", bytes, mime_type);
}

Json AudioBlock(std::string_view bytes, std::string_view mime_type) {
  return DataBlock("audio", bytes, mime_type);
}

Json ResourceBlock(std::string_view uri, std::string_view mime_type, std::string_view text) {
  return JsonObject{
      {"type", "resource"},
      {"resource", JsonObject{{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

ToolResult TextResult(std::string_view text) {
  return ContentResult({TextBlock(text)});
}

ToolResult ErrorResult(std::string_view text) {
  return JsonObject{{"content", JsonArray{TextBlock(text)}}, {"isError", true}};
}

ToolResult Fault(std::int64_t code, std::string message) {
  return std::unexpected(tasks::TaskFault{.code = code, .message = std::move(message)});
}

ToolResult ContentResult(JsonArray blocks) {
  return JsonObject{{"content", std::move(blocks)}};
}

ToolResult StructuredResult(Json value) {
  JsonArray blocks{TextBlock(value.ToText())};
  return JsonObject{{"content", std::move(blocks)}, {"structuredContent", std::move(value)}};
}

Json PromptMessage(std::string_view role, Json block) {
  return JsonObject{{"role", role}, {"content", std::move(block)}};
}

ToolResult ResourceText(const ToolCall& call, std::string_view mime_type, std::string_view text) {
  return Contents(call, mime_type, "text", std::string(text));
}

ToolResult ResourceBytes(const ToolCall& call, std::string_view mime_type, std::string_view bytes) {
  return Contents(call, mime_type, "blob", base::EncodeBase64(bytes));
}

}  // namespace stator::mcp
