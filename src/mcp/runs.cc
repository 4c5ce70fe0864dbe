// Running tools as tasks: from a stored task with a lease to a stored outcome.

#include <utility>

#include "mcp/server_core.h"
#include "mcp/task_call.h"
#include "stator/base/backoff.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

// How often an outcome is offered to a store that fails, with doubled pauses between.
constexpr int kStoreAttemptsMax = 6;
constexpr Duration kFirstPause = std::chrono::milliseconds(200);
constexpr std::string_view kUnfit = "the result of the tool cannot be kept";

bool IsError(const Json& result) {
  const Json* const flag = result.Find("isError");
  const bool* const value = flag == nullptr ? nullptr : flag->If<bool>();
  return value != nullptr && *value;
}

// What a person reads in the list of tasks: the first text of the result.
std::string FirstText(const Json& result) {
  const Json* const content = result.Find("content");
  const auto* const parts = content == nullptr ? nullptr : content->If<JsonArray>();
  if (parts != nullptr && !parts->empty()) {
    if (std::optional<std::string> text = parts->front().TextOf("text")) {
      return *std::move(text);
    }
  }
  return "the tool reported an error";
}

tasks::CompleteTaskInput CompletionOf(const TaskRun& run, const ToolResult& result) {
  if (!result) {
    return {.status = TaskStatus::kFailed,
            .message = result.error().message,
            .error = result.error(),
            .worker = run.worker};
  }
  if (IsError(*result)) {
    return {.status = TaskStatus::kFailed,
            .message = FirstText(*result),
            .result = *result,
            .worker = run.worker};
  }
  return {.status = TaskStatus::kCompleted, .result = *result, .worker = run.worker};
}

}  // namespace

void ServerCore::AddRun(const std::shared_ptr<TaskRun>& run) {
  const MutexLock lock(mutex_);
  runs_[{run->owner, run->task}] = run;
}

void ServerCore::StartRun(const std::shared_ptr<TaskRun>& run) {
  const auto call = std::make_shared<TaskCall>(*this, run);
  {
    const MutexLock lock(mutex_);
    run->call = call;
  }
  // The task is stored, so it has to run or to be let go of.
  if (!call->Enqueue(/*urgent=*/true)) {
    ReleaseRun(*run);
  }
}

void ServerCore::EraseRun(const std::shared_ptr<TaskRun>& run) {
  const MutexLock lock(mutex_);
  if (const auto found = runs_.find({run->owner, run->task});
      found != runs_.end() && found->second == run) {
    runs_.erase(found);
  }
}

void ServerCore::DropRun(const std::shared_ptr<TaskRun>& run) {
  if (stopping_) {
    ReleaseRun(*run);
  }
  EraseRun(run);
}

void ServerCore::FinishRun(const std::shared_ptr<TaskRun>& run, const ToolResult& result,
                           bool abandoned) {
  if (abandoned) {
    // The tool was told that nobody waits, so what it returned means nothing.
    DropRun(run);
    return;
  }
  if (TryLater(run, result)) {
    TaskChanged(run->owner, run->task);
    return;
  }
  const Result<tasks::TaskRecord> done = StoreOutcome(*run, result);
  EraseRun(run);
  if (done) {
    NoteEnd(*done, ThisServer());
    if (run->tool->retry && done->task.status == TaskStatus::kFailed) {
      static_cast<void>(store_.KeepDead(run->owner, run->task));
    }
    NotifyStatus(run->session, done->task);
  } else {
    Log("the outcome of task " + run->task + " was not stored: " + done.error().message);
  }
  TaskChanged(run->owner, run->task);
}

// Whoever finds the lease lapsed begins it again, this process or another.
bool ServerCore::TryLater(const std::shared_ptr<TaskRun>& run, const ToolResult& result) {
  const std::optional<RetryPolicy>& policy = run->tool->retry;
  if (!policy || !run->tool->restartable || run->attempt >= policy->attempts_max || stopping_ ||
      (result && !IsError(*result))) {
    return false;
  }
  EraseRun(run);  // So that its lease is not renewed.
  const Duration pause = BackoffBefore(static_cast<int>(run->attempt - 1), policy->first_pause,
                                       policy->longest_pause, *options_.random);
  if (!store_.Renew(run->owner, run->task, run->worker, pause)) {
    return false;
  }
  const std::string why = result ? FirstText(*result) : result.error().message;
  Note(TaskEvent::kRetried, run->owner, run->task, ThisServer(), why);
  static_cast<void>(store_.SetMessage(
      run->owner, run->task, "attempt " + std::to_string(run->attempt) + " failed: " + why));
  return true;
}

Result<tasks::TaskRecord> ServerCore::StoreOutcome(const TaskRun& run, const ToolResult& result) {
  tasks::CompleteTaskInput completion = CompletionOf(run, result);
  Duration pause = kFirstPause;
  for (int attempt = 1;; ++attempt) {
    Result<tasks::TaskRecord> done = store_.Complete(run.owner, run.task, completion);
    if (done) {
      return done;
    }
    const bool unfit =
        done.error().code == ErrorCode::kTooLarge || done.error().code == ErrorCode::kValidation;
    if (unfit && completion.message != kUnfit) {
      const std::string problem = std::string(kUnfit);
      completion = {.status = TaskStatus::kFailed,
                    .message = problem,
                    .error = tasks::TaskFault{.code = kInternalError,
                                              .message = problem,
                                              .data = JsonObject{{"reason", done.error().message}}},
                    .worker = run.worker};
      continue;
    }
    const bool may_pass =
        tasks::IsStoreFailure(done.error().code) || done.error().code == ErrorCode::kConflict;
    if (!may_pass || attempt >= kStoreAttemptsMax || stopping_) {
      return done;
    }
    options_.clock->SleepFor(pause);
    pause *= 2;
  }
}

// This process stops: another one may begin the task at once, or it fails.
void ServerCore::ReleaseRun(TaskRun& run) {
  const std::string problem = "the server was stopped before the task was finished";
  std::optional<Error> failure;
  if (run.tool->restartable && run.parked) {
    return;  // Whoever has its answers will begin it again.
  }
  if (run.tool->restartable) {
    if (const auto released = store_.Release(run.owner, run.task, run.worker); !released) {
      failure = released.error();
    }
  } else {
    const auto failed =
        store_.Complete(run.owner, run.task,
                        {.status = TaskStatus::kFailed,
                         .message = problem,
                         .error = tasks::TaskFault{.code = kInternalError, .message = problem},
                         .worker = run.worker});
    if (failed) {
      NoteEnd(*failed, ThisServer(), problem);
    } else {
      failure = failed.error();
    }
  }
  if (failure) {
    Log("task " + run.task + " was not let go of: " + failure->message);
  }
}

void ServerCore::Stop() {
  if (stopping_.exchange(true)) {
    return;
  }
  std::vector<std::shared_ptr<TaskRun>> left;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, run] : runs_) {
      run->cancelled = true;
    }
  }
  EndSubscriptions();
  stopped_.NotifyAll();
  {
    const MutexLock lock(mutex_);  // So that it is not about to wait.
  }
  followed_.NotifyOne();
  WakeWatcher();
  pool_.Stop();  // The watcher wakes the tools that wait on threads.
  std::set<std::shared_ptr<RunningCall>> calls;
  {
    const MutexLock lock(mutex_);
    watches_ = false;
    calls.swap(calls_);
  }
  WakeWatcher();
  for (std::thread* const thread : {&housekeeper_, &watcher_, &follower_}) {
    if (thread->joinable()) {
      thread->join();
    }
  }
  for (const std::shared_ptr<RunningCall>& call : calls) {
    call->Abandon();
  }
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, run] : runs_) {
      left.push_back(run);
    }
    runs_.clear();
    waiters_.clear();
  }
  for (const std::shared_ptr<TaskRun>& run : left) {
    ReleaseRun(*run);
  }
}

}  // namespace stator::mcp
