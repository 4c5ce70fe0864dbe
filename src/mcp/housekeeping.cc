// One thread keeps the leases of running tasks and finds tasks whose process was lost, or that were
// answered at another one.

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

using tasks::TaskStatus;

constexpr Duration kTick = std::chrono::milliseconds(100);
constexpr Duration kAnswersLook = std::chrono::milliseconds(500);
// So many that leases are renewed in time between.
constexpr std::size_t kLostAtOnceMax = 100;
// Others' leases may stand before ours.
constexpr std::size_t kAnsweredListMax = 1000;
constexpr std::string_view kLost =
    "the server that ran this task was lost before the task was finished";

// Tasks of older versions do not say; their questions are put to whoever can be asked.
ClientCapabilities CapabilitiesOf(const tasks::TaskRecord& record) {
  const Json* const client = record.context ? record.context->Find(kClientContext) : nullptr;
  return client != nullptr
             ? ReadCapabilities(*client)
             : ClientCapabilities{.form = true, .url = true, .sampling = true, .roots = true};
}

// To begin a task again because somebody answered is no sign that it cannot be done.
std::int64_t AnswersOf(const tasks::TaskRecord& record) {
  return std::ranges::count_if(record.inputs, [](const auto& input) { return !!input.answer; });
}

}  // namespace

void ServerCore::Housekeep() {
  const Duration beat = options_.lease / 3;
  Duration next_beat = options_.clock->Elapsed() + beat;
  Duration next_search = options_.clock->Elapsed();
  Duration next_answers = options_.clock->Elapsed();
  Duration next_due = options_.clock->Elapsed();
  while (!stopping_) {
    const Duration now = options_.clock->Elapsed();
    if (now >= next_beat) {
      next_beat = now + beat;
      RenewLeases();
    }
    if (now >= next_answers) {
      next_answers = now + kAnswersLook;
      FindAnswered();
    }
    if (now >= next_search && !TakeOverLostTasks()) {
      next_search = now + std::max(kTick, options_.lease / 4);
    }
    if (now >= next_due && !BeginDueTasks()) {
      next_due = now + std::max(kTick, options_.lease / 4);
    }
    Rest(kTick);
  }
}

void ServerCore::Rest(Duration longest) {
  MutexLock lock(mutex_);
  stopped_.WaitFor(lock, longest, [&] { return stopping_.load(); });
}

void ServerCore::RenewLeases() {
  const TimePoint now = options_.clock->Now();
  std::vector<std::shared_ptr<TaskRun>> runs;
  std::vector<tasks::LeaseHolder> leases;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, run] : runs_) {
      if (run->expires_at && now > *run->expires_at) {
        run->cancelled = true;
      }
      if (!run->cancelled && !run->parked) {
        runs.push_back(run);
        leases.push_back({.key = {.owner = run->owner, .task = run->task}, .worker = run->worker});
      }
    }
  }
  const auto held = store_.RenewAll(leases, options_.lease);
  if (!held) {
    return;  // A store that fails may be back for the next beat.
  }
  for (std::size_t at = 0; at < runs.size(); ++at) {
    if (!(*held)[at]) {
      GoOn(*runs[at]);
    }
  }
}

// A store that fails may be back for the next beat; everything else means that the task has ended,
// expired, or belongs to another.
void ServerCore::GoOn(TaskRun& run) {
  const auto renewed = store_.Renew(run.owner, run.task, run.worker, options_.lease);
  run.parked = false;
  if (!renewed && !tasks::IsStoreFailure(renewed.error().code) &&
      renewed.error().code != ErrorCode::kConflict) {
    run.cancelled = true;
    WakeWatcher();
  }
}

void ServerCore::ParkRun(TaskRun& run) {
  {
    const MutexLock lock(mutex_);
    run.parked = true;
  }
  followed_.NotifyOne();
}

std::shared_ptr<TaskRun> ServerCore::FindRun(const tasks::RecordKey& key) {
  const MutexLock lock(mutex_);
  const auto found = runs_.find({key.owner, key.task});
  return found == runs_.end() ? nullptr : found->second;
}

void ServerCore::FindAnswered() {
  {
    const MutexLock lock(mutex_);
    if (std::ranges::none_of(runs_, [](const auto& run) { return run.second->parked.load(); })) {
      return;
    }
  }
  const auto answered =
      store_.ListLapsed(options_.group, kAnsweredListMax, store_.options().answer_time);
  if (!answered) {
    return;  // TakeOverLostTasks says so.
  }
  std::size_t left = kLostAtOnceMax;
  for (const tasks::RecordKey& key : *answered) {
    const std::shared_ptr<TaskRun> run = FindRun(key);
    if (run && run->parked && left > 0) {
      --left;
      TaskChanged(key.owner, key.task);
    }
  }
}

bool ServerCore::TakeOverLostTasks() {
  const auto lost = store_.ListLapsed(options_.group, kLostAtOnceMax);
  store_answers_ = lost.has_value();
  if (!lost) {
    Log("cannot look for lost tasks: " + lost.error().message);
    return false;
  }
  std::size_t taken = 0;
  for (const tasks::RecordKey& key : *lost) {
    if (stopping_ || pool_.IsFullFor(key.owner)) {
      continue;
    }
    ++taken;
    const std::shared_ptr<TaskRun> mine = FindRun(key);
    if (mine && !mine->cancelled) {
      GoOn(*mine);  // This process was late.
      TaskChanged(key.owner, key.task);
    } else {
      TakeOver(key);
    }
  }
  return taken == kLostAtOnceMax;
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
  Note(TaskEvent::kTakenOver, key.owner, key.task, ThisServer(),
       "attempt " + std::to_string(claimed->lease->attempt));
  const ToolPointer tool = catalog_.tools.Find(claimed->tool_name.value_or(""));
  run->attempt = claimed->lease->attempt;
  run->expires_at = claimed->expires_at;
  const std::int64_t attempts_max =
      tool && tool->retry ? tool->retry->attempts_max : options_.attempts_max;
  const bool goes_on = tool && tool->restartable && claimed->restartable &&
                       run->attempt <= attempts_max + AnswersOf(*claimed);
  if (!goes_on) {
    FailRun(*run, std::string(kLost));
    return;
  }
  if (claimed->task.status == TaskStatus::kInputRequired) {
    // The tool will ask again.
    static_cast<void>(store_.UpdateStatus(key.owner, key.task, TaskStatus::kWorking));
  }
  Log("task " + key.task + " is begun again, attempt " + std::to_string(run->attempt));
  run->tool = tool;
  BeginRun(run, *claimed);
}

void ServerCore::BeginRun(const std::shared_ptr<TaskRun>& run, const tasks::TaskRecord& record) {
  run->capabilities = CapabilitiesOf(record);
  run->arguments = record.arguments.value_or(JsonObject());
  AddRun(run);
  StartRun(run);
}

void ServerCore::FailRun(const TaskRun& run, const std::string& why) {
  const auto failed =
      store_.Complete(run.owner, run.task,
                      {.status = TaskStatus::kFailed,
                       .message = why,
                       .error = tasks::TaskFault{.code = kInternalError, .message = why},
                       .worker = run.worker});
  if (failed) {
    NoteEnd(*failed, ThisServer(), why);
    static_cast<void>(store_.KeepDead(run.owner, run.task));
  }
  Log("task " + run.task + (failed ? " failed: " : " could not be failed: ") + why);
  TaskChanged(run.owner, run.task);
}

}  // namespace stator::mcp
