// tools/call: at once or as a task, as the generation of the request has it.

#include <cmath>
#include <utility>

#include "base/try.h"
#include "mcp/direct_call.h"
#include "mcp/extension_task.h"
#include "mcp/json_schema.h"
#include "mcp/server_core.h"
#include "mcp/work_desk.h"

namespace stator::mcp {
namespace {

// In _meta of tools/call: repeating a call with the same key gives the same task.
constexpr std::string_view kIdempotencyKey = "stator/idempotencyKey";

// In _meta of tools/call: the task begins so much later, or again and again.
constexpr std::string_view kDelay = "stator/delaySeconds";
constexpr double kDelaySecondsMax = 366 * 86'400.0;
constexpr std::string_view kSchedule = "stator/schedule";

bool BeginsLater(const Message& message) {
  return !MetaOf(message.params, kDelay).is_null() || !MetaOf(message.params, kSchedule).is_null();
}

Result<std::optional<tasks::LaterRequest>> LaterOf(const Message& message, std::string worker,
                                                   std::string group) {
  const Json delay = MetaOf(message.params, kDelay);
  const Json schedule = MetaOf(message.params, kSchedule);
  if (delay.is_null() && schedule.is_null()) {
    return std::nullopt;
  }
  if (!delay.is_null() && !schedule.is_null()) {
    return Invalid("a call has a delay or a schedule, not both");
  }
  tasks::LaterRequest later{.worker = std::move(worker), .group = std::move(group)};
  if (!schedule.is_null()) {
    later.schedule = TRY(tasks::Schedule::FromJson(schedule));
    return later;
  }
  const double seconds = delay.ToDouble().value_or(-1);
  if (!(seconds >= 0 && seconds <= kDelaySecondsMax)) {
    return Invalid(std::string(kDelay) + " must be a number of seconds, at most 366 days");
  }
  later.delay = std::chrono::milliseconds(std::llround(seconds * 1000));
  return later;
}

tasks::TaskFault OnlyTasksBeginLater() {
  return {.code = kInvalidParams,
          .message = "a call that begins later has to be a task; this one is none"};
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
void RefuseArguments(const RequestContext& context, const std::string& problem, bool as_task,
                     OpenRequest& request) {
  if (as_task || context.version < "2025-11-25") {
    request.Fail({.code = kInvalidParams, .message = "Invalid arguments: " + problem});
  } else {
    request.Answer(*ErrorResult("Invalid arguments: " + problem));
  }
}

// Questions that were answered before the task began, or those that were not.
struct FirstQuestions {
  std::vector<tasks::InputRequest> answered = {};
  std::vector<Question> open = {};
  std::string problem = {};
};

FirstQuestions AskFirst(const Tool& tool, const Json& arguments, const UnfinishedCall& unfinished) {
  FirstQuestions first;
  if (!tool.ask_first) {
    return first;
  }
  std::size_t number = 0;
  for (Question& question : tool.ask_first(arguments)) {
    if (question.key.empty()) {
      question.key = "q" + std::to_string(number);
    }
    ++number;
    const auto answer = unfinished.answers.find(question.key);
    if (answer == unfinished.answers.end()) {
      first.open.push_back(std::move(question));
      continue;
    }
    first.problem = ProblemWithAnswer(MethodOf(question.kind), answer->second);
    first.answered.push_back({.id = question.key,
                              .method = std::string(MethodOf(question.kind)),
                              .params = question.params,
                              .answer = answer->second});
  }
  return first;
}

}  // namespace

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

Json LogNotification(LogLevel level, const std::string& logger, Json data) {
  return MakeNotification(
      "notifications/message",
      JsonObject{{"level", NameOf(level)}, {"logger", logger}, {"data", std::move(data)}});
}

std::vector<std::string> ServerCore::ScopesFor(const Json& message) const {
  const Json* const params = message.Find("params");
  if (message.TextOf("method") != "tools/call" || params == nullptr) {
    return {};
  }
  const ToolPointer tool = catalog_.tools.Find(params->TextOf("name").value_or(""));
  return tool ? tool->scopes : std::vector<std::string>();
}

// In this order: the tool exists, it supports what is asked, the arguments fit, a task is stored,
// the client is answered, the tool runs.
void ServerCore::CallTool(const SessionPointer& session, const Message& message,
                          const RequestPointer& request) {
  const std::optional<std::string> name = message.params.TextOf("name");
  if (!name) {
    request->Fail({.code = kInvalidParams, .message = "name must be a text"});
    return;
  }
  const ToolPointer tool = catalog_.tools.Find(*name);
  if (!tool) {
    request->Fail({.code = kInvalidParams, .message = "Unknown tool: " + *name});
    return;
  }
  const Json* const given = message.params.Find("arguments");
  Json arguments = given == nullptr || given->is_null() ? Json(JsonObject()) : *given;
  if (request->context().is_modern) {
    CallModern(session, tool, message, std::move(arguments), request);
  } else {
    CallLegacy(session, tool, message, std::move(arguments), request);
  }
}

void ServerCore::CallLegacy(const SessionPointer& session, const ToolPointer& tool,
                            const Message& message, Json arguments, const RequestPointer& request) {
  const Json* const task = message.params.Find("task");
  const bool as_task = HasTasks(session->owner()) && task != nullptr;
  if (as_task && tool->task_support == TaskSupport::kForbidden) {
    request->Fail({.code = kMethodNotFound,
                   .message = "Tool " + tool->name + " does not support task-augmented execution"});
    return;
  }
  if (!as_task && tool->task_support == TaskSupport::kRequired) {
    request->Fail({.code = kMethodNotFound,
                   .message = "Tool " + tool->name + " requires task-augmented execution"});
    return;
  }
  if (!as_task && BeginsLater(message)) {
    request->Fail(OnlyTasksBeginLater());
    return;
  }
  if (!arguments.Is<JsonObject>() || (as_task && !task->Is<JsonObject>())) {
    request->Fail({.code = kInvalidParams, .message = "arguments and task must be objects"});
    return;
  }
  if (const std::string problem = ProblemWith(arguments, tool->input_schema, "arguments");
      !problem.empty()) {
    RefuseArguments(request->context(), problem, as_task, *request);
    return;
  }
  if (pool_.IsFullFor(session->owner().id)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
    return;
  }
  if (!as_task) {
    CallNow(session, tool, std::move(arguments), {}, request);
    return;
  }
  const auto ttl = TtlOf(*task);
  if (!ttl) {
    request->Fail(ttl.error());
    return;
  }
  const auto record = CreateTask(session, tool, message, std::move(arguments),
                                 {.method = "tools/call", .ttl_ms = *ttl}, request);
  if (!record) {
    request->Fail(FaultOf(record.error()));
  }
}

// The server decides whether the call becomes a task, for clients that know what that is.
void ServerCore::CallModern(const SessionPointer& session, const ToolPointer& tool,
                            const Message& message, Json arguments, const RequestPointer& request) {
  const RequestContext& context = request->context();
  const bool as_task = tool->task_support != TaskSupport::kForbidden &&
                       context.capabilities.tasks && HasTasks(context.owner);
  if (!as_task && tool->task_support == TaskSupport::kRequired) {
    request->Fail(TasksNeeded());
    return;
  }
  if (!as_task && BeginsLater(message)) {
    request->Fail(OnlyTasksBeginLater());
    return;
  }
  if (!arguments.Is<JsonObject>()) {
    request->Fail({.code = kInvalidParams, .message = "arguments must be an object"});
    return;
  }
  if (const std::string problem = ProblemWith(arguments, tool->input_schema, "arguments");
      !problem.empty()) {
    RefuseArguments(context, problem, /*as_task=*/false, *request);
    return;
  }
  for (const QuestionKind kind : tool->needs) {
    if (!context.capabilities.CanAsk(kind)) {
      request->Fail(MissingCapability(CapabilityFor(kind)));
      return;
    }
  }
  auto unfinished = ReadUnfinished(message, context, sealer_, options_.clock->Now());
  if (!unfinished) {
    request->Fail(unfinished.error());
    return;
  }
  if (pool_.IsFullFor(context.owner.id)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
    return;
  }
  if (!as_task) {
    CallNow(session, tool, std::move(arguments), *std::move(unfinished), request);
    return;
  }
  FirstQuestions first = AskFirst(*tool, arguments, *unfinished);
  if (!first.problem.empty()) {
    request->Fail({.code = kInvalidParams, .message = "no answer: " + first.problem});
  } else if (!first.open.empty()) {
    request->Answer(InputRequired(*unfinished, first.open, context, sealer_,
                                  options_.clock->Now() + options_.state_time));
  } else if (const auto record =
                 CreateTask(session, tool, message, std::move(arguments),
                            {.method = "tools/call", .inputs = std::move(first.answered)}, request);
             !record) {
    request->Fail(FaultOf(record.error()));
  }
}

void ServerCore::CallNow(const SessionPointer& session, const ToolPointer& tool, Json arguments,
                         UnfinishedCall unfinished, const RequestPointer& request) {
  ++calls_count_;
  const auto call = std::make_shared<DirectCall>(*this, tool, session, request,
                                                 std::move(arguments), std::move(unfinished));
  if (!call->Enqueue(/*urgent=*/false)) {
    request->Fail({.code = kInternalError, .message = "the server is busy; try again later"});
  }
}

Result<tasks::TaskRecord> ServerCore::CreateTask(const SessionPointer& session,
                                                 const ToolPointer& tool, const Message& message,
                                                 Json arguments, tasks::CreateTaskInput input,
                                                 const RequestPointer& request) {
  const RequestContext& context = request->context();
  auto run = std::make_shared<TaskRun>();
  run->owner = context.owner.id;
  run->worker = process_ + "/" + options_.random->Uuid();
  run->tool = tool;
  run->capabilities = context.capabilities;
  run->arguments = std::move(arguments);
  if (!context.is_modern) {  // Clients of the extension poll or listen.
    run->session = session;
    run->progress_token = context.progress_token;
  }
  input.tool_name = tool->name;
  input.arguments = run->arguments;
  input.created_by = session->id();
  input.restartable = tool->restartable;
  const std::string group = tool->for_workers ? WorkGroup(tool->name) : options_.group;
  input.context = JsonObject{{std::string(kClientContext), run->capabilities.json},
                             {std::string(tasks::kGroupContext), group}};
  input.later = TRY(LaterOf(message, run->worker, options_.group));
  if (input.later && input.later->schedule) {
    input.context->If<JsonObject>()->Set(tasks::kGroupContext, options_.group);
  } else if (!input.later) {
    // Nobody else may have it before it is stored; should this process be lost, it is found then.
    input.lease =
        tasks::LeaseRequest{.worker = run->worker, .group = group, .length = options_.lease};
  }
  if (const Json key = MetaOf(message.params, kIdempotencyKey); key.Is<std::string>()) {
    input.idempotency_key = *key.If<std::string>();
  }
  Result<tasks::TaskRecord> record = store_.Create(context.owner, input);
  if (!record) {
    return record;
  }
  run->task = record->task.id;
  run->expires_at = record->expires_at;
  // A repeated call finds the task of the first, which runs already.
  const bool is_new = record->lease && record->lease->worker == run->worker;
  if (is_new) {
    Note(TaskEvent::kCreated, run->owner, run->task, ByClient(*session), tool->name);
  }
  const bool begins = is_new && !input.later;
  if (begins && !tool->for_workers) {
    AddRun(run);
  }
  if (context.is_modern) {
    JsonObject handle = ExtensionHandle(record->task);
    handle.Set("resultType", "task");
    request->Answer(std::move(handle));
  } else {
    request->Answer(JsonObject{{"task", tasks::ToJson(record->task)}});
  }
  if (begins && tool->for_workers) {
    OfferWork(*run);
  } else if (begins) {
    StartRun(run);
  }
  return record;
}

void ServerCore::OfferWork(const TaskRun& run) {
  if (const auto offered = store_.Release(run.owner, run.task, run.worker); !offered) {
    Log("task " + run.task + " waits until its lease lapses: " + offered.error().message);
  }
  ++work_count_;
}

}  // namespace stator::mcp
