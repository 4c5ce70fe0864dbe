// The methods of both generations, and what a server tells about itself.

#include <algorithm>
#include <array>
#include <utility>

#include "mcp/core.h"

namespace stator::mcp {

const Core::Method* Core::FindMethod(std::string_view name) {
  using enum Feature;
  constexpr Handler kNone = nullptr;
  static constexpr std::array kMethods = {
      Method{"initialize", &Core::Initialize, kNone},
      Method{"ping", &Core::Ping, kNone},
      Method{"server/discover", kNone, &Core::Discover, kAlways, true},
      Method{"tools/list", &Core::ListTools, &Core::ListTools, kAlways, true},
      Method{"tools/call", &Core::CallTool, &Core::CallTool},
      Method{"prompts/list", &Core::ListPrompts, &Core::ListPrompts, kPrompts, true},
      Method{"prompts/get", &Core::GetPrompt, &Core::GetPrompt, kPrompts},
      Method{"resources/list", &Core::ListResources, &Core::ListResources, kResources, true},
      Method{"resources/templates/list", &Core::ListTemplates, &Core::ListTemplates, kResources,
             true},
      Method{"resources/read", &Core::ReadResource, &Core::ReadResource, kResources, true},
      Method{"resources/subscribe", &Core::SubscribeToResource, kNone, kResources},
      Method{"resources/unsubscribe", &Core::UnsubscribeFromResource, kNone, kResources},
      Method{"completion/complete", &Core::Complete, &Core::Complete, kCompletions},
      Method{"logging/setLevel", &Core::SetLogLevel, kNone, kLogging},
      Method{"subscriptions/listen", kNone, &Core::Listen, kListen},
      Method{"tasks/get", &Core::GetTask, &Core::GetExtensionTask, kTasks},
      Method{"tasks/list", &Core::ListTasks, kNone, kTasks},
      Method{"tasks/result", &Core::AwaitResult, kNone, kTasks},
      Method{"tasks/update", kNone, &Core::UpdateTask, kTasks},
      Method{"tasks/cancel", &Core::CancelTask, &Core::CancelExtensionTask, kTasks},
  };
  const auto* const found = std::ranges::find(kMethods, name, &Method::name);
  return found == kMethods.end() ? nullptr : found;
}

bool Core::Offers(const Method& method, const tasks::Owner& owner) const {
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

bool Core::HasTasks(const tasks::Owner& owner) const {
  return !owner.is_anonymous || store_.options().allow_anonymous;
}

JsonObject Core::Capabilities(const RequestContext& context) const {
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

JsonObject Core::ServerInfo() const {
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

void Core::Initialize(const SessionPointer& session, const Message& message,
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

void Core::Ping(const SessionPointer& /*session*/, const Message& /*message*/,
                const RequestPointer& request) {
  request->Answer(JsonObject());
}

void Core::SetLogLevel(const SessionPointer& session, const Message& message,
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
