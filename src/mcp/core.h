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
#include <string>
#include <thread>
#include <vector>

#include "mcp/session.h"
#include "mcp/worker_pool.h"
#include "stator/mcp/server.h"

namespace stator::mcp {

// A task whose tool this process runs, or will run.
struct TaskRun {
  std::string owner;
  std::string task;
  std::string worker;  // the name on the lease; one per run
  const Tool* tool = nullptr;
  Json arguments;
  std::int64_t attempt = 1;
  std::weak_ptr<Session> session = {};  // of the client that began it
  Json progress_token = nullptr;        // null when there is none
  std::atomic<bool> cancelled = false;
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
  std::string asked = {};                               // the id of the question put to this client
  std::optional<std::int64_t> question = std::nullopt;  // its number in the session
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
  // Waits for a change of any task, or for `longest`.
  void AwaitChange(Duration longest);

 private:
  using RequestPointer = std::shared_ptr<OpenRequest>;
  using SessionPointer = std::shared_ptr<Session>;

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
  void CallNow(const SessionPointer& session, const Tool& tool, Json arguments, Json token,
               const RequestPointer& request);
  void CallAsTask(const SessionPointer& session, const Tool& tool, const Message& message,
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
  void PutQuestion(const std::shared_ptr<Waiter>& waiter);
  void Forget(const std::shared_ptr<Waiter>& waiter);

  // Runs; runs.cc.
  void AddRun(const std::shared_ptr<TaskRun>& run);
  void StartRun(const std::shared_ptr<TaskRun>& run);
  void RunTask(const std::shared_ptr<TaskRun>& run);
  void FinishRun(TaskRun& run, const ToolResult& result, bool abandoned);
  tasks::TaskResult<tasks::TaskRecord> StoreOutcome(const TaskRun& run, const ToolResult& result);
  void LetGo(TaskRun& run);

  // The thread that keeps leases, finds lost tasks and looks after waiters; housekeeping.cc.
  void Housekeep();
  void RenewLeases();
  void TakeOverLostTasks();
  void TakeOver(const tasks::RecordKey& key);
  void LookAfterWaiters();

  void Log(const std::string& line) const;

  const McpServerOptions options_;
  tasks::TaskStore& store_;
  const std::string process_;                       // the beginning of every worker name
  std::map<std::string, Tool, std::less<>> tools_;  // fixed once started
  WorkerPool pool_;
  std::atomic<bool> stopping_ = false;
  std::thread housekeeper_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Protected by mutex_.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<TaskRun>> runs_;  // owner, task
  std::vector<std::shared_ptr<Waiter>> waiters_;
};

// How a failure of the store is told to a client.
tasks::TaskFault FaultOf(const tasks::TaskError& error);

// Runs a tool; what it throws becomes an error.
ToolResult RunTool(const Tool& tool, ToolCall& call);

// A call that runs as a task. `was_told` says whether the tool heard that nobody waits.
class TaskCall final : public ToolCall {
 public:
  TaskCall(Core& core, std::shared_ptr<TaskRun> run) : core_(core), run_(std::move(run)) {}

  [[nodiscard]] const Json& arguments() const override { return run_->arguments; }
  [[nodiscard]] std::optional<tasks::TaskContext> task() const override;
  [[nodiscard]] std::int64_t attempt() const override { return run_->attempt; }
  void Progress(double progress, std::optional<double> total,
                std::optional<std::string> message) override;
  Result<Json> Elicit(std::string_view message, Json requested_schema) override;
  [[nodiscard]] bool IsCancelled() const override;
  bool SleepFor(Duration duration) override;

  [[nodiscard]] bool was_told() const { return was_told_; }

 private:
  Core& core_;
  const std::shared_ptr<TaskRun> run_;
  mutable bool was_told_ = false;
  std::optional<std::string> last_message_;
};

// A call whose client waits for the answer.
class DirectCall final : public ToolCall {
 public:
  DirectCall(Core& core, std::shared_ptr<Session> session, std::shared_ptr<OpenRequest> request,
             Json arguments, Json token)
      : core_(core),
        session_(std::move(session)),
        request_(std::move(request)),
        arguments_(std::move(arguments)),
        token_(std::move(token)) {}

  [[nodiscard]] const Json& arguments() const override { return arguments_; }
  [[nodiscard]] std::optional<tasks::TaskContext> task() const override { return std::nullopt; }
  [[nodiscard]] std::int64_t attempt() const override { return 1; }
  void Progress(double progress, std::optional<double> total,
                std::optional<std::string> message) override;
  Result<Json> Elicit(std::string_view message, Json requested_schema) override;
  [[nodiscard]] bool IsCancelled() const override;
  bool SleepFor(Duration duration) override;

 private:
  Core& core_;
  const std::shared_ptr<Session> session_;
  const std::shared_ptr<OpenRequest> request_;
  const Json arguments_;
  const Json token_;
};

}  // namespace stator::mcp
