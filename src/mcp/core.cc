#include "mcp/core.h"

#include <algorithm>
#include <utility>

namespace stator::mcp {
tasks::TaskFault FaultOf(const tasks::TaskError& error) {
  tasks::TaskFault fault{.code = error.JsonRpcCode(), .message = error.ToText()};
  if (error.kind == tasks::TaskErrorKind::kResourceExhausted) {
    fault.data = JsonObject{{"reason", "too many active tasks"},
                            {"limit", error.limit},
                            {"hint", error.hint.value_or("")}};
  }
  return fault;
}

Core::Core(McpServerOptions options, tasks::TaskStore& store)
    : options_(std::move(options)),
      store_(store),
      process_(options_.random->Uuid()),
      pool_({.running = options_.workers,
             .queued = options_.queue_max,
             .owner_running = options_.owner_workers_max,
             .waiting = options_.waiting_threads_max,
             .owner_waiting = options_.owner_waiting_threads_max}) {}

Core::~Core() {
  Stop();
}

void Core::AddTool(Tool tool) {
  std::string name = tool.name;
  tools_.insert_or_assign(std::move(name), std::make_shared<const Tool>(std::move(tool)));
}

void Core::Start() {
  pool_.Start();
  housekeeper_ = std::thread([this] { Housekeep(); });
  watcher_ = std::thread([this] { Watch(); });
}

void Core::Log(const std::string& line) const {
  if (options_.log) {
    options_.log(line);
  }
}

std::shared_ptr<Session> Core::OpenSession(tasks::Owner owner) {
  return std::make_shared<Session>(options_.random->Uuid(), std::move(owner));
}

void Core::CloseSession(const std::shared_ptr<Session>& session) {
  session->Close();
  const std::scoped_lock lock(mutex_);
  std::erase_if(waiters_, [&](const auto& waiter) { return waiter->session == session; });
}

bool Core::HasTasks(const Session& session) const {
  return !session.owner().is_anonymous || store_.options().allow_anonymous;
}

void Core::Receive(const std::shared_ptr<Session>& session, const Json& json,
                   const std::shared_ptr<Stream>& stream) {
  const Message message = TakeApart(json);
  switch (message.kind) {
    case MessageKind::kRequest:
      TakeRequest(session, message, stream);
      return;
    case MessageKind::kNotification:
      TakeNotification(session, message);
      break;
    case MessageKind::kResponse:
      session->TakeReply(message);
      break;
    case MessageKind::kInvalid:
      stream->Send(MakeError(message.id, {.code = kInvalidRequest, .message = message.problem}));
      break;
  }
  stream->Finish();
}

void Core::TakeNotification(const SessionPointer& session, const Message& message) {
  if (message.method == "notifications/cancelled") {
    // For requests only: a task is cancelled by tasks/cancel.
    if (const Json* const id = message.params.Find("requestId")) {
      session->CancelRequest(*id);
    }
  }
}

void Core::TakeRequest(const SessionPointer& session, const Message& message,
                       const std::shared_ptr<Stream>& stream) {
  const RequestPointer request = session->Begin(message.id, stream);
  if (!request) {
    stream->Send(MakeError(message.id,
                           {.code = kInvalidRequest, .message = "a request with this id is open"}));
    stream->Finish();
    return;
  }
  const std::string& method = message.method;
  const bool has_tasks = HasTasks(*session);
  if (method == "initialize") {
    Initialize(session, message, *request);
  } else if (method == "ping") {
    request->Answer(JsonObject());
  } else if (method == "tools/list") {
    ListTools(message, *request);
  } else if (method == "tools/call") {
    CallTool(session, message, request);
  } else if (method == "tasks/get" && has_tasks) {
    GetTask(session, message, *request);
  } else if (method == "tasks/list" && has_tasks) {
    ListTasks(session, message, *request);
  } else if (method == "tasks/cancel" && has_tasks) {
    CancelTask(session, message, *request);
  } else if (method == "tasks/result" && has_tasks) {
    AwaitResult(session, message, request);
  } else {
    request->Fail({.code = kMethodNotFound, .message = "Method not found: " + method});
  }
}

void Core::Initialize(const SessionPointer& session, const Message& message, OpenRequest& request) {
  const std::optional<std::string> asked = message.params.TextOf("protocolVersion");
  if (!asked) {
    request.Fail({.code = kInvalidParams, .message = "protocolVersion must be a text"});
    return;
  }
  if (const Json* const capabilities = message.params.Find("capabilities")) {
    session->SetCapabilities(*capabilities);
  }
  JsonObject capabilities{{"tools", JsonObject()}};
  if (HasTasks(*session)) {
    capabilities.Set(
        "tasks",
        JsonObject{{"list", JsonObject()},
                   {"cancel", JsonObject()},
                   {"requests", JsonObject{{"tools", JsonObject{{"call", JsonObject()}}}}}});
  }
  const std::string_view version =
      IsProtocolVersion(*asked) ? std::string_view(*asked) : kProtocolVersions.front();
  session->SetProtocolVersion(version);
  JsonObject result{
      {"protocolVersion", version},
      {"capabilities", std::move(capabilities)},
      {"serverInfo", JsonObject{{"name", options_.name}, {"version", options_.version}}}};
  if (options_.instructions) {
    result.Set("instructions", *options_.instructions);
  }
  request.Answer(std::move(result));
}

void Core::TaskChanged(const std::string& owner, const std::string& task) {
  std::vector<std::shared_ptr<Waiter>> concerned;
  std::shared_ptr<RunningCall> call;
  {
    const std::scoped_lock lock(mutex_);
    std::ranges::copy_if(waiters_, std::back_inserter(concerned), [&](const auto& waiter) {
      return waiter->owner == owner && waiter->task == task;
    });
    if (const auto run = runs_.find({owner, task}); run != runs_.end()) {
      call = run->second->call.lock();
    }
  }
  if (call) {
    call->Look(/*news=*/true);
  }
  for (const std::shared_ptr<Waiter>& waiter : concerned) {
    Look(waiter);
  }
}

void Core::NotifyStatus(const std::weak_ptr<Session>& session, const tasks::Task& task) {
  if (const std::shared_ptr<Session> there = session.lock()) {
    there->Notify(MakeNotification("notifications/tasks/status", tasks::ToJson(task)));
  }
}

void Core::SendProgress(const TaskRun& run, const Json& notification) {
  const std::shared_ptr<Session> session = run.session.lock();
  if (!session || session->Notify(notification)) {
    return;
  }
  std::shared_ptr<Stream> stream;
  {
    const std::scoped_lock lock(mutex_);
    for (const std::shared_ptr<Waiter>& waiter : waiters_) {
      if (waiter->session == session && waiter->task == run.task) {
        stream = waiter->request->stream();
      }
    }
  }
  if (stream) {
    stream->Send(notification);
  }
}

McpServer::McpServer(McpServerOptions options, tasks::TaskStore& store)
    : core_(std::make_unique<Core>(std::move(options), store)) {}

McpServer::~McpServer() = default;

void McpServer::AddTool(Tool tool) {
  core_->AddTool(std::move(tool));
}

void McpServer::Start() {
  core_->Start();
}

void McpServer::Stop() {
  core_->Stop();
}

std::shared_ptr<Session> McpServer::OpenSession(tasks::Owner owner) {
  return core_->OpenSession(std::move(owner));
}

void McpServer::CloseSession(const std::shared_ptr<Session>& session) {
  core_->CloseSession(session);
}

void McpServer::Attach(const std::shared_ptr<Session>& session, std::shared_ptr<Stream> stream) {
  session->Attach(std::move(stream));
}

void McpServer::ReceiveText(const std::shared_ptr<Session>& session, std::string_view text,
                            const std::shared_ptr<Stream>& stream) {
  const Result<Json> json = Json::Parse(text);
  if (!json) {
    stream->Send(MakeError(nullptr, {.code = kParseError, .message = json.error().message}));
    stream->Finish();
    return;
  }
  core_->Receive(session, *json, stream);
}

void McpServer::Receive(const std::shared_ptr<Session>& session, const Json& message,
                        const std::shared_ptr<Stream>& stream) {
  core_->Receive(session, message, stream);
}

bool McpServer::IsBusy(const std::shared_ptr<Session>& session) const {
  return session->IsBusy();
}

}  // namespace stator::mcp
