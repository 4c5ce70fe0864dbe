// One thread keeps the leases of running tasks and finds tasks whose process was lost.

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

constexpr Duration kTick = std::chrono::milliseconds(100);
constexpr std::size_t kLostAtOnceMax = 16;
constexpr std::string_view kLost =
    "the server that ran this task was lost before the task was finished";

// Tasks of older versions do not say; their questions are put to whoever can be asked.
ClientCapabilities CapabilitiesOf(const tasks::TaskRecord& record) {
  const Json* const client = record.context ? record.context->Find(kClientContext) : nullptr;
  return client != nullptr
             ? ReadCapabilities(*client)
             : ClientCapabilities{.form = true, .url = true, .sampling = true, .roots = true};
}

}  // namespace

void ServerCore::Housekeep() {
  const Duration beat = options_.lease / 3;
  Duration next_beat = options_.clock->Elapsed() + beat;
  Duration next_search = options_.clock->Elapsed();
  while (!stopping_) {
    const Duration now = options_.clock->Elapsed();
    if (now >= next_beat) {
      next_beat = now + beat;
      RenewLeases();
    }
    if (now >= next_search) {
      next_search = now + std::max(kTick, options_.lease / 4);
      TakeOverLostTasks();
    }
    Rest(kTick);
  }
}

void ServerCore::Rest(Duration longest) {
  MutexLock lock(mutex_);
  stopped_.WaitFor(lock, longest, [&] { return stopping_.load(); });
}

void ServerCore::RenewLeases() {
  std::vector<std::shared_ptr<TaskRun>> runs;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, run] : runs_) {
      runs.push_back(run);
    }
  }
  for (const std::shared_ptr<TaskRun>& run : runs) {
    if (run->cancelled) {
      continue;
    }
    const auto renewed = store_.Renew(run->owner, run->task, run->worker, options_.lease);
    if (renewed) {
      continue;
    }
    // A store that fails may be back for the next beat; everything else means that the task has
    // ended, expired, or belongs to another.
    const ErrorCode code = renewed.error().code;
    if (!tasks::IsStoreFailure(code) && code != ErrorCode::kConflict) {
      run->cancelled = true;
      WakeWatcher();
    }
  }
}

void ServerCore::TakeOverLostTasks() {
  const auto lost = store_.ListLapsed(options_.group, kLostAtOnceMax);
  if (!lost) {
    Log("cannot look for lost tasks: " + lost.error().message);
    return;
  }
  for (const tasks::RecordKey& key : *lost) {
    if (stopping_ || pool_.IsFullFor(key.owner)) {
      continue;
    }
    TakeOver(key);
  }
}

void ServerCore::TakeOver(const tasks::RecordKey& key) {
  auto run = std::make_shared<TaskRun>();
  run->owner = key.owner;
  run->task = key.task;
  run->worker = process_ + "/" + options_.random->Uuid();
  // Whoever claims it first has it.
  const auto claimed =
      store_.Claim(key.owner, key.task, run->worker, options_.group, options_.lease);
  if (!claimed) {
    return;
  }
  const ToolPointer tool = catalog_.tools.Find(claimed->tool_name.value_or(""));
  run->attempt = claimed->lease->attempt;
  const bool goes_on =
      tool && tool->restartable && claimed->restartable && run->attempt <= options_.attempts_max;
  if (!goes_on) {
    const auto failed = store_.Complete(
        key.owner, key.task,
        {.status = TaskStatus::kFailed,
         .message = std::string(kLost),
         .error = tasks::TaskFault{.code = kInternalError, .message = std::string(kLost)},
         .worker = run->worker});
    Log("task " + key.task + (failed ? " failed: " : " could not be failed: ") +
        std::string(kLost));
    TaskChanged(key.owner, key.task);
    return;
  }
  if (claimed->task.status == TaskStatus::kInputRequired) {
    // The tool will ask again.
    static_cast<void>(store_.UpdateStatus(key.owner, key.task, TaskStatus::kWorking));
  }
  Log("task " + key.task + " is begun again, attempt " + std::to_string(run->attempt));
  run->tool = tool;
  run->capabilities = CapabilitiesOf(*claimed);
  run->arguments = claimed->arguments.value_or(JsonObject());
  AddRun(run);
  StartRun(run);
}

}  // namespace stator::mcp
