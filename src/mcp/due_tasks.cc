// Tasks whose time has come: those that were called with a delay, and those that schedules make. Of
// all processes one begins each (TaskStore::BeginDue).

#include <utility>

#include "mcp/json_schema.h"
#include "mcp/server_core.h"
#include "mcp/work_desk.h"

namespace stator::mcp {
namespace {

// So many that leases are renewed in time between.
constexpr std::size_t kDueAtOnceMax = 100;

// Whoever made it may have been another program, which knows no tools.
std::string ProblemWithCall(const tasks::TaskRecord& record, const Tool* tool) {
  if (tool == nullptr || tool->task_support == TaskSupport::kForbidden) {
    return "there is no tool " + record.tool_name.value_or("") + " for tasks";
  }
  const std::string problem =
      ProblemWith(record.arguments.value_or(JsonObject()), tool->input_schema, "arguments");
  return problem.empty() ? "" : "Invalid arguments: " + problem;
}

}  // namespace

bool ServerCore::BeginDueTasks() {
  const auto due = store_.ListDue(options_.group, kDueAtOnceMax);
  if (!due) {
    return false;  // TakeOverLostTasks says so.
  }
  for (const tasks::RecordKey& key : *due) {
    if (!stopping_) {
      BeginDue(key);
    }
  }
  return due->size() == kDueAtOnceMax;
}

void ServerCore::BeginDue(const tasks::RecordKey& key) {
  const auto run = std::make_shared<TaskRun>();
  run->owner = key.owner;
  run->worker = process_ + "/" + options_.random->Uuid();
  const auto begun = store_.BeginDue(key.owner, key.task, [&](const tasks::TaskRecord& record) {
    run->tool = catalog_.tools.Find(record.tool_name.value_or(""));
    const bool for_workers = run->tool && run->tool->for_workers;
    return tasks::DueRun{
        .lease = {.worker = run->worker,
                  .group = for_workers ? WorkGroup(run->tool->name) : options_.group,
                  .length = options_.lease},
        .restartable = run->tool && run->tool->restartable};
  });
  if (!begun) {
    if (begun.error().code == ErrorCode::kLimitExceeded ||
        begun.error().code == ErrorCode::kCorruption) {
      Log("task " + key.task + " was due: " + begun.error().message);
      TaskChanged(key.owner, key.task);
    }
    return;  // Somebody else was faster, or will be asked again.
  }
  run->task = begun->task.id;
  run->expires_at = begun->expires_at;
  run->attempt = begun->lease->attempt;
  if (run->task != key.task) {
    Note(TaskEvent::kCreated, run->owner, run->task, "schedule " + key.task,
         begun->tool_name.value_or(""));
    TaskChanged(key.owner, key.task);
  }
  if (const std::string problem = ProblemWithCall(*begun, run->tool.get()); !problem.empty()) {
    FailRun(*run, problem);
  } else if (run->tool->for_workers) {
    OfferWork(*run);
  } else {
    BeginRun(run, *begun);
  }
}

}  // namespace stator::mcp
