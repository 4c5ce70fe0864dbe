#include <utility>

#include "mcp/client_capabilities.h"
#include "mcp/json_rpc.h"
#include "stator/mcp/question.h"

namespace stator::mcp {
namespace {

bool IsObject(const Json* json) {
  return json != nullptr && json->Is<JsonObject>();
}

bool IsArray(const Json* json) {
  return json != nullptr && json->Is<JsonArray>();
}

}  // namespace

Question FormQuestion(std::string_view message, Json requested_schema, std::string key) {
  return {
      .kind = QuestionKind::kForm,
      .params = JsonObject{{"message", message}, {"requestedSchema", std::move(requested_schema)}},
      .key = std::move(key)};
}

Question UrlQuestion(std::string_view message, std::string_view url, std::string key) {
  return {.kind = QuestionKind::kUrl,
          .params = JsonObject{{"mode", "url"}, {"message", message}, {"url", url}},
          .key = std::move(key)};
}

Question SamplingQuestion(Json params, std::string key) {
  return {.kind = QuestionKind::kSampling, .params = std::move(params), .key = std::move(key)};
}

Question RootsQuestion(std::string key) {
  return {.kind = QuestionKind::kRoots, .params = JsonObject(), .key = std::move(key)};
}

bool ClientCapabilities::CanAsk(QuestionKind kind) const {
  switch (kind) {
    case QuestionKind::kForm:
      return form;
    case QuestionKind::kUrl:
      return url;
    case QuestionKind::kSampling:
      return sampling;
    case QuestionKind::kRoots:
      break;
  }
  return roots;
}

ClientCapabilities ReadCapabilities(const Json& json) {
  ClientCapabilities capabilities;
  if (!json.Is<JsonObject>()) {
    return capabilities;
  }
  capabilities.json = json;
  if (const Json* const elicitation = json.Find("elicitation"); IsObject(elicitation)) {
    // An empty object means forms; one that names modes has to name this one.
    capabilities.url = elicitation->Find("url") != nullptr;
    capabilities.form = !capabilities.url || elicitation->Find("form") != nullptr;
  }
  capabilities.sampling = IsObject(json.Find("sampling"));
  capabilities.roots = IsObject(json.Find("roots"));
  const Json* const extensions = json.Find("extensions");
  capabilities.tasks = IsObject(extensions) && IsObject(extensions->Find(kTasksExtension));
  return capabilities;
}

Json CapabilityFor(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kForm:
      return JsonObject{{"elicitation", JsonObject{{"form", JsonObject()}}}};
    case QuestionKind::kUrl:
      return JsonObject{{"elicitation", JsonObject{{"url", JsonObject()}}}};
    case QuestionKind::kSampling:
      return JsonObject{{"sampling", JsonObject()}};
    case QuestionKind::kRoots:
      break;
  }
  return JsonObject{{"roots", JsonObject()}};
}

std::string_view MethodOf(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kForm:
    case QuestionKind::kUrl:
      return "elicitation/create";
    case QuestionKind::kSampling:
      return "sampling/createMessage";
    case QuestionKind::kRoots:
      break;
  }
  return "roots/list";
}

std::string ProblemWithAnswer(std::string_view method, const Json& answer) {
  if (method == "elicitation/create") {
    const std::optional<std::string> action = answer.TextOf("action");
    const Json* const content = answer.Find("content");
    const bool fits = (action == "accept" || action == "decline" || action == "cancel") &&
                      (content == nullptr || content->Is<JsonObject>());
    return fits ? "" : "it must have an action (accept, decline, cancel), its content be an object";
  }
  if (method == "sampling/createMessage") {
    const Json* const content = answer.Find("content");
    const bool fits = answer.TextOf("role") && (IsObject(content) || IsArray(content));
    return fits ? "" : "it must have a role and content";
  }
  return IsArray(answer.Find("roots")) ? "" : "it must have roots";
}

}  // namespace stator::mcp
