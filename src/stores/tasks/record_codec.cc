#include "stores/tasks/record_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "stores/tasks/timestamps.h"
#include "value/check_value.h"

namespace stator::tasks {
namespace {

// On disk; cannot change.
constexpr std::int64_t kSchema = 1;
constexpr std::array<std::string_view, 19> kKnown = {
    "task",      "ownerId",   "variables",      "result",      "requestMethod",
    "expiresAt", "schema",    "hasResult",      "error",       "toolName",
    "arguments", "createdBy", "idempotencyKey", "restartable", "lease",
    "input",     "inputs",    "context",        "resultBlob"};

std::unexpected<Error> Damaged(std::string_view what) {
  return Fail(ErrorCode::kCorruption, "the stored task has " + std::string(what));
}

JsonObject ToJson(const TaskFault& fault) {
  JsonObject json{{"code", fault.code}, {"message", fault.message}};
  if (fault.data) {
    json.Set("data", *fault.data);
  }
  return json;
}

JsonObject ToJson(const Lease& lease) {
  return {{"worker", lease.worker}, {"group", lease.group}, {"attempt", lease.attempt}};
}

JsonObject ToJson(const InputRequest& input) {
  JsonObject json{{"id", input.id}, {"method", input.method}, {"params", input.params}};
  if (input.answer) {
    json.Set("answer", *input.answer);
  }
  return json;
}

void SetText(JsonObject& json, std::string_view name, const std::optional<std::string>& text) {
  if (text) {
    json.Set(name, *text);
  }
}

std::string HeadOf(const Task& task, const std::optional<TimePoint>& expires_at) {
  JsonObject head = ToJson(task);
  if (expires_at) {
    head.Set("expiresAt", ToExactText(*expires_at));
  }
  return Json(std::move(head)).ToText();
}

Result<std::optional<TimePoint>> OptionalTime(const Json& json, std::string_view name) {
  const Json* const member = json.Find(name);
  if (member == nullptr || member->is_null()) {
    return std::nullopt;
  }
  const auto* const text = member->If<std::string>();
  const std::optional<TimePoint> time = text == nullptr ? std::nullopt : ParseTimestamp(*text);
  if (!time) {
    return Damaged("a timestamp that is none");
  }
  return time;
}

std::optional<TaskFault> FaultFrom(const Json* json) {
  if (json == nullptr || !json->Is<JsonObject>()) {
    return std::nullopt;
  }
  TaskFault fault;
  if (const Json* const code = json->Find("code")) {
    fault.code = code->ToInt64().value_or(0);
  }
  fault.message = json->TextOf("message").value_or("");
  if (const Json* const data = json->Find("data")) {
    fault.data = *data;
  }
  return fault;
}

std::optional<Lease> LeaseFrom(const Json* json) {
  if (json == nullptr || !json->Is<JsonObject>()) {
    return std::nullopt;
  }
  Lease lease{.worker = json->TextOf("worker").value_or(""),
              .group = json->TextOf("group").value_or("")};
  if (const Json* const attempt = json->Find("attempt")) {
    lease.attempt = attempt->ToInt64().value_or(1);
  }
  return lease;
}

InputRequest InputFrom(const Json& json) {
  InputRequest input{.id = json.TextOf("id").value_or(""),
                     .method = json.TextOf("method").value_or(""),
                     .params = nullptr};
  if (const Json* const params = json.Find("params")) {
    input.params = *params;
  }
  if (const Json* const answer = json.Find("answer")) {
    input.answer = *answer;
  }
  return input;
}

// Older versions kept the last question only.
std::vector<InputRequest> InputsFrom(const Json& json) {
  std::vector<InputRequest> inputs;
  if (const Json* const last = json.Find("input"); last != nullptr && last->Is<JsonObject>()) {
    inputs.push_back(InputFrom(*last));
  }
  const Json* const all = json.Find("inputs");
  if (const auto* const array = all == nullptr ? nullptr : all->If<JsonArray>()) {
    for (const Json& input : *array) {
      inputs.push_back(InputFrom(input));
    }
  }
  return inputs;
}

bool IsTrue(const Json* json) {
  const bool* const value = json == nullptr ? nullptr : json->If<bool>();
  return value != nullptr && *value;
}

Json ToDocument(const TaskRecord& record) {
  JsonObject json;
  json.Set("task", ToJson(record.task));
  json.Set("ownerId", record.owner_id);
  json.Set("variables", record.variables);
  json.Set("result", record.result.value_or(nullptr));
  json.Set("requestMethod", record.request_method);
  json.Set("expiresAt", record.expires_at ? Json(ToExactText(*record.expires_at)) : Json());
  json.Set("schema", kSchema);
  json.Set("hasResult", record.result.has_value());
  SetText(json, "resultBlob", record.result_blob);
  if (record.error) {
    json.Set("error", ToJson(*record.error));
  }
  SetText(json, "toolName", record.tool_name);
  if (record.arguments) {
    json.Set("arguments", *record.arguments);
  }
  SetText(json, "createdBy", record.created_by);
  SetText(json, "idempotencyKey", record.idempotency_key);
  if (record.restartable) {
    json.Set("restartable", true);
  }
  if (record.lease) {
    json.Set("lease", ToJson(*record.lease));
  }
  if (record.context) {
    json.Set("context", *record.context);
  }
  if (!record.inputs.empty()) {
    JsonArray inputs;
    for (const InputRequest& input : record.inputs) {
      inputs.push_back(ToJson(input));
    }
    json.Set("inputs", std::move(inputs));
  }
  for (const auto& [name, value] : record.further) {
    json.Set(name, value);
  }
  return json;
}

// Levels that the record itself takes around a value.
constexpr std::size_t kOuterLevels = 3;

bool Fits(const Json& value, std::size_t levels) {
  if (levels == 0) {
    return false;
  }
  if (const auto* const array = value.If<JsonArray>()) {
    return std::ranges::all_of(*array, [&](const Json& part) { return Fits(part, levels - 1); });
  }
  if (const auto* const object = value.If<JsonObject>()) {
    return std::ranges::all_of(*object,
                               [&](const auto& member) { return Fits(member.second, levels - 1); });
  }
  return true;
}

bool Fits(const std::optional<Json>& value) {
  return !value || Fits(*value, Json::kDepthMax - kOuterLevels);
}

// What upstream and every version of this store write.
Result<void> ReadRequired(const Json& json, TaskRecord& record) {
  const Json* const task = json.Find("task");
  if (task == nullptr) {
    return Damaged("no task");
  }
  Result<Task> read = TaskFromJson(*task);
  if (!read) {
    return Damaged("a task that cannot be read: " + read.error().message);
  }
  record.task = *std::move(read);
  std::optional<std::string> owner = json.TextOf("ownerId");
  std::optional<std::string> method = json.TextOf("requestMethod");
  const Json* const variables = json.Find("variables");
  if (!owner || !method || variables == nullptr || !variables->Is<JsonObject>()) {
    return Damaged("no ownerId, variables or requestMethod");
  }
  record.owner_id = *std::move(owner);
  record.request_method = *std::move(method);
  record.variables = *variables->If<JsonObject>();
  return {};
}

}  // namespace

std::optional<std::int64_t> ExpirySeconds(const std::optional<TimePoint>& expires_at) {
  if (!expires_at) {
    return std::nullopt;
  }
  return std::chrono::ceil<std::chrono::seconds>(*expires_at).time_since_epoch().count();
}

StoredValue EncodeRecord(const TaskRecord& record) {
  RecordAttributes attributes{
      .head = HeadOf(record.task, record.expires_at),
      .status = std::string(NameOf(record.task.status)),
      .created_at = ToMillisecondText(record.task.created_at),
      .is_active = !IsTerminal(record.task.status),
      .result_blob = record.result_blob,
  };
  attributes.expires_at_seconds = ExpirySeconds(record.expires_at);
  return {.data = ToDocument(record).ToText(), .attributes = std::move(attributes)};
}

std::string ProblemWith(const TaskRecord& record, const StoredValue& encoded) {
  if (!value::IsUtf8(encoded.data) || !value::IsUtf8(encoded.attributes.head)) {
    return "a text is not valid UTF-8";
  }
  const bool fits = Fits(record.result) && Fits(record.arguments) && Fits(record.task.meta) &&
                    Fits(Json(record.variables), Json::kDepthMax - kOuterLevels) &&
                    (!record.error || Fits(record.error->data)) && Fits(record.context) &&
                    std::ranges::all_of(record.inputs, [](const InputRequest& input) {
                      return Fits(std::optional(input.params)) && Fits(input.answer);
                    });
  return fits ? "" : "a value nests too deep";
}

Result<TaskRecord> DecodeRecord(std::string_view data) {
  const Result<Json> parsed = Json::Parse(data);
  if (!parsed || !parsed->Is<JsonObject>()) {
    return Damaged("data that are no JSON object");
  }
  const Json& json = *parsed;
  TaskRecord record;
  TRY_VOID(ReadRequired(json, record));
  const Json* const result = json.Find("result");
  if (result != nullptr && (!result->is_null() || IsTrue(json.Find("hasResult")))) {
    record.result = *result;
  }
  record.result_blob = json.TextOf("resultBlob");
  record.error = FaultFrom(json.Find("error"));
  record.expires_at = TRY(OptionalTime(json, "expiresAt"));
  record.tool_name = json.TextOf("toolName");
  if (const Json* const arguments = json.Find("arguments")) {
    record.arguments = *arguments;
  }
  record.created_by = json.TextOf("createdBy");
  record.idempotency_key = json.TextOf("idempotencyKey");
  record.restartable = IsTrue(json.Find("restartable"));
  record.lease = LeaseFrom(json.Find("lease"));
  if (const Json* const context = json.Find("context")) {
    record.context = *context;
  }
  record.inputs = InputsFrom(json);
  for (const auto& [name, value] : *json.If<JsonObject>()) {
    if (std::ranges::find(kKnown, name) == kKnown.end()) {
      record.further.Set(name, value);
    }
  }
  return record;
}

Result<Head> DecodeHead(std::string_view head) {
  const Result<Json> json = Json::Parse(head);
  if (!json) {
    return Damaged("a head that is no JSON");
  }
  Result<Task> task = TaskFromJson(*json);
  if (!task) {
    return Damaged("a head that cannot be read: " + task.error().message);
  }
  return Head{.task = *std::move(task), .expires_at = TRY(OptionalTime(*json, "expiresAt"))};
}

Result<std::string> HeadOfData(std::string_view data, std::string_view owner) {
  const TaskRecord record = TRY(DecodeRecord(data));
  if (record.owner_id != owner) {
    return Damaged("another owner");
  }
  return HeadOf(record.task, record.expires_at);
}

}  // namespace stator::tasks
