// prompts/get and resources/read. Their functions run as those of tools do.

#include <utility>

#include "mcp/direct_call.h"
#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

tasks::TaskFault NotFound(const std::string& uri, const RequestContext& context) {
  return {.code = context.is_modern ? kInvalidParams : kResourceNotFound,
          .message = "Resource not found",
          .data = JsonObject{{"uri", uri}}};
}

// Empty, or what is wrong with the arguments of a prompt.
std::string ProblemWith(const Prompt& prompt, const Json& arguments) {
  if (!arguments.Is<JsonObject>()) {
    return "arguments must be an object";
  }
  for (const auto& [name, value] : *arguments.If<JsonObject>()) {
    if (!value.Is<std::string>()) {
      return "argument " + name + " must be a text";
    }
  }
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.required && arguments.Find(argument.name) == nullptr) {
      return "argument " + argument.name + " is missing";
    }
  }
  return "";
}

}  // namespace

void ServerCore::GetPrompt(const SessionPointer& session, const Message& message,
                           const RequestPointer& request) {
  const std::optional<std::string> name = message.params.TextOf("name");
  const auto prompt = name ? catalog_.prompts.Find(*name) : nullptr;
  if (!prompt) {
    request->Fail({.code = kInvalidParams, .message = "Unknown prompt: " + name.value_or("")});
    return;
  }
  const Json* const given = message.params.Find("arguments");
  Json arguments = given == nullptr || given->is_null() ? Json(JsonObject()) : *given;
  if (std::string problem = ProblemWith(*prompt, arguments); !problem.empty()) {
    request->Fail({.code = kInvalidParams, .message = std::move(problem)});
    return;
  }
  RunFunction(prompt->name, prompt->get, std::move(arguments), session, message, request);
}

void ServerCore::ReadResource(const SessionPointer& session, const Message& message,
                              const RequestPointer& request) {
  const std::optional<std::string> uri = message.params.TextOf("uri");
  if (!uri) {
    request->Fail({.code = kInvalidParams, .message = "uri must be a text"});
    return;
  }
  std::shared_ptr<const Resource> resource = catalog_.resources.Find(*uri);
  JsonObject arguments;
  if (!resource) {
    // Of templates that fit, the one that says most.
    for (const auto& candidate : catalog_.templates.After(std::nullopt, SIZE_MAX)) {
      std::optional<JsonObject> values = MatchTemplate(candidate->uri, *uri);
      if (values && (!resource || candidate->uri.size() > resource->uri.size())) {
        resource = candidate;
        arguments = *std::move(values);
      }
    }
  }
  if (!resource) {
    request->Fail(NotFound(*uri, request->context()));
    return;
  }
  arguments.Set("uri", *uri);
  RunFunction(resource->uri, resource->read, std::move(arguments), session, message, request);
}

void ServerCore::RunFunction(const std::string& name, const ToolFunction& function, Json arguments,
                             const SessionPointer& session, const Message& message,
                             const RequestPointer& request) {
  auto unfinished = ReadUnfinished(message, request->context(), sealer_, options_.clock->Now());
  if (!unfinished) {
    request->Fail(unfinished.error());
    return;
  }
  const auto as_tool =
      std::make_shared<const Tool>(Tool{.name = name, .description = "", .run = function});
  const auto call = std::make_shared<DirectCall>(*this, as_tool, session, request,
                                                 std::move(arguments), *std::move(unfinished));
  if (!call->Enqueue(/*urgent=*/false)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
  }
}

}  // namespace stator::mcp
