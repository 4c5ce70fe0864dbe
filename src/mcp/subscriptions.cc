// What changes, and who wants to know: lists, resources, tasks. Legacy clients hear of it on the
// stream of their session, modern ones on that of a subscriptions/listen.

#include <algorithm>
#include <utility>

#include "mcp/extension_task.h"
#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

constexpr Duration kTaskLook = std::chrono::seconds(1);

Json ForSubscription(std::string_view method, JsonObject params, const Json& id) {
  params.Set("_meta", JsonObject{{std::string(kSubscriptionKey), id}});
  return MakeNotification(method, std::move(params));
}

std::string_view MethodFor(ListKind kind) {
  switch (kind) {
    case ListKind::kTools:
      return "notifications/tools/list_changed";
    case ListKind::kPrompts:
      return "notifications/prompts/list_changed";
    case ListKind::kResources:
      break;
  }
  return "notifications/resources/list_changed";
}

bool IsTrue(const Json& filter, std::string_view name) {
  const Json* const flag = filter.Find(name);
  const bool* const value = flag == nullptr ? nullptr : flag->If<bool>();
  return value != nullptr && *value;
}

// Nothing when there is something else than texts.
std::optional<std::vector<std::string>> TextsOf(const Json& filter, std::string_view name) {
  std::vector<std::string> texts;
  const Json* const member = filter.Find(name);
  if (member == nullptr) {
    return texts;
  }
  const auto* const array = member->If<JsonArray>();
  if (array == nullptr) {
    return std::nullopt;
  }
  for (const Json& text : *array) {
    if (!text.Is<std::string>()) {
      return std::nullopt;
    }
    texts.push_back(*text.If<std::string>());
  }
  return texts;
}

JsonArray ToArray(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace

void ServerCore::AddTool(Tool tool) {
  std::string name = tool.name;
  catalog_.tools.Add(std::move(name), std::move(tool));
  ListChanged(ListKind::kTools);
}

void ServerCore::RemoveTool(std::string_view name) {
  if (catalog_.tools.Remove(name)) {
    ListChanged(ListKind::kTools);
  }
}

void ServerCore::AddPrompt(Prompt prompt) {
  std::string name = prompt.name;
  catalog_.prompts.Add(std::move(name), std::move(prompt));
  ListChanged(ListKind::kPrompts);
}

void ServerCore::RemovePrompt(std::string_view name) {
  if (catalog_.prompts.Remove(name)) {
    ListChanged(ListKind::kPrompts);
  }
}

void ServerCore::AddResource(Resource resource) {
  std::string uri = resource.uri;
  Shelf<Resource>& shelf = resource.is_template() ? catalog_.templates : catalog_.resources;
  shelf.Add(std::move(uri), std::move(resource));
  ListChanged(ListKind::kResources);
}

void ServerCore::RemoveResource(std::string_view uri) {
  if (catalog_.resources.Remove(uri) || catalog_.templates.Remove(uri)) {
    ListChanged(ListKind::kResources);
  }
}

std::vector<std::shared_ptr<Subscription>> ServerCore::Subscriptions() {
  const MutexLock lock(mutex_);
  return subscriptions_;
}

void ServerCore::ListChanged(ListKind kind) {
  if (!started_ || !options_.lists_change) {
    return;
  }
  std::vector<std::weak_ptr<Session>> sessions;
  {
    const MutexLock lock(mutex_);
    sessions = sessions_;
  }
  for (const std::weak_ptr<Session>& weak : sessions) {
    if (const SessionPointer session = weak.lock(); session && session->is_initialized()) {
      session->Notify(MakeNotification(MethodFor(kind), JsonObject()));
    }
  }
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    const bool wanted = kind == ListKind::kTools     ? subscription->tools
                        : kind == ListKind::kPrompts ? subscription->prompts
                                                     : subscription->resources;
    if (wanted) {
      OpenRequest& request = *subscription->request;
      request.stream()->Send(ForSubscription(MethodFor(kind), {}, request.id()));
    }
  }
}

void ServerCore::ResourceUpdated(const std::string& uri) {
  constexpr std::string_view kUpdated = "notifications/resources/updated";
  std::vector<std::weak_ptr<Session>> sessions;
  {
    const MutexLock lock(mutex_);
    sessions = sessions_;
  }
  for (const std::weak_ptr<Session>& weak : sessions) {
    if (const SessionPointer session = weak.lock(); session && session->IsSubscribed(uri)) {
      session->Notify(MakeNotification(kUpdated, JsonObject{{"uri", uri}}));
    }
  }
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    if (subscription->uris.contains(uri)) {
      OpenRequest& request = *subscription->request;
      request.stream()->Send(ForSubscription(kUpdated, {{"uri", uri}}, request.id()));
    }
  }
}

void ServerCore::SubscribeToResource(const SessionPointer& session, const Message& message,
                                     const RequestPointer& request) {
  const std::optional<std::string> uri = message.params.TextOf("uri");
  if (!uri) {
    request->Fail({.code = kInvalidParams, .message = "uri must be a text"});
    return;
  }
  session->Subscribe(*uri);
  request->Answer(JsonObject());
}

void ServerCore::UnsubscribeFromResource(const SessionPointer& session, const Message& message,
                                         const RequestPointer& request) {
  session->Unsubscribe(message.params.TextOf("uri").value_or(""));
  request->Answer(JsonObject());
}

// The first message says what is granted; the request stays open until somebody ends it.
void ServerCore::Listen(const SessionPointer& session, const Message& message,
                        const RequestPointer& request) {
  const Json* const filter = message.params.Find("notifications");
  const bool is_filter = filter != nullptr && filter->Is<JsonObject>();
  const auto uris = is_filter ? TextsOf(*filter, "resourceSubscriptions") : std::nullopt;
  const auto tasks = is_filter ? TextsOf(*filter, "taskIds") : std::nullopt;
  if (!uris || !tasks) {
    request->Fail({.code = kInvalidParams, .message = "notifications must say what is wanted"});
    return;
  }
  if (!tasks->empty() && !request->context().capabilities.tasks) {
    request->Fail(TasksNeeded());
    return;
  }
  const std::string& owner = request->context().owner.id;
  const auto subscription = std::make_shared<Subscription>();
  subscription->request = request;
  subscription->session = session->id();
  subscription->tools = options_.lists_change && IsTrue(*filter, "toolsListChanged");
  subscription->prompts = options_.lists_change && IsTrue(*filter, "promptsListChanged");
  subscription->resources = options_.lists_change && IsTrue(*filter, "resourcesListChanged");
  subscription->uris.insert(uris->begin(), uris->end());
  std::vector<std::string> known;
  for (const std::string& task : *tasks) {
    if (store_.Poll(owner, task)) {
      known.push_back(task);
      const MutexLock lock(subscription->mutex);
      subscription->tasks.emplace(task, "");
    }
  }
  JsonObject granted;
  for (const auto& [name, is_granted] : {std::pair("toolsListChanged", subscription->tools),
                                         {"promptsListChanged", subscription->prompts},
                                         {"resourcesListChanged", subscription->resources}}) {
    if (is_granted) {
      granted.Set(name, true);
    }
  }
  if (!uris->empty()) {
    granted.Set("resourceSubscriptions", ToArray(*uris));
  }
  if (!known.empty()) {
    granted.Set("taskIds", ToArray(known));
  }
  bool too_many = false;
  {
    const MutexLock lock(mutex_);
    too_many = subscriptions_.size() >= options_.subscriptions_max;
    if (!too_many) {
      request->stream()->Send(ForSubscription("notifications/subscriptions/acknowledged",
                                              {{"notifications", std::move(granted)}},
                                              request->id()));
      subscriptions_.push_back(subscription);
    }
  }
  if (too_many) {
    request->Fail({.code = kInternalError, .message = "too many subscriptions; try again later"});
    return;
  }
  followed_.NotifyOne();
  for (const std::string& task : known) {
    TellTask(*subscription, owner, task);
  }
}

// Once per state. A task that works when it is subscribed to is no news.
void ServerCore::TellTask(Subscription& subscription, const std::string& owner,
                          const std::string& task) {
  OpenRequest& request = *subscription.request;
  if (request.context().owner.id != owner) {
    return;
  }
  const MutexLock lock(subscription.mutex);
  const auto found = subscription.tasks.find(task);
  if (found == subscription.tasks.end()) {
    return;
  }
  const auto record = store_.Get(owner, task);
  if (!record) {
    return;
  }
  JsonObject shown = ExtensionTask(*record);
  std::string text = Json(shown).ToText();
  const bool is_first = found->second.empty();
  if (std::exchange(found->second, text) == text ||
      (is_first && record->task.status == tasks::TaskStatus::kWorking)) {
    return;
  }
  Note(TaskEvent::kRead, owner, task, "client " + subscription.session, "notifications/tasks");
  request.stream()->Send(ForSubscription("notifications/tasks", std::move(shown), request.id()));
}

// Other processes change tasks, too; clients go away.
void ServerCore::LookAfterSubscriptions() {
  const Duration now = options_.clock->Elapsed();
  {
    const MutexLock lock(mutex_);
    std::erase_if(subscriptions_, [](const auto& one) {
      return one->request->IsCancelled() || one->request->IsDone();
    });
    if (now < next_task_look_) {
      return;
    }
    next_task_look_ = now + kTaskLook;
  }
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    std::vector<std::string> tasks;
    {
      const MutexLock lock(subscription->mutex);
      for (const auto& [task, said] : subscription->tasks) {
        tasks.push_back(task);
      }
    }
    for (const std::string& task : tasks) {
      TellTask(*subscription, subscription->request->context().owner.id, task);
    }
  }
}

void ServerCore::EndSubscriptions() {
  for (const std::shared_ptr<Subscription>& subscription : Subscriptions()) {
    OpenRequest& request = *subscription->request;
    request.Answer(
        JsonObject{{"_meta", JsonObject{{std::string(kSubscriptionKey), request.id()}}}});
  }
  const MutexLock lock(mutex_);
  subscriptions_.clear();
}

}  // namespace stator::mcp
