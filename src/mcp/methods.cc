// The methods of both generations, and what a server tells about itself.

#include <algorithm>
#include <array>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {

const ServerCore::Method* ServerCore::FindMethod(std::string_view name) {
  using enum Feature;
  constexpr Handler kNone = nullptr;
  static constexpr std::array kMethods = {
      Method{"initialize", &ServerCore::Initialize, kNone},
      Method{"ping", &ServerCore::Ping, kNone},
      Method{"server/discover", kNone, &ServerCore::Discover, kAlways, true},
      Method{"tools/list", &ServerCore::ListTools, &ServerCore::ListTools, kAlways, true},
      Method{"tools/call", &ServerCore::CallTool, &ServerCore::CallTool},
      Method{"prompts/list", &ServerCore::ListPrompts, &ServerCore::ListPrompts, kPrompts, true},
      Method{"prompts/get", &ServerCore::GetPrompt, &ServerCore::GetPrompt, kPrompts},
      Method{"resources/list", &ServerCore::ListResources, &ServerCore::ListResources, kResources,
             true},
      Method{"resources/templates/list", &ServerCore::ListTemplates, &ServerCore::ListTemplates,
             kResources, true},
      Method{"resources/read", &ServerCore::ReadResource, &ServerCore::ReadResource, kResources,
             true},
      Method{"resources/subscribe", &ServerCore::SubscribeToResource, kNone, kResources},
      Method{"resources/unsubscribe", &ServerCore::UnsubscribeFromResource, kNone, kResources},
      Method{"completion/complete", &ServerCore::Complete, &ServerCore::Complete, kCompletions},
      Method{"logging/setLevel", &ServerCore::SetLogLevel, kNone, kLogging},
      Method{"subscriptions/listen", kNone, &ServerCore::Listen, kListen},
      Method{"tasks/get", &ServerCore::GetTask, &ServerCore::GetExtensionTask, kTasks},
      Method{"tasks/list", &ServerCore::ListTasks, kNone, kTasks},
      Method{"tasks/result", &ServerCore::AwaitResult, kNone, kTasks},
      Method{"tasks/update", kNone, &ServerCore::UpdateTask, kTasks},
      Method{"tasks/cancel", &ServerCore::CancelTask, &ServerCore::CancelExtensionTask, kTasks},
  };
  const auto* const found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

bool ServerCore::Offers(const Method& method, const tasks::Owner& owner) const {
  switch (method.needs) {
    case Feature::kAlways:
      return true;
    case Feature::kPrompts:
      return !catalog_.prompts.IsEmpty();
    case Feature::kResources:
      return !catalog_.resources.IsEmpty() || !catalog_.templates.IsEmpty();
    case Feature::kCompletions:
      return HasCompletions();
    case Feature::kLogging:
      return options_.logging;
    case Feature::kListen:
      return options_.lists_change || !catalog_.resources.IsEmpty() || HasTasks(owner);
    case Feature::kTasks:
      break;
  }
  return HasTasks(owner);
}

bool ServerCore::HasTasks(const tasks::Owner& owner) const {
  return !owner.is_anonymous || store_.options().allow_anonymous;
}

JsonObject ServerCore::Capabilities(const RequestContext& context) const {
  const JsonObject changes =
      options_.lists_change ? JsonObject{{"listChanged", true}} : JsonObject();
  JsonObject capabilities{{"tools", changes}};
  if (!catalog_.prompts.IsEmpty()) {
    capabilities.Set("prompts", changes);
  }
  if (!catalog_.resources.IsEmpty() || !catalog_.templates.IsEmpty()) {
    JsonObject resources = changes;
    resources.Set("subscribe", true);
    capabilities.Set("resources", std::move(resources));
  }
  if (HasCompletions()) {
    capabilities.Set("completions", JsonObject());
  }
  if (options_.logging) {
    capabilities.Set("logging", JsonObject());
  }
  if (HasTasks(context.owner) && context.is_modern) {
    capabilities.Set("extensions", JsonObject{{std::string(kTasksExtension), JsonObject()}});
  } else if (HasTasks(context.owner)) {
    capabilities.Set(
        "tasks",
        JsonObject{{"list", JsonObject()},
                   {"cancel", JsonObject()},
                   {"requests", JsonObject{{"tools", JsonObject{{"call", JsonObject()}}}}}});
  }
  return capabilities;
}

JsonObject ServerCore::ServerInfo() const {
  JsonObject info{{"name", options_.name}, {"version", options_.version}};
  if (options_.title) {
    info.Set("title", *options_.title);
  }
  if (options_.website_url) {
    info.Set("websiteUrl", *options_.website_url);
  }
  if (options_.icons) {
    info.Set("icons", *options_.icons);
  }
  return info;
}

void ServerCore::Initialize(const SessionPointer& session, const Message& message,
                            const RequestPointer& request) {
  const std::optional<std::string> asked = message.params.TextOf("protocolVersion");
  if (!asked) {
    request->Fail({.code = kInvalidParams, .message = "protocolVersion must be a text"});
    return;
  }
  const Json* const capabilities = message.params.Find("capabilities");
  const std::string_view version =
      IsProtocolVersion(*asked) ? std::string_view(*asked) : kProtocolVersions.front();
  session->Initialize(version, capabilities == nullptr ? Json(JsonObject()) : *capabilities);
  JsonObject result{{"protocolVersion", version},
                    {"capabilities", Capabilities(session->Context())},
                    {"serverInfo", ServerInfo()}};
  if (options_.instructions) {
    result.Set("instructions", *options_.instructions);
  }
  request->Answer(std::move(result));
}

void ServerCore::Ping(const SessionPointer& /*session*/, const Message& /*message*/,
                      const RequestPointer& request) {
  request->Answer(JsonObject());
}

void ServerCore::SetLogLevel(const SessionPointer& session, const Message& message,
                             const RequestPointer& request) {
  const std::optional<LogLevel> level = ParseLogLevel(message.params.TextOf("level").value_or(""));
  if (!level) {
    request->Fail({.code = kInvalidParams, .message = "level is none of the levels"});
    return;
  }
  session->SetLogLevel(*level);
  request->Answer(JsonObject());
}

}  // namespace stator::mcp
