#include "cli/mcp_metrics.h"

#include "server/metrics.h"

namespace stator::cli {

std::string MetricsOf(const mcp::ServerStatistics& statistics) {
  server::MetricsText text;
  text.Begin("stator_mcp_task_events_total", "counter", "What happened to tasks");
  for (std::size_t event = 0; event < mcp::kTaskEvents; ++event) {
    text.Add(statistics.events[event],
             {{"event", mcp::NameOf(static_cast<mcp::TaskEvent>(event))}});
  }
  text.Begin("stator_mcp_calls_total", "counter", "Calls of tools that are no tasks");
  text.Add(statistics.calls);
  const auto gauge = [&](std::string_view name, std::string_view help, std::size_t value) {
    text.Begin(name, "gauge", help);
    text.Add(std::uint64_t{value});
  };
  gauge("stator_mcp_running", "Tools that occupy a thread", statistics.running);
  gauge("stator_mcp_queued", "Calls that wait for a thread", statistics.queued);
  gauge("stator_mcp_waiting_threads", "Threads of plain functions that wait",
        statistics.waiting_threads);
  gauge("stator_mcp_tasks", "Tasks that this process has begun", statistics.tasks);
  gauge("stator_mcp_parked_tasks", "Of them, those that wait for people", statistics.parked);
  gauge("stator_mcp_waiters", "Requests that wait for a result", statistics.waiters);
  gauge("stator_mcp_subscriptions", "Streams that listen", statistics.subscriptions);
  gauge("stator_mcp_store_answers", "1 while the store of tasks answers",
        statistics.store_answers ? 1 : 0);
  return text.text();
}

}  // namespace stator::cli
