#include "server/server.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <utility>

#include "base/serving_thread.h"
#include "base/try.h"
#include "server/listener.h"
#include "server/process_metrics.h"
#include "server/request_metrics.h"
#include "server/server_state.h"
#include "server/worker.h"

namespace stator::server {
namespace {

std::size_t ThreadCount(const ServerOptions& options) {
  if (options.threads > 0) {
    return options.threads;
  }
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void ReportConnections(const ServerState& state, MetricsText& text) {
  text.Begin("stator_connections", "gauge", "Connections that are open.");
  text.Add(state.open_connections());
  text.Begin("stator_connections_accepted_total", "counter", "Connections accepted.");
  text.Add(state.accepted.value());
  text.Begin("stator_connections_refused_total", "counter",
             "Connections closed because there were too many.");
  text.Add(state.refused.value());
  text.Begin("stator_connections_evicted_total", "counter",
             "Connections closed to make room for others.");
  text.Add(state.evicted.value());
  text.Begin("stator_accept_failures_total", "counter",
             "Times that the system had no descriptor for a connection.");
  text.Add(state.accept_failures.value());
  text.Begin("stator_connections_timed_out_total", "counter",
             "Connections closed for being slow or idle.");
  text.Add(state.timed_out.value());
  text.Begin("stator_handler_exceptions_total", "counter", "Requests that met a bug.");
  text.Add(state.handler_throws.value());
  text.Begin("stator_clients_hung_up_total", "counter",
             "Clients that went while their request was handled.");
  text.Add(state.hung_up.value());
  text.Begin("stator_request_memory_bytes", "gauge",
             "Memory held by large requests and unsent answers.");
  text.Add(state.budget.used());
  text.Begin("stator_answers_refused_total", "counter",
             "Large answers that were replaced by 503 for lack of request memory.");
  text.Add(state.answers_refused.value());
}

// What runs beside the io threads, so that these never wait.
void ReportLanes(const ServerState& state, MetricsText& text) {
  text.Begin("stator_io_thread_waits_total", "counter",
             "Times that a thread that serves clients has waited; a bug if it is not 0.");
  text.Add(base::WaitsOfServingThreads());
  using base::Threads;
  constexpr std::pair<Threads, std::string_view> kThreads[] = {{Threads::kPool, "pool"},
                                                               {Threads::kControl, "control"}};
  const auto report = [&](std::string_view name, std::string_view type, std::string_view help,
                          auto number) {
    text.Begin(name, type, help);
    for (const auto& [threads, label] : kThreads) {
      text.Add(static_cast<std::uint64_t>(number(state.executor.LoadOf(threads))),
               {{"threads", label}});
    }
  };
  using Load = base::Executor::Load;
  report("stator_executor_waiting", "gauge", "Tasks that wait for a thread.",
         [](const Load& load) { return load.waiting; });
  report("stator_executor_running", "gauge", "Tasks under way.",
         [](const Load& load) { return load.running; });
  report("stator_executor_tasks_total", "counter", "Tasks begun.",
         [](const Load& load) { return load.begun; });
  text.Begin("stator_requests_moved_total", "counter",
             "Requests that were too long for an io thread and were begun again on others.");
  text.Add(state.moved.value());
}

}  // namespace

struct Server::StopOnce {
  std::once_flag flag;
};

Result<void> CheckLimits(const Limits& limits) {
  const std::array<std::pair<std::string_view, bool>, 8> all = {
      {{"connections", limits.connections > 0},
       {"the size of a head", limits.header_bytes > 0},
       {"the size of a body", limits.body_bytes > 0},
       {"the memory of requests", limits.memory_bytes > 0},
       {"the time between two requests", limits.idle_time > Duration::zero()},
       {"the time of a head", limits.head_time > Duration::zero()},
       {"the time of a body", limits.request_time > Duration::zero()},
       {"the time of an answer", limits.write_time > Duration::zero()}}};
  for (const auto& [name, is_positive] : all) {
    if (!is_positive) {
      return Invalid("the limit of " + std::string(name) + " must be more than 0");
    }
  }
  return {};
}

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, wire::Handler& handler) {
  TRY_VOID(CheckLimits(options.limits));
  const std::size_t threads = ThreadCount(options);
  auto state = std::make_shared<ServerState>(std::move(options), handler);

  // The workers report each other's numbers, and do so only while all of them exist.
  auto all_workers = std::make_shared<std::vector<const Worker*>>();
  const auto metrics_page = [state_pointer = state.get(), all_workers] {
    MetricsText text;
    std::vector<const RequestMetrics*> instances;
    for (const Worker* const worker : *all_workers) {
      instances.push_back(&worker->metrics());
    }
    RequestMetrics::Report(instances, text);
    ReportConnections(*state_pointer, text);
    ReportLanes(*state_pointer, text);
    ReportProcess(state_pointer->options.version, text);
    if (state_pointer->options.report_metrics) {
      state_pointer->options.report_metrics(text);
    }
    return text.text();
  };

  std::vector<std::shared_ptr<Worker>> workers;
  for (std::size_t number = 0; number < threads; ++number) {
    workers.push_back(std::make_shared<Worker>(state, number, metrics_page));
    all_workers->push_back(workers.back().get());
  }
  auto listener = TRY(Listener::Open(state, workers));
  for (const std::shared_ptr<Worker>& worker : workers) {
    worker->Start();
  }
  listener->Start();
  return std::unique_ptr<Server>(
      new Server(std::move(state), std::move(workers), std::move(listener)));
}

Server::Server(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<Worker>> workers,
               std::unique_ptr<Listener> listener)
    : state_(std::move(state)),
      workers_(std::move(workers)),
      listener_(std::move(listener)),
      stop_once_(std::make_unique<StopOnce>()) {}

Server::~Server() {
  Stop(Duration::zero());
}

std::uint16_t Server::port() const {
  return listener_->port();
}

std::string Server::endpoint() const {
  return listener_->endpoint();
}

void Server::SetCredentials(const std::shared_ptr<const Credentials>& credentials) {
  for (const std::shared_ptr<Worker>& worker : workers_) {
    worker->SetCredentials(credentials);
  }
}

Result<void> Server::SetTlsIdentity(const TlsIdentity& identity) {
  return listener_->SetTlsIdentity(identity);
}

void Server::Stop(Duration grace) {
  std::call_once(stop_once_->flag, [&] {
    state_->stopping = true;
    listener_->Stop();
    const Duration deadline = state_->options.clock.Elapsed() + grace;
    for (const std::shared_ptr<Worker>& worker : workers_) {
      worker->Finish(deadline);
    }
    state_->WaitUntilNoneIsOpen();
    // What is left there has no client any more and ends at its next row.
    state_->executor.Stop();
    for (const std::shared_ptr<Worker>& worker : workers_) {
      worker->Stop();
    }
  });
}

}  // namespace stator::server
