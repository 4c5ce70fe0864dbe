#include "mcp/server_core.h"

#include <algorithm>
#include <utility>

namespace stator::mcp {
tasks::TaskFault FaultOf(const Error& error) {
  tasks::TaskFault fault{.code = tasks::JsonRpcCode(error.code), .message = error.message};
  if (error.code == ErrorCode::kLimitExceeded) {
    const tasks::TaskFacts& facts = tasks::FactsOf(error);
    fault.data = JsonObject{{"reason", "too many active tasks"},
                            {"limit", facts.limit},
                            {"hint", facts.hint.value_or("")}};
  }
  return fault;
}

ServerCore::ServerCore(McpServerOptions options, tasks::TaskStore& store)
    : options_(std::move(options)),
      store_(store),
      sealer_(options_.state_keys.empty()
                  ? std::vector{options_.random->Uuid() + options_.random->Uuid()}
                  : options_.state_keys),
      process_(options_.random->Uuid()),
      pool_({.running = options_.workers,
             .queued = options_.queue_max,
             .owner_running = options_.owner_workers_max,
             .waiting = options_.waiting_threads_max,
             .owner_waiting = options_.owner_waiting_threads_max}) {}

ServerCore::~ServerCore() {
  Stop();
}

void ServerCore::Start() {
  started_ = true;
  pool_.Start();
  housekeeper_ = std::thread([this] { Housekeep(); });
  watcher_ = std::thread([this] { Watch(); });
  follower_ = std::thread([this] { FollowChanges(); });
}

void ServerCore::Log(const std::string& line) const {
  if (options_.log) {
    options_.log(line);
  }
}

std::shared_ptr<Session> ServerCore::OpenSession(tasks::Owner owner) {
  auto session = OpenExchange(std::move(owner));
  const MutexLock lock(mutex_);
  std::erase_if(sessions_, [](const auto& weak) { return weak.expired(); });
  sessions_.push_back(session);
  return session;
}

std::shared_ptr<Session> ServerCore::OpenExchange(tasks::Owner owner) {
  return std::make_shared<Session>(options_.random->Uuid(), std::move(owner));
}

void ServerCore::CloseSession(const std::shared_ptr<Session>& session) {
  session->Close();
  const MutexLock lock(mutex_);
  std::erase_if(waiters_, [&](const auto& waiter) { return waiter->session == session; });
}

void ServerCore::Receive(const std::shared_ptr<Session>& session, const Json& json,
                         const std::shared_ptr<Stream>& stream) {
  const Message message = ParseMessage(json);
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

void ServerCore::TakeNotification(const SessionPointer& session, const Message& message) {
  if (message.method == "notifications/cancelled") {
    // For requests only: a task is cancelled by tasks/cancel.
    if (const Json* const id = message.params.Find("requestId")) {
      session->CancelRequest(*id);
    }
  }
}

// A request says by itself which generation it is of; a client that has spoken the modern one does
// not go back to the handshake.
void ServerCore::TakeRequest(const SessionPointer& session, const Message& message,
                             const std::shared_ptr<Stream>& stream) {
  const auto refuse = [&](const tasks::TaskFault& fault) {
    stream->Send(MakeError(message.id, fault));
    stream->Finish();
  };
  const bool is_modern = ClaimsModern(message);
  if (is_modern) {
    if (const std::optional<Refusal> refusal = CheckModern(message, nullptr, session->owner())) {
      refuse(refusal->fault);
      return;
    }
    if (message.method != "server/discover" && !session->is_initialized()) {
      session->PinModern();
    }
  } else if (session->is_modern() && message.method == "initialize") {
    refuse(UnsupportedVersion(message.params.TextOf("protocolVersion").value_or("")));
    return;
  }
  RequestContext context =
      is_modern ? ModernContext(message, session->owner()) : session->Context();
  if (!is_modern) {
    context.progress_token = MetaOf(message.params, "progressToken");
  }
  const RequestPointer request = session->Begin(message.id, stream, std::move(context));
  if (!request) {
    refuse({.code = kInvalidRequest, .message = "a request with this id is open"});
    return;
  }
  const Method* const method = FindMethod(message.method);
  const Handler handler = method == nullptr ? nullptr : is_modern ? method->modern : method->legacy;
  if (handler == nullptr || !Offers(*method, session->owner())) {
    request->Fail(MethodNotFound(message.method));
    return;
  }
  (this->*handler)(session, message, request);
}

void ServerCore::TaskChanged(const std::string& owner, const std::string& task) {
  std::vector<std::shared_ptr<Waiter>> concerned;
  std::shared_ptr<RunningCall> call;
  {
    const MutexLock lock(mutex_);
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
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    TellTask(*subscription, owner, task);
  }
  for (const std::shared_ptr<Waiter>& waiter : concerned) {
    Look(waiter);
  }
}

void ServerCore::NotifyStatus(const std::weak_ptr<Session>& session, const tasks::Task& task) {
  if (const std::shared_ptr<Session> there = session.lock()) {
    there->Notify(MakeNotification("notifications/tasks/status", tasks::ToJson(task)));
  }
}

void ServerCore::SendProgress(const TaskRun& run, const Json& notification) {
  const std::shared_ptr<Session> session = run.session.lock();
  if (!session || session->Notify(notification)) {
    return;
  }
  std::shared_ptr<Stream> stream;
  {
    const MutexLock lock(mutex_);
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
    : core_(std::make_unique<ServerCore>(std::move(options), store)) {}

McpServer::~McpServer() = default;

void McpServer::AddTool(Tool tool) {
  core_->AddTool(std::move(tool));
}

void McpServer::RemoveTool(std::string_view name) {
  core_->RemoveTool(name);
}

void McpServer::AddPrompt(Prompt prompt) {
  core_->AddPrompt(std::move(prompt));
}

void McpServer::RemovePrompt(std::string_view name) {
  core_->RemovePrompt(name);
}

void McpServer::AddResource(Resource resource) {
  core_->AddResource(std::move(resource));
}

void McpServer::RemoveResource(std::string_view uri) {
  core_->RemoveResource(uri);
}

void McpServer::ResourceUpdated(const std::string& uri) {
  core_->ResourceUpdated(uri);
}

std::shared_ptr<Session> McpServer::OpenExchange(tasks::Owner owner) {
  return core_->OpenExchange(std::move(owner));
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
