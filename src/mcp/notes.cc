// What happened to tasks is told here, and only here, to the audit log and to the counters.

#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {

std::string_view NameOf(TaskEvent event) {
  constexpr std::array<std::string_view, kTaskEvents> kNames = {
      "created",   "listed", "read",       "answered", "cancelled",
      "completed", "failed", "taken_over", "claimed",  "retried"};
  return kNames[static_cast<std::size_t>(event)];
}

void ServerCore::Note(TaskEvent event, const std::string& owner, const std::string& task,
                      std::string by, std::string detail) {
  ++events_[static_cast<std::size_t>(event)];
  if (options_.audit) {
    options_.audit({.event = event,
                    .at = options_.clock->Now(),
                    .owner = owner,
                    .task = task,
                    .by = std::move(by),
                    .detail = std::move(detail)});
  }
}

void ServerCore::NoteEnd(const tasks::TaskRecord& record, std::string by, std::string why) {
  Note(record.task.status == tasks::TaskStatus::kCompleted ? TaskEvent::kCompleted
                                                           : TaskEvent::kFailed,
       record.owner_id, record.task.id, std::move(by), std::move(why));
}

std::string ServerCore::ThisServer() const {
  return "server " + process_;
}

std::string ByClient(const Session& session) {
  return "client " + session.id();
}

ServerStatistics ServerCore::Statistics() {
  ServerStatistics statistics{.calls = calls_count_, .store_answers = store_answers_};
  for (std::size_t event = 0; event < kTaskEvents; ++event) {
    statistics.events[event] = events_[event];
  }
  const WorkerPool::Load load = pool_.load();
  statistics.running = load.running;
  statistics.queued = load.queued;
  statistics.waiting_threads = load.waiting;
  const MutexLock lock(mutex_);
  statistics.tasks = runs_.size();
  for (const auto& [key, run] : runs_) {
    statistics.parked += run->parked ? 1 : 0;
  }
  statistics.waiters = waiters_.size();
  statistics.subscriptions = subscriptions_.size();
  return statistics;
}

ServerStatistics McpServer::Statistics() const {
  return core_->Statistics();
}

}  // namespace stator::mcp
