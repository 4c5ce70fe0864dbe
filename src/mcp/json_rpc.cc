#include "mcp/json_rpc.h"

#include <algorithm>
#include <utility>

namespace stator::mcp {
namespace {

bool IsId(const Json& id) {
  return id.Is<std::string>() || id.ToInt64().has_value();
}

tasks::TaskFault FaultFrom(const Json& json) {
  tasks::TaskFault fault{.code = kInternalError, .message = json.TextOf("message").value_or("")};
  if (const Json* const code = json.Find("code")) {
    fault.code = code->ToInt64().value_or(kInternalError);
  }
  if (const Json* const data = json.Find("data")) {
    fault.data = *data;
  }
  return fault;
}

Message Invalid(Json id, std::string problem) {
  return {.kind = MessageKind::kInvalid, .id = std::move(id), .problem = std::move(problem)};
}

}  // namespace

bool IsProtocolVersion(std::string_view version) {
  return std::ranges::find(kProtocolVersions, version) != kProtocolVersions.end();
}

Message ParseMessage(const Json& json) {
  if (!json.Is<JsonObject>()) {
    return Invalid(nullptr, json.Is<JsonArray>() ? "batches are not supported"
                                                 : "a message must be an object");
  }
  Message message;
  const Json* const id = json.Find("id");
  if (id != nullptr && IsId(*id)) {
    message.id = *id;
  }
  if (json.TextOf("jsonrpc") != "2.0") {
    return Invalid(message.id, "jsonrpc must be \"2.0\"");
  }
  if (const Json* const method = json.Find("method")) {
    if (!method->Is<std::string>() || (id != nullptr && message.id.is_null())) {
      return Invalid(message.id, "method must be a text, id a text or a whole number");
    }
    message.method = *method->If<std::string>();
    message.kind = id == nullptr ? MessageKind::kNotification : MessageKind::kRequest;
    if (const Json* const params = json.Find("params")) {
      if (!params->Is<JsonObject>()) {
        return Invalid(message.id, "params must be an object");
      }
      message.params = *params;
    }
    return message;
  }
  if (const Json* const result = json.Find("result")) {
    message.result = *result;
  } else if (const Json* const error = json.Find("error")) {
    message.error = FaultFrom(*error);
  } else {
    return Invalid(message.id, "neither a request nor an answer");
  }
  message.kind = MessageKind::kResponse;
  return message;
}

Json MakeResult(const Json& id, Json result) {
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json MakeError(const Json& id, const tasks::TaskFault& fault) {
  JsonObject error{{"code", fault.code}, {"message", fault.message}};
  if (fault.data) {
    error.Set("data", *fault.data);
  }
  return JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Json MakeRequest(const Json& id, std::string_view method, Json params) {
  return JsonObject{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

Json MakeNotification(std::string_view method, Json params) {
  return JsonObject{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json WithRelatedTask(Json object, std::string_view task) {
  auto* const members = object.If<JsonObject>();
  const Json* const there = members->Find("_meta");
  JsonObject meta =
      there != nullptr && there->Is<JsonObject>() ? *there->If<JsonObject>() : JsonObject();
  meta.Set(kRelatedTask, JsonObject{{"taskId", task}});
  members->Set("_meta", std::move(meta));
  return object;
}

}  // namespace stator::mcp
