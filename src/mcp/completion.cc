// completion/complete: values for an argument of a prompt or of a resource template.

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

constexpr std::size_t kValuesMax = 100;

const Completer* CompleterOf(const Prompt& prompt, const std::string& argument) {
  const auto found = std::ranges::find(prompt.arguments, argument, &PromptArgument::name);
  return found == prompt.arguments.end() ? nullptr : &found->complete;
}

bool Names(const Resource& resource, const std::string& argument) {
  return resource.uri.contains("{" + argument + "}") ||
         resource.uri.contains("{+" + argument + "}") ||
         resource.uri.contains("{" + argument + "*}");
}

}  // namespace

bool ServerCore::HasCompletions() const {
  return !catalog_.prompts.IsEmpty() || !catalog_.templates.IsEmpty();
}

void ServerCore::Complete(const SessionPointer& /*session*/, const Message& message,
                          const RequestPointer& request) {
  const auto refuse = [&](std::string problem) {
    request->Fail({.code = kInvalidParams, .message = std::move(problem)});
  };
  const Json* const ref = message.params.Find("ref");
  const Json* const argument = message.params.Find("argument");
  const std::optional<std::string> name =
      argument == nullptr ? std::nullopt : argument->TextOf("name");
  const std::optional<std::string> value =
      argument == nullptr ? std::nullopt : argument->TextOf("value");
  if (ref == nullptr || !name || !value) {
    refuse("ref and argument, with name and value, are needed");
    return;
  }
  const std::optional<std::string> type = ref->TextOf("type");
  static const Completer kNone;
  const Completer* completer = nullptr;
  const auto prompt =
      type == "ref/prompt" ? catalog_.prompts.Find(ref->TextOf("name").value_or("")) : nullptr;
  const auto resource =
      type == "ref/resource" ? catalog_.templates.Find(ref->TextOf("uri").value_or("")) : nullptr;
  if (prompt) {
    completer = CompleterOf(*prompt, *name);
  } else if (resource && Names(*resource, *name)) {
    const auto found = resource->complete.find(*name);
    completer = found == resource->complete.end() ? &kNone : &found->second;
  }
  if (completer == nullptr) {
    refuse("there is no such prompt, resource template or argument");
    return;
  }
  const Json* const context = message.params.Find("context");
  const Json* const others = context == nullptr ? nullptr : context->Find("arguments");
  std::vector<std::string> values;
  if (*completer) {
    values = (*completer)(*value, others == nullptr ? Json(JsonObject()) : *others);
  }
  JsonArray shown(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min(values.size(), kValuesMax)));
  request->Answer(JsonObject{{"completion", JsonObject{{"values", std::move(shown)},
                                                       {"total", values.size()},
                                                       {"hasMore", values.size() > kValuesMax}}}});
}

}  // namespace stator::mcp
