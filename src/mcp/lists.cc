// tools/list, prompts/list, resources/list and resources/templates/list: pages of what the server
// offers.

#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

std::string_view NameOf(TaskSupport support) {
  switch (support) {
    case TaskSupport::kForbidden:
      return "forbidden";
    case TaskSupport::kOptional:
      return "optional";
    case TaskSupport::kRequired:
      break;
  }
  return "required";
}

void SetIf(JsonObject& json, std::string_view name, const auto& value) {
  if (value) {
    json.Set(name, *value);
  }
}

// Before 2026-07-28 structured content was an object.
Json OutputSchemaFor(const Json& schema, const RequestContext& context) {
  if (context.is_modern || schema.TextOf("type") == "object") {
    return schema;
  }
  return JsonObject{{"type", "object"},
                    {"properties", JsonObject{{"result", schema}}},
                    {"required", JsonArray{"result"}}};
}

JsonObject Described(const Tool& tool, const RequestContext& context) {
  JsonObject json{{"name", tool.name}};
  SetIf(json, "title", tool.title);
  json.Set("description", tool.description);
  json.Set("inputSchema", tool.input_schema);
  if (tool.output_schema) {
    json.Set("outputSchema", OutputSchemaFor(*tool.output_schema, context));
  }
  SetIf(json, "annotations", tool.annotations);
  if (context.version >= "2025-11-25") {
    SetIf(json, "icons", tool.icons);
  }
  if (!context.is_modern) {
    json.Set("execution", JsonObject{{"taskSupport", NameOf(tool.task_support)}});
  }
  return json;
}

JsonObject Described(const Prompt& prompt, const RequestContext& context) {
  JsonObject json{{"name", prompt.name}};
  SetIf(json, "title", prompt.title);
  json.Set("description", prompt.description);
  JsonArray arguments;
  for (const PromptArgument& argument : prompt.arguments) {
    arguments.push_back(JsonObject{{"name", argument.name},
                                   {"description", argument.description},
                                   {"required", argument.required}});
  }
  if (!arguments.empty()) {
    json.Set("arguments", std::move(arguments));
  }
  if (context.version >= "2025-11-25") {
    SetIf(json, "icons", prompt.icons);
  }
  return json;
}

JsonObject Described(const Resource& resource, const RequestContext& context) {
  JsonObject json{{resource.is_template() ? "uriTemplate" : "uri", resource.uri},
                  {"name", resource.name}};
  SetIf(json, "title", resource.title);
  json.Set("description", resource.description);
  SetIf(json, "mimeType", resource.mime_type);
  SetIf(json, "annotations", resource.annotations);
  if (context.version >= "2025-11-25") {
    SetIf(json, "icons", resource.icons);
  }
  return json;
}

}  // namespace

// Cursors are sealed names, so they are good in every process and cannot be made up.
template <class T, class NameFunction>
void ServerCore::AnswerPage(const Shelf<T>& shelf, std::string_view list, const NameFunction& name,
                            const Message& message, OpenRequest& request) {
  std::optional<std::string> after;
  if (const Json* const cursor = message.params.Find("cursor");
      cursor != nullptr && !cursor->is_null()) {
    const auto* const text = cursor->If<std::string>();
    const std::optional<Json> opened = text == nullptr ? std::nullopt : sealer_.Open(*text);
    after = opened && opened->TextOf("list") == list ? opened->TextOf("after") : std::nullopt;
    if (!after) {
      request.Fail({.code = kInvalidParams, .message = "invalid cursor"});
      return;
    }
  }
  const auto page = shelf.After(after, options_.page_size + 1);
  const std::size_t count = std::min(page.size(), options_.page_size);
  JsonArray items;
  for (std::size_t at = 0; at < count; ++at) {
    items.push_back(Described(*page[at], request.context()));
  }
  JsonObject result{{std::string(list), std::move(items)}};
  if (page.size() > count) {
    result.Set("nextCursor",
               sealer_.Seal(JsonObject{{"list", list}, {"after", name(*page[count - 1])}}));
  }
  request.Answer(std::move(result));
}

void ServerCore::ListTools(const SessionPointer& /*session*/, const Message& message,
                           const RequestPointer& request) {
  AnswerPage(
      catalog_.tools, "tools", [](const Tool& tool) { return tool.name; }, message, *request);
}

void ServerCore::ListPrompts(const SessionPointer& /*session*/, const Message& message,
                             const RequestPointer& request) {
  AnswerPage(
      catalog_.prompts, "prompts", [](const Prompt& prompt) { return prompt.name; }, message,
      *request);
}

void ServerCore::ListResources(const SessionPointer& /*session*/, const Message& message,
                               const RequestPointer& request) {
  AnswerPage(
      catalog_.resources, "resources", [](const Resource& one) { return one.uri; }, message,
      *request);
}

void ServerCore::ListTemplates(const SessionPointer& /*session*/, const Message& message,
                               const RequestPointer& request) {
  AnswerPage(
      catalog_.templates, "resourceTemplates", [](const Resource& one) { return one.uri; }, message,
      *request);
}

}  // namespace stator::mcp
