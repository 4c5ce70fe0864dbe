// tools/list and tools/call.

#include <utility>

#include "mcp/core.h"
#include "mcp/direct_call.h"
#include "mcp/json_schema.h"

namespace stator::mcp {
namespace {

// In _meta of tools/call: repeating a call with the same key gives the same task.
constexpr std::string_view kIdempotencyKey = "stator/idempotencyKey";

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

Json MetaOf(const Message& message, std::string_view name) {
  const Json* const meta = message.params.Find("_meta");
  const Json* const value = meta == nullptr ? nullptr : meta->Find(name);
  return value == nullptr ? Json() : *value;
}

// Absent and null mean the default.
std::expected<std::optional<std::int64_t>, tasks::TaskFault> TtlOf(const Json& task) {
  const Json* const ttl = task.Find("ttl");
  if (ttl == nullptr || ttl->is_null()) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> milliseconds = ttl->ToInt64();
  if (!milliseconds) {
    return std::unexpected(tasks::TaskFault{
        .code = kInvalidParams, .message = "task.ttl must be a whole number of milliseconds"});
  }
  return milliseconds;
}

// Since 2025-11-25 the model reads what is wrong and may call again; before, it was an error of the
// protocol. So it is for a task, whose creation has no other way to say no.
void RefuseArguments(const Session& session, const std::string& problem, bool as_task,
                     OpenRequest& request) {
  if (as_task || !session.speaks_2025_11_25()) {
    request.Fail({.code = kInvalidParams, .message = "Invalid arguments: " + problem});
  } else {
    request.Answer(*ErrorResult("Invalid arguments: " + problem));
  }
}

}  // namespace

ToolResult TextResult(std::string_view text) {
  return JsonObject{{"content", JsonArray{JsonObject{{"type", "text"}, {"text", text}}}}};
}

ToolResult ErrorResult(std::string_view text) {
  return JsonObject{{"content", JsonArray{JsonObject{{"type", "text"}, {"text", text}}}},
                    {"isError", true}};
}

ToolResult Fault(std::int64_t code, std::string message) {
  return std::unexpected(tasks::TaskFault{.code = code, .message = std::move(message)});
}

Json ProgressNotification(const Json& token, double progress, std::optional<double> total,
                          const std::optional<std::string>& message) {
  JsonObject params{{"progressToken", token}, {"progress", progress}};
  if (total) {
    params.Set("total", *total);
  }
  if (message) {
    params.Set("message", *message);
  }
  return MakeNotification("notifications/progress", std::move(params));
}

void Core::ListTools(const Message& message, OpenRequest& request) {
  // They fit one page, so no cursor was ever given out.
  if (const Json* const cursor = message.params.Find("cursor");
      cursor != nullptr && !cursor->is_null()) {
    request.Fail({.code = kInvalidParams, .message = "invalid cursor"});
    return;
  }
  JsonArray tools;
  for (const auto& [name, tool] : tools_) {
    tools.push_back(
        JsonObject{{"name", name},
                   {"description", tool->description},
                   {"inputSchema", tool->input_schema},
                   {"execution", JsonObject{{"taskSupport", NameOf(tool->task_support)}}}});
  }
  request.Answer(JsonObject{{"tools", std::move(tools)}});
}

// In this order: the tool exists, it supports what is asked, the arguments fit, a task is stored,
// the client is answered, the tool runs.
void Core::CallTool(const SessionPointer& session, const Message& message,
                    const RequestPointer& request) {
  const std::optional<std::string> name = message.params.TextOf("name");
  if (!name) {
    request->Fail({.code = kInvalidParams, .message = "name must be a text"});
    return;
  }
  const auto found = tools_.find(*name);
  if (found == tools_.end()) {
    request->Fail({.code = kInvalidParams, .message = "Unknown tool: " + *name});
    return;
  }
  const ToolPointer& tool = found->second;
  const bool has_tasks = HasTasks(*session);
  const Json* const task = message.params.Find("task");
  const bool as_task = has_tasks && task != nullptr;
  if (as_task && tool->task_support == TaskSupport::kForbidden) {
    request->Fail({.code = kMethodNotFound,
                   .message = "Tool " + *name + " does not support task-augmented execution"});
    return;
  }
  if (!as_task && tool->task_support == TaskSupport::kRequired) {
    request->Fail({.code = kMethodNotFound,
                   .message = "Tool " + *name + " requires task-augmented execution"});
    return;
  }
  const Json* const given = message.params.Find("arguments");
  Json arguments = given == nullptr || given->is_null() ? Json(JsonObject()) : *given;
  if (!arguments.Is<JsonObject>() || (as_task && !task->Is<JsonObject>())) {
    request->Fail({.code = kInvalidParams, .message = "arguments and task must be objects"});
    return;
  }
  if (const std::string problem = ProblemWith(arguments, tool->input_schema, "arguments");
      !problem.empty()) {
    RefuseArguments(*session, problem, as_task, *request);
    return;
  }
  if (pool_.IsFullFor(session->owner().id)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
    return;
  }
  Json token = MetaOf(message, "progressToken");
  if (as_task) {
    CallAsTask(session, tool, message, std::move(arguments), std::move(token), request);
  } else {
    CallNow(session, tool, std::move(arguments), std::move(token), request);
  }
}

void Core::CallNow(const SessionPointer& session, const ToolPointer& tool, Json arguments,
                   Json token, const RequestPointer& request) {
  const auto call = std::make_shared<DirectCall>(*this, tool, session, request,
                                                 std::move(arguments), std::move(token));
  if (!call->Enqueue(/*urgent=*/false)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
  }
}

void Core::CallAsTask(const SessionPointer& session, const ToolPointer& tool,
                      const Message& message, Json arguments, Json token,
                      const RequestPointer& request) {
  const auto ttl = TtlOf(*message.params.Find("task"));
  if (!ttl) {
    request->Fail(ttl.error());
    return;
  }
  auto run = std::make_shared<TaskRun>();
  run->owner = session->owner().id;
  run->worker = process_ + "/" + options_.random->Uuid();
  run->tool = tool;
  run->capabilities = session->capabilities();
  run->arguments = std::move(arguments);
  run->session = session;
  run->progress_token = std::move(token);
  tasks::CreateTaskInput input{
      .method = "tools/call",
      .ttl_ms = *ttl,
      .tool_name = tool->name,
      .arguments = run->arguments,
      .created_by = session->id(),
      .restartable = tool->restartable,
      .context = JsonObject{{std::string(kClientContext), run->capabilities.json}},
      .lease = tasks::LeaseRequest{
          .worker = run->worker, .group = options_.group, .length = options_.lease}};
  if (const Json key = MetaOf(message, kIdempotencyKey); key.Is<std::string>()) {
    input.idempotency_key = *key.If<std::string>();
  }
  const tasks::TaskResult<tasks::TaskRecord> record = store_.Create(session->owner(), input);
  if (!record) {
    request->Fail(FaultOf(record.error()));
    return;
  }
  run->task = record->task.id;
  // A repeated call finds the task of the first, which runs already.
  const bool is_new = record->lease && record->lease->worker == run->worker;
  if (is_new) {
    AddRun(run);
  }
  request->Answer(JsonObject{{"task", tasks::ToJson(record->task)}});
  if (is_new) {
    StartRun(run);
  }
}

}  // namespace stator::mcp
