// What is behind McpServer: the methods, the runs of tasks, and who waits for their results.
//
// INVARIANTS
//
//   (1) A task is in the store, with a lease of this process, before its client hears of it and
//       before its tool runs.
//   (2) A run is in runs_ for as long as its tool may run, and its lease is renewed for that long.
//   (3) A request is answered once, or not at all when its client took it back.

#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mcp/running_call.h"
#include "mcp/session.h"
#include "mcp/worker_pool.h"
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
  std::atomic<bool> cancelled = false;
  std::weak_ptr<RunningCall> call = {};  // protected by the mutex of the core
};

// A tasks/result that is not answered yet.
struct Waiter {
  std::string owner;
  std::string task;
  std::shared_ptr<Session> session;
  std::shared_ptr<OpenRequest> request;
  // Protected by `mutex`.
  std::mutex mutex = {};
  Duration next_look = {};
  Duration delay = {};
  std::set<std::string> asked = {};          // ids of the questions put to this client
  std::vector<std::int64_t> questions = {};  // their numbers in the session
};

class Core {
 public:
  Core(McpServerOptions options, tasks::TaskStore& store);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  ~Core();

  void AddTool(Tool tool);
  void Start();
  void Stop();
  std::shared_ptr<Session> OpenSession(tasks::Owner owner);
  void CloseSession(const std::shared_ptr<Session>& session);
  void Receive(const std::shared_ptr<Session>& session, const Json& message,
               const std::shared_ptr<Stream>& stream);

  // For runs.
  [[nodiscard]] const McpServerOptions& options() const { return options_; }
  [[nodiscard]] tasks::TaskStore& store() { return store_; }
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
  // The task was cancelled before its tool began.
  void DropRun(const std::shared_ptr<TaskRun>& run);

 private:
  using RequestPointer = std::shared_ptr<OpenRequest>;
  using SessionPointer = std::shared_ptr<Session>;
  using ToolPointer = std::shared_ptr<const Tool>;

  // The protocol; core.cc.
  void TakeRequest(const SessionPointer& session, const Message& message,
                   const std::shared_ptr<Stream>& stream);
  void TakeNotification(const SessionPointer& session, const Message& message);
  void Initialize(const SessionPointer& session, const Message& message, OpenRequest& request);
  [[nodiscard]] bool HasTasks(const Session& session) const;

  // Tools; tool_methods.cc.
  void ListTools(const Message& message, OpenRequest& request);
  void CallTool(const SessionPointer& session, const Message& message,
                const RequestPointer& request);
  void CallNow(const SessionPointer& session, const ToolPointer& tool, Json arguments, Json token,
               const RequestPointer& request);
  void CallAsTask(const SessionPointer& session, const ToolPointer& tool, const Message& message,
                  Json arguments, Json token, const RequestPointer& request);

  // Tasks; task_methods.cc.
  void GetTask(const SessionPointer& session, const Message& message, OpenRequest& request);
  void ListTasks(const SessionPointer& session, const Message& message, OpenRequest& request);
  void CancelTask(const SessionPointer& session, const Message& message, OpenRequest& request);
  void AwaitResult(const SessionPointer& session, const Message& message,
                   const RequestPointer& request);
  // Answers when the task has ended, passes its question on when it has one. False when the waiter
  // is done with.
  bool Look(const std::shared_ptr<Waiter>& waiter);
  void PutQuestions(const std::shared_ptr<Waiter>& waiter);
  void PutQuestion(const std::shared_ptr<Waiter>& waiter, const tasks::InputRequest& input);
  void Forget(const std::shared_ptr<Waiter>& waiter);

  // Runs; runs.cc.
  void AddRun(const std::shared_ptr<TaskRun>& run);
  void StartRun(const std::shared_ptr<TaskRun>& run);
  void EraseRun(const std::shared_ptr<TaskRun>& run);
  tasks::TaskResult<tasks::TaskRecord> StoreOutcome(const TaskRun& run, const ToolResult& result);
  void LetGo(TaskRun& run);

  // The thread that keeps leases and finds lost tasks; housekeeping.cc.
  void Housekeep();
  // Waits for the next beat, or for the end.
  void Rest(Duration longest);
  void RenewLeases();
  void TakeOverLostTasks();
  void TakeOver(const tasks::RecordKey& key);

  // The thread that looks after everything that waits; watcher.cc.
  void Watch();
  // The longest time that it may rest.
  Duration LookAfterCalls();
  void LookAfterWaiters();

  void Log(const std::string& line) const;

  const McpServerOptions options_;
  tasks::TaskStore& store_;
  const std::string process_;                              // the beginning of every worker name
  std::map<std::string, ToolPointer, std::less<>> tools_;  // fixed once started
  WorkerPool pool_;
  std::atomic<bool> stopping_ = false;
  std::thread housekeeper_;
  std::thread watcher_;

  std::mutex mutex_;
  std::condition_variable stopped_;  // of the housekeeper's rest
  std::condition_variable news_;     // for the watcher
  // Protected by mutex_.
  bool has_news_ = false;
  bool watches_ = true;
  std::set<std::shared_ptr<RunningCall>> calls_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<TaskRun>> runs_;  // owner, task
  std::vector<std::shared_ptr<Waiter>> waiters_;
};

// In the context of a task: the capabilities of the client that began it.
inline constexpr std::string_view kClientContext = "client";

// How a failure of the store is told to a client.
tasks::TaskFault FaultOf(const tasks::TaskError& error);

// What a tool throws becomes an error.
template <class Function>
ToolResult Guarded(const Function& function) {
  try {
    return function();
  } catch (const std::exception& error) {
    return Fault(kInternalError, std::string("the tool failed: ") + error.what());
  }
}

Json ProgressNotification(const Json& token, double progress, std::optional<double> total,
                          const std::optional<std::string>& message);

}  // namespace stator::mcp
