// tasks/get, tasks/list, tasks/cancel, and tasks/result, which waits.

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

constexpr Duration kFirstDelay = std::chrono::milliseconds(500);
constexpr std::string_view kVariables = "stator/variables";

void AnswerWith(const tasks::TaskOutcome& outcome, OpenRequest& request) {
  if (outcome.error) {
    request.Fail(*outcome.error);
  } else if (outcome.result->Is<JsonObject>()) {
    request.Answer(WithRelatedTask(*outcome.result, outcome.task.id));
  } else {
    // A result of another kind is none of tools/call; it came in by another door.
    request.Answer(WithRelatedTask(
        JsonObject{{"content", JsonArray()}, {"structuredContent", *outcome.result}},
        outcome.task.id));
  }
}

bool CanPut(const tasks::InputRequest& input, const ClientCapabilities& capabilities) {
  if (input.method == MethodOf(QuestionKind::kSampling)) {
    return capabilities.sampling;
  }
  if (input.method == MethodOf(QuestionKind::kRoots)) {
    return capabilities.roots;
  }
  return input.params.TextOf("mode") == "url" ? capabilities.url : capabilities.form;
}

}  // namespace

// Other members are passed over: clients repeat the options of the first call in every poll.
std::optional<std::string> TaskIdOf(const Message& message, OpenRequest& request) {
  std::optional<std::string> id = message.params.TextOf("taskId");
  if (!id) {
    request.Fail({.code = kInvalidParams, .message = "taskId must be a text"});
  }
  return id;
}

void ServerCore::GetTask(const SessionPointer& session, const Message& message,
                         const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  if (!options_.shows_variables) {
    const Result<tasks::Task> task = store_.Poll(session->owner().id, *id);
    if (!task) {
      request->Fail(FaultOf(task.error()));
      return;
    }
    Note(TaskEvent::kRead, session->owner().id, *id, ByClient(*session), message.method);
    request->Answer(tasks::ToJson(*task));
    return;
  }
  const Result<tasks::TaskRecord> record = store_.Get(session->owner().id, *id);
  if (!record) {
    request->Fail(FaultOf(record.error()));
    return;
  }
  JsonObject json = tasks::ToJson(record->task);
  if (!record->variables.empty()) {
    JsonObject meta = record->task.meta && record->task.meta->Is<JsonObject>()
                          ? *record->task.meta->If<JsonObject>()
                          : JsonObject();
    meta.Set(kVariables, record->variables);
    json.Set("_meta", std::move(meta));
  }
  Note(TaskEvent::kRead, session->owner().id, *id, ByClient(*session), message.method);
  request->Answer(std::move(json));
}

void ServerCore::ListTasks(const SessionPointer& session, const Message& message,
                           const RequestPointer& request) {
  std::optional<std::string> cursor;
  if (message.params.Find("cursor") != nullptr) {
    cursor = message.params.TextOf("cursor");
    if (!cursor) {
      request->Fail({.code = kInvalidParams, .message = "cursor must be a text"});
      return;
    }
  }
  const Result<tasks::TaskPage> page = store_.List(session->owner().id, cursor);
  if (!page) {
    request->Fail(FaultOf(page.error()));
    return;
  }
  JsonArray list;
  for (const tasks::Task& task : page->tasks) {
    list.push_back(tasks::ToJson(task));
  }
  JsonObject result{{"tasks", std::move(list)}};
  if (page->next_cursor) {
    result.Set("nextCursor", *page->next_cursor);
  }
  Note(TaskEvent::kListed, session->owner().id, "", ByClient(*session));
  request->Answer(std::move(result));
}

void ServerCore::CancelTask(const SessionPointer& session, const Message& message,
                            const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  const std::string& owner = session->owner().id;
  std::weak_ptr<Session> creator = session;
  const Result<tasks::TaskRecord> cancelled = CancelRun(owner, *id, creator);
  if (!cancelled) {
    tasks::TaskFault fault = FaultOf(cancelled.error());
    if (cancelled.error().code == ErrorCode::kIllegalTransition) {
      fault.message = "Cannot cancel task: already in terminal status '" +
                      std::string(tasks::NameOf(*tasks::FactsOf(cancelled.error()).from)) + "'";
    }
    request->Fail(fault);
    return;
  }
  Note(TaskEvent::kCancelled, owner, *id, ByClient(*session));
  request->Answer(tasks::ToJson(cancelled->task));
  NotifyStatus(creator, cancelled->task);
  TaskChanged(owner, *id);
}

Result<tasks::TaskRecord> ServerCore::CancelRun(const std::string& owner, const std::string& task,
                                                std::weak_ptr<Session>& creator) {
  Result<tasks::TaskRecord> cancelled = store_.Cancel(owner, task);
  const MutexLock lock(mutex_);
  if (const auto run = runs_.find({owner, task}); cancelled && run != runs_.end()) {
    run->second->cancelled = true;
    creator = run->second->session;
  }
  return cancelled;
}

void ServerCore::AwaitResult(const SessionPointer& session, const Message& message,
                             const RequestPointer& request) {
  const std::optional<std::string> id = TaskIdOf(message, *request);
  if (!id) {
    return;
  }
  const auto waiter = std::make_shared<Waiter>();
  waiter->owner = session->owner().id;
  waiter->task = *id;
  waiter->session = session;
  waiter->request = request;
  waiter->delay = kFirstDelay;
  waiter->next_look = options_.clock->Elapsed() + kFirstDelay;
  bool too_many = false;
  {
    // Before the first look, so that no change is missed between the two.
    const MutexLock lock(mutex_);
    too_many = waiters_.size() >= options_.waiting_max;
    if (!too_many) {
      waiters_.push_back(waiter);
    }
  }
  if (too_many) {
    request->Fail({.code = kInternalError, .message = "too many requests wait; try again later"});
    return;
  }
  followed_.NotifyOne();
  Look(waiter);
}

bool ServerCore::Look(const std::shared_ptr<Waiter>& waiter) {
  OpenRequest& request = *waiter->request;
  bool waits = !request.IsCancelled() && !request.IsDone();
  if (waits) {
    const Result<tasks::Task> task = store_.Poll(waiter->owner, waiter->task);
    if (!task) {
      request.Fail(FaultOf(task.error()));
      waits = false;
    } else if (tasks::IsTerminal(task->status)) {
      if (!TellOutcome(*waiter)) {
        return false;  // Somebody else is about to, and forgets the waiter then.
      }
      waits = false;
    } else if (task->status == TaskStatus::kInputRequired) {
      PutQuestions(waiter);
    }
  }
  if (!waits) {
    Forget(waiter);
  }
  return waits;
}

// Once, although several may look at the same time.
bool ServerCore::TellOutcome(Waiter& waiter) {
  {
    const MutexLock lock(waiter.mutex);
    if (std::exchange(waiter.is_told, true)) {
      return false;
    }
  }
  const auto outcome = store_.GetResult(waiter.owner, waiter.task);
  if (!outcome) {
    waiter.request->Fail(FaultOf(outcome.error()));
    return true;
  }
  Note(TaskEvent::kRead, waiter.owner, waiter.task, ByClient(*waiter.session), "tasks/result");
  AnswerWith(*outcome, *waiter.request);
  return true;
}

void ServerCore::Forget(const std::shared_ptr<Waiter>& waiter) {
  waiter->request->Cancel();
  {
    const MutexLock lock(waiter->mutex);
    for (const std::int64_t question : waiter->questions) {
      waiter->session->Withdraw(question);
    }
  }
  const MutexLock lock(mutex_);
  std::erase(waiters_, waiter);
}

// Passes the questions that the task waits for on to the client that waits for the task.
void ServerCore::PutQuestions(const std::shared_ptr<Waiter>& waiter) {
  const auto record = store_.Get(waiter->owner, waiter->task);
  if (!record) {
    return;
  }
  const ClientCapabilities capabilities = waiter->session->capabilities();
  for (const tasks::InputRequest& input : record->inputs) {
    if (!input.answer && CanPut(input, capabilities)) {
      PutQuestion(waiter, input);
    }
  }
}

void ServerCore::PutQuestion(const std::shared_ptr<Waiter>& waiter,
                             const tasks::InputRequest& input) {
  {
    const MutexLock lock(waiter->mutex);
    if (!waiter->asked.insert(input.id).second) {
      return;
    }
  }
  const auto answered = [this, waiter, id = input.id](Session::Reply reply) {
    if (!reply && reply.error().code == kNoAnswer) {
      return;  // The question stays open; another client, or the same one later, is asked.
    }
    // A client that cannot show the question has, for the tool, a person who does not answer.
    Json answer = reply ? *std::move(reply) : Json(JsonObject{{"action", "cancel"}});
    const auto stored = store_.AnswerInput(waiter->owner, waiter->task, id, std::move(answer));
    if (stored) {
      Note(TaskEvent::kAnswered, waiter->owner, waiter->task, ByClient(*waiter->session), id);
      NotifyStatus(waiter->session, stored->task);
    }
    TaskChanged(waiter->owner, waiter->task);
  };
  Json params = input.params.Is<JsonObject>() ? input.params : Json(JsonObject());
  const std::int64_t number =
      waiter->session->Ask(*waiter->request->stream(), input.method,
                           WithRelatedTask(std::move(params), waiter->task), answered);
  const MutexLock lock(waiter->mutex);
  waiter->questions.push_back(number);
}

}  // namespace stator::mcp
