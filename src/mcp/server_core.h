// What is behind McpServer: the methods, the runs of tasks, and who waits for their results.
//
// INVARIANTS
//
//   (1) A task is in the store, with a lease of this process, before its client hears of it and
//       before its tool runs.
//   (2) A run is in runs_ for as long as its tool may run, and its lease is renewed for that long.
//       While it waits for answers it has none, and costs the store nothing; it goes on only when
//       the lease is its own again (GoOn).
//   (3) A request is answered once, or not at all when its client took it back.

#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mcp/catalog.h"
#include "mcp/running_call.h"
#include "mcp/seal.h"
#include "mcp/session.h"
#include "mcp/unfinished.h"
#include "mcp/worker_pool.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// A task whose tool this process runs, or will run.
struct TaskRun {
  std::string owner;
  std::string task;
  std::string worker;  // the name on the lease; one per run
  std::shared_ptr<const Tool> tool = nullptr;
  Json arguments;
  std::int64_t attempt = 1;
  std::weak_ptr<Session> session = {};   // of the client that began it
  Json progress_token = nullptr;         // null when there is none
  ClientCapabilities capabilities = {};  // of the call that began it
  std::optional<TimePoint> expires_at = std::nullopt;
  std::atomic<bool> cancelled = false;
  std::atomic<bool> parked = false;      // waits for answers, and so without a lease
  std::weak_ptr<RunningCall> call = {};  // protected by the mutex of the core
};

// A tasks/result that is not answered yet.
struct Waiter {
  std::string owner;
  std::string task;
  std::shared_ptr<Session> session;
  std::shared_ptr<OpenRequest> request;
  // Protected by the mutex of the core.
  Duration next_look = {};
  Duration delay = {};

  Mutex mutex = {};
  // The ids of the questions put to this client, and their numbers in the session.
  std::set<std::string> asked STATOR_GUARDED_BY(mutex) = {};
  std::vector<std::int64_t> questions STATOR_GUARDED_BY(mutex) = {};
  bool is_told STATOR_GUARDED_BY(mutex) = false;
};

// Who listens to what, on the stream of a subscriptions/listen (2026-07-28).
struct Subscription {
  std::shared_ptr<OpenRequest> request;
  std::string session = {};  // its id
  bool tools = false;
  bool prompts = false;
  bool resources = false;
  std::set<std::string> uris = {};
  Mutex mutex = {};
  std::map<std::string, std::string> tasks
      STATOR_GUARDED_BY(mutex) = {};  // ids, what was last said
};

// Parts of the protocol that a server has or has not.
enum class Feature : std::uint8_t {
  kAlways,
  kPrompts,
  kResources,
  kCompletions,
  kLogging,
  kListen,
  kTasks
};

enum class ListKind : std::uint8_t { kTools, kPrompts, kResources };

// Why a modern request is not taken, with the status that HTTP has for it.
struct Refusal {
  int status = 400;
  tasks::TaskFault fault;
};

// The values of a header; of every one of that name.
using HeaderLookup = std::function<std::vector<std::string>(const std::string& name)>;

// Whether the request says that it is of 2026-07-28 or later.
bool ClaimsModern(const Message& message);

class ServerCore {
 public:
  ServerCore(McpServerOptions options, tasks::TaskStore& store);
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;
  ~ServerCore();

  void AddTool(Tool tool);
  void RemoveTool(std::string_view name);
  void AddPrompt(Prompt prompt);
  void RemovePrompt(std::string_view name);
  void AddResource(Resource resource);
  void RemoveResource(std::string_view uri);
  void ResourceUpdated(const std::string& uri);
  void Start();
  void Stop();
  std::shared_ptr<Session> OpenSession(tasks::Owner owner);
  std::shared_ptr<Session> OpenExchange(tasks::Owner owner);
  void CloseSession(const std::shared_ptr<Session>& session);
  void Receive(const std::shared_ptr<Session>& session, const Json& message,
               const std::shared_ptr<Stream>& stream);
  // What is wrong with a modern request before its method is looked at. Without headers: on stdio.
  [[nodiscard]] std::optional<Refusal> CheckModern(const Message& message,
                                                   const HeaderLookup& headers,
                                                   const tasks::Owner& owner) const;

  // What a caller over HTTP must be allowed to send this message.
  [[nodiscard]] std::vector<std::string> ScopesFor(const Json& message) const;

  // Null when there is none.
  [[nodiscard]] std::shared_ptr<const Tool> FindTool(std::string_view name) const {
    return catalog_.tools.Find(name);
  }
  // Grows with every task that a worker may take.
  [[nodiscard]] std::uint64_t work_count() const { return work_count_; }

  // Tells the audit log, and counts; notes.cc. `by` is ByClient or one of the others.
  void Note(TaskEvent event, const std::string& owner, const std::string& task, std::string by,
            std::string detail = {});
  // Of a task that has ended, unless it was cancelled.
  void NoteEnd(const tasks::TaskRecord& record, std::string by, std::string why = {});
  [[nodiscard]] std::string ThisServer() const;
  [[nodiscard]] ServerStatistics Statistics();

  // For runs.
  [[nodiscard]] const McpServerOptions& options() const { return options_; }
  [[nodiscard]] tasks::TaskStore& store() { return store_; }
  [[nodiscard]] const Sealer& sealer() const { return sealer_; }
  [[nodiscard]] bool IsStopping() const { return stopping_; }
  // Something about the task has changed: whoever waits for it looks again.
  void TaskChanged(const std::string& owner, const std::string& task);
  void NotifyStatus(const std::weak_ptr<Session>& session, const tasks::Task& task);
  // To the session that began the task, or to whoever waits for its result.
  void SendProgress(const TaskRun& run, const Json& notification);
  [[nodiscard]] WorkerPool& pool() { return pool_; }
  // Calls that may wait are looked after until they are removed.
  void AddCall(const std::shared_ptr<RunningCall>& call);
  void RemoveCall(const std::shared_ptr<RunningCall>& call);
  void WakeWatcher();
  // The tool of the task returned; `abandoned` when it heard that nobody waits.
  void FinishRun(const std::shared_ptr<TaskRun>& run, const ToolResult& result, bool abandoned);
  // Takes the lease of a task that was answered, or that lapsed unnoticed. Cancels the run when the
  // task is not its own any more.
  void GoOn(TaskRun& run);
  // The task waits for answers, which may come to another process.
  void ParkRun(TaskRun& run);
  // The task was cancelled before its tool began.
  void DropRun(const std::shared_ptr<TaskRun>& run);

 private:
  using RequestPointer = std::shared_ptr<OpenRequest>;
  using SessionPointer = std::shared_ptr<Session>;
  using ToolPointer = std::shared_ptr<const Tool>;
  using Handler = void (ServerCore::*)(const SessionPointer&, const Message&,
                                       const RequestPointer&);

  // A method, the generations that have it, and what it is for.
  struct Method {
    std::string_view name;
    Handler legacy = nullptr;
    Handler modern = nullptr;
    Feature needs = Feature::kAlways;
    bool is_cacheable = false;
  };

  // The protocol; server_core.cc and methods.cc.
  static const Method* FindMethod(std::string_view name);
  [[nodiscard]] bool Offers(const Method& method, const tasks::Owner& owner) const;
  void TakeRequest(const SessionPointer& session, const Message& message,
                   const std::shared_ptr<Stream>& stream);
  void TakeNotification(const SessionPointer& session, const Message& message);
  [[nodiscard]] bool HasTasks(const tasks::Owner& owner) const;
  [[nodiscard]] bool HasCompletions() const;
  [[nodiscard]] JsonObject Capabilities(const RequestContext& context) const;
  [[nodiscard]] JsonObject ServerInfo() const;
  void Initialize(const SessionPointer& session, const Message& message,
                  const RequestPointer& request);
  void Ping(const SessionPointer& session, const Message& message, const RequestPointer& request);
  void SetLogLevel(const SessionPointer& session, const Message& message,
                   const RequestPointer& request);

  // 2026-07-28; modern.cc.
  [[nodiscard]] RequestContext ModernContext(const Message& message,
                                             const tasks::Owner& owner) const;
  [[nodiscard]] std::optional<Refusal> CheckParameterHeaders(const Message& message,
                                                             const HeaderLookup& headers) const;
  void Discover(const SessionPointer& session, const Message& message,
                const RequestPointer& request);

  // Lists; lists.cc.
  template <class T, class NameFunction>
  void AnswerPage(const Shelf<T>& shelf, std::string_view list, const NameFunction& name,
                  const Message& message, OpenRequest& request);
  void ListTools(const SessionPointer& session, const Message& message,
                 const RequestPointer& request);
  void ListPrompts(const SessionPointer& session, const Message& message,
                   const RequestPointer& request);
  void ListResources(const SessionPointer& session, const Message& message,
                     const RequestPointer& request);
  void ListTemplates(const SessionPointer& session, const Message& message,
                     const RequestPointer& request);

  // Prompts, resources, completion; reading.cc, completion.cc.
  void GetPrompt(const SessionPointer& session, const Message& message,
                 const RequestPointer& request);
  void ReadResource(const SessionPointer& session, const Message& message,
                    const RequestPointer& request);
  void RunFunction(const std::string& name, const ToolFunction& function, Json arguments,
                   const SessionPointer& session, const Message& message,
                   const RequestPointer& request);
  void Complete(const SessionPointer& session, const Message& message,
                const RequestPointer& request);

  // What changes; subscriptions.cc.
  void SubscribeToResource(const SessionPointer& session, const Message& message,
                           const RequestPointer& request);
  void UnsubscribeFromResource(const SessionPointer& session, const Message& message,
                               const RequestPointer& request);
  void Listen(const SessionPointer& session, const Message& message, const RequestPointer& request);
  void ListChanged(ListKind kind);
  void TellTask(Subscription& subscription, const std::string& owner, const std::string& task);
  void LookAfterSubscriptions();
  void EndSubscriptions();
  std::vector<std::shared_ptr<Subscription>> Subscriptions();

  // Tools; tool_methods.cc.
  void CallTool(const SessionPointer& session, const Message& message,
                const RequestPointer& request);
  void CallLegacy(const SessionPointer& session, const ToolPointer& tool, const Message& message,
                  Json arguments, const RequestPointer& request);
  void CallModern(const SessionPointer& session, const ToolPointer& tool, const Message& message,
                  Json arguments, const RequestPointer& request);
  void CallNow(const SessionPointer& session, const ToolPointer& tool, Json arguments,
               UnfinishedCall unfinished, const RequestPointer& request);
  // Stores the task and starts it. `ttl` and the questions that were answered before are the
  // caller's business.
  Result<tasks::TaskRecord> CreateTask(const SessionPointer& session, const ToolPointer& tool,
                                       const Message& message, Json arguments,
                                       tasks::CreateTaskInput input, const RequestPointer& request);

  // Tasks of 2025-11-25; task_methods.cc.
  void GetTask(const SessionPointer& session, const Message& message,
               const RequestPointer& request);
  void ListTasks(const SessionPointer& session, const Message& message,
                 const RequestPointer& request);
  void CancelTask(const SessionPointer& session, const Message& message,
                  const RequestPointer& request);
  void AwaitResult(const SessionPointer& session, const Message& message,
                   const RequestPointer& request);
  // Cancels in the store and tells the tool.
  Result<tasks::TaskRecord> CancelRun(const std::string& owner, const std::string& task,
                                      std::weak_ptr<Session>& creator);
  // Answers when the task has ended, passes its question on when it has one. False when the waiter
  // is done with.
  bool Look(const std::shared_ptr<Waiter>& waiter);
  // False when somebody else does.
  bool TellOutcome(Waiter& waiter);
  void PutQuestions(const std::shared_ptr<Waiter>& waiter);
  void PutQuestion(const std::shared_ptr<Waiter>& waiter, const tasks::InputRequest& input);
  void Forget(const std::shared_ptr<Waiter>& waiter);

  // Tasks of the extension; extension_methods.cc.
  void GetExtensionTask(const SessionPointer& session, const Message& message,
                        const RequestPointer& request);
  void UpdateTask(const SessionPointer& session, const Message& message,
                  const RequestPointer& request);
  void CancelExtensionTask(const SessionPointer& session, const Message& message,
                           const RequestPointer& request);

  // Runs; runs.cc.
  void AddRun(const std::shared_ptr<TaskRun>& run);
  void StartRun(const std::shared_ptr<TaskRun>& run);
  void EraseRun(const std::shared_ptr<TaskRun>& run);
  // Whether the tool failed and will be tried again.
  bool TryLater(const std::shared_ptr<TaskRun>& run, const ToolResult& result);
  Result<tasks::TaskRecord> StoreOutcome(const TaskRun& run, const ToolResult& result);
  void ReleaseRun(TaskRun& run);

  // The task waits for a worker from now on.
  void OfferWork(const TaskRun& run);

  // The thread that keeps leases and finds lost tasks; housekeeping.cc.
  void Housekeep();
  // Waits for the next beat, or for the end.
  void Rest(Duration longest);
  void RenewLeases();
  // Tasks that this process has parked and that were answered elsewhere.
  void FindAnswered();
  // Whether there may be more than it had the time for.
  bool TakeOverLostTasks();
  std::shared_ptr<TaskRun> FindRun(const tasks::RecordKey& key);
  void TakeOver(const tasks::RecordKey& key);
  // Of a task that this process has claimed.
  void BeginRun(const std::shared_ptr<TaskRun>& run, const tasks::TaskRecord& record);
  void FailRun(const TaskRun& run, const std::string& why);

  // Tasks whose time has come; due_tasks.cc. Whether there may be more of them.
  bool BeginDueTasks();
  void BeginDue(const tasks::RecordKey& key);

  // The thread that hears of changes of other processes; following.cc.
  void FollowChanges();
  // Opens the feed when there is none, and leaves it so when the store has none.
  Result<void> HearChanges(std::unique_ptr<tasks::ChangeFeed>& feed);
  // At the tasks that somebody here waits for.
  void LookAtEverything();
  // Whether anybody here waits for what other processes may do.
  [[nodiscard]] bool IsFollowed() const STATOR_REQUIRES(mutex_);

  // The thread that looks after everything that waits; watcher.cc.
  void Watch();
  // The longest time that it may rest.
  Duration LookAfterCalls();
  void LookAfterWaiters();

  void Log(const std::string& line) const;

  const McpServerOptions options_;
  tasks::TaskStore& store_;
  const Sealer sealer_;
  const std::string process_;  // the beginning of every worker name
  Catalog catalog_;
  WorkerPool pool_;
  std::atomic<bool> started_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> work_count_ = 0;
  std::array<std::atomic<std::uint64_t>, kTaskEvents> events_ = {};
  std::atomic<std::uint64_t> calls_count_ = 0;
  std::atomic<bool> store_answers_ = true;
  std::thread housekeeper_;
  std::thread watcher_;
  std::thread follower_;

  Mutex mutex_;
  ConditionVariable stopped_;   // of the housekeeper's rest
  ConditionVariable news_;      // for the watcher
  ConditionVariable followed_;  // for the follower
  bool has_news_ STATOR_GUARDED_BY(mutex_) = false;
  bool watches_ STATOR_GUARDED_BY(mutex_) = true;
  std::set<std::shared_ptr<RunningCall>> calls_ STATOR_GUARDED_BY(mutex_);
  std::map<std::pair<std::string, std::string>, std::shared_ptr<TaskRun>> runs_
      STATOR_GUARDED_BY(mutex_);  // owner, task
  std::vector<std::shared_ptr<Waiter>> waiters_ STATOR_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Session>> sessions_ STATOR_GUARDED_BY(mutex_);  // of legacy clients
  std::vector<std::shared_ptr<Subscription>> subscriptions_ STATOR_GUARDED_BY(mutex_);
  Duration next_task_look_ STATOR_GUARDED_BY(mutex_) = {};
};

// In the context of a task: the capabilities of the client that began it.
inline constexpr std::string_view kClientContext = "client";

// How a failure of the store is told to a client.
tasks::TaskFault FaultOf(const Error& error);
tasks::TaskFault MethodNotFound(const std::string& method);
tasks::TaskFault UnsupportedVersion(const std::string& asked);
// `capability` as a client would declare it.
tasks::TaskFault MissingCapability(Json capability);
tasks::TaskFault TasksNeeded();

// For Note.
std::string ByClient(const Session& session);

// The task that a request names; nothing when it names none, which is then answered.
std::optional<std::string> TaskIdOf(const Message& message, OpenRequest& request);

// Thrown through a plain function that cannot go on without an answer.
struct ToolIsLeft {};

// What a tool throws becomes an error.
template <class Function>
ToolResult Guarded(const Function& function) {
  try {
    return function();
  } catch (const ToolIsLeft&) {
    return Json();
  } catch (const std::exception& error) {
    return Fault(kInternalError, std::string("the tool failed: ") + error.what());
  }
}

Json ProgressNotification(const Json& token, double progress, std::optional<double> total,
                          const std::optional<std::string>& message);
Json LogNotification(LogLevel level, const std::string& logger, Json data);

}  // namespace stator::mcp
