// tasks/get, tasks/update and tasks/cancel of the extension io.modelcontextprotocol/tasks.

#include <algorithm>
#include <utility>

#include "mcp/extension_task.h"
#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

constexpr std::string_view kCancelled = "the task ended without a result";

// The result as the call would have been answered, which says of itself that it is complete.
Json InlinedResult(const Json& result) {
  JsonObject inlined = result.Is<JsonObject>()
                           ? *result.If<JsonObject>()
                           : JsonObject{{"content", JsonArray()}, {"structuredContent", result}};
  inlined.Set("resultType", "complete");
  return inlined;
}

Json ToJson(const tasks::TaskFault& fault) {
  JsonObject error{{"code", fault.code}, {"message", fault.message}};
  if (fault.data) {
    error.Set("data", *fault.data);
  }
  return error;
}

JsonObject OpenQuestions(const tasks::TaskRecord& record) {
  JsonObject requests;
  for (const tasks::InputRequest& input : record.inputs) {
    if (!input.answer) {
      requests.Set(input.id, JsonObject{{"method", input.method}, {"params", input.params}});
    }
  }
  return requests;
}

}  // namespace

JsonObject ExtensionHandle(const tasks::Task& task) {
  JsonObject json = tasks::ToJson(task);
  for (const auto& [old_name, name] :
       {std::pair("ttl", "ttlMs"), std::pair("pollInterval", "pollIntervalMs")}) {
    if (const Json* const value = json.Find(old_name)) {
      const Json copy = *value;
      json.Erase(old_name);
      json.Set(name, copy);
    }
  }
  return json;
}

JsonObject ExtensionTask(const tasks::TaskRecord& record) {
  JsonObject json = ExtensionHandle(record.task);
  switch (record.task.status) {
    case TaskStatus::kInputRequired:
      json.Set("inputRequests", OpenQuestions(record));
      break;
    case TaskStatus::kCompleted:
    case TaskStatus::kFailed:
      if (record.error) {
        json.Set("status", tasks::NameOf(TaskStatus::kFailed));
        json.Set("error", ToJson(*record.error));
      } else if (record.result) {
        json.Set("status", tasks::NameOf(TaskStatus::kCompleted));
        json.Set("result", InlinedResult(*record.result));
      } else {
        json.Set("status", tasks::NameOf(TaskStatus::kFailed));
        json.Set("error",
                 ToJson({.code = kInternalError,
                         .message = record.task.status_message.value_or(std::string(kCancelled))}));
      }
      break;
    case TaskStatus::kWorking:
    case TaskStatus::kCancelled:
      break;
  }
  return json;
}

void ServerCore::GetExtensionTask(const SessionPointer& session, const Message& message,
                                  const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  const auto record = store_.Get(request->context().owner.id, *id);
  if (!record) {
    request->Fail(FaultOf(record.error()));
    return;
  }
  Note(TaskEvent::kRead, record->owner_id, *id, ByClient(*session), message.method);
  request->Answer(ExtensionTask(*record));
}

// Answers to questions that are not open are passed over: somebody else was faster.
void ServerCore::UpdateTask(const SessionPointer& session, const Message& message,
                            const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  const std::string& owner = request->context().owner.id;
  const auto record = store_.Get(owner, *id);
  if (!record) {
    request->Fail(FaultOf(record.error()));
    return;
  }
  const Json* const given = message.params.Find("inputResponses");
  if (given == nullptr || !given->Is<JsonObject>()) {
    request->Fail({.code = kInvalidParams, .message = "inputResponses must be an object"});
    return;
  }
  std::vector<std::pair<std::string, Json>> answers;
  for (const tasks::InputRequest& input : record->inputs) {
    const Json* const answer = input.answer ? nullptr : given->Find(input.id);
    if (answer == nullptr) {
      continue;
    }
    if (const std::string problem = ProblemWithAnswer(input.method, *answer); !problem.empty()) {
      request->Fail({.code = kInvalidParams,
                     .message = "inputResponses." + input.id + " is no answer: " + problem});
      return;
    }
    answers.emplace_back(input.id, *answer);
  }
  for (auto& [key, answer] : answers) {
    const auto stored = store_.AnswerInput(owner, *id, key, std::move(answer));
    if (!stored && stored.error().code != ErrorCode::kValidation &&
        stored.error().code != ErrorCode::kIllegalTransition) {
      request->Fail(FaultOf(stored.error()));
      return;
    }
    if (stored) {
      Note(TaskEvent::kAnswered, owner, *id, ByClient(*session), key);
    }
  }
  request->Answer(JsonObject());
  TaskChanged(owner, *id);
}

// A task that has ended stays as it is, and that is no error.
void ServerCore::CancelExtensionTask(const SessionPointer& session, const Message& message,
                                     const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  const std::string& owner = request->context().owner.id;
  std::weak_ptr<Session> creator;
  const auto cancelled = CancelRun(owner, *id, creator);
  if (!cancelled && cancelled.error().code != ErrorCode::kIllegalTransition) {
    request->Fail(FaultOf(cancelled.error()));
    return;
  }
  if (cancelled) {
    Note(TaskEvent::kCancelled, owner, *id, ByClient(*session));
  }
  request->Answer(JsonObject());
  if (cancelled) {
    NotifyStatus(creator, cancelled->task);
    TaskChanged(owner, *id);
  }
}

}  // namespace stator::mcp
