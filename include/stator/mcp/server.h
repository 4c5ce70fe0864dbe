// McpServer: a server of the Model Context Protocol (2026-07-28, 2025-11-25 and 2025-06-18) whose
// tools can run as durable tasks. It knows messages, not transports: stdio.h and http.h carry them.
//
//   McpServer server({.name = "example", .version = "1"}, store);
//   server.AddTool({.name = "slow", .task_support = TaskSupport::kOptional, .run = …});
//   server.Start();
//   ServeStdio(server, {});
//
// A task is in the store before the client hears of it. While its tool runs, this process holds a
// lease on it; when the process is lost, another one finds the lease lapsed and runs the tool
// again, if it may be run again, or fails the task. A task that waits for a person needs no
// process: its answer may come to any of them.
//
// THREADS: every method may be called from many threads; tools run on a pool of their own.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/mcp/resource.h"
#include "stator/mcp/task_event.h"
#include "stator/mcp/tool.h"
#include "stator/stores/tasks/task_store.h"

namespace stator::mcp {

struct McpServerOptions {
  std::string name = "stator";
  std::string version = "0.1.0";
  std::optional<std::string> instructions = std::nullopt;
  std::optional<std::string> title = std::nullopt;
  std::optional<std::string> website_url = std::nullopt;
  std::optional<Json> icons = std::nullopt;

  bool logging = false;       // tools send log messages
  bool lists_change = false;  // tools, prompts and resources come and go while it runs
  std::size_t page_size = 100;
  // How long clients of 2026-07-28 may keep lists and resources, and whether for others, too.
  std::int64_t cache_ttl_ms = 0;
  bool cache_is_public = false;
  // Secrets of at least 32 bytes that seal what clients carry for us; the first seals, all open.
  // Processes that serve one endpoint share them. Empty: one of this process.
  std::vector<std::string> state_keys = {};
  Duration state_time = std::chrono::minutes(10);  // how long an unfinished call may be continued
  std::size_t subscriptions_max = 1024;

  // Tools that run at once. Those that wait for people or time do not count: routines wait without
  // a thread, plain functions on further ones. Owners take turns, and the last quarter of the
  // workers is for owners that have none, so that a stranger's call always finds one.
  std::size_t workers = 8;
  std::size_t owner_workers_max = 0;  // of one owner; 0: no limit besides
  // Calls that wait for a worker; more are refused, except to owners that have none waiting.
  std::size_t queue_max = 256;
  std::size_t waiting_threads_max = 256;       // plain functions that wait for people
  std::size_t owner_waiting_threads_max = 64;  // of one owner
  std::size_t waiting_max = 4096;  // tasks/result that wait for a task; more are refused

  // How long a task waits for a lost process. Renewed three times in that time.
  Duration lease = std::chrono::seconds(10);
  // Processes of one group run each other's lost tasks; they have the same tools.
  std::string group = "mcp";
  // A restartable task that was begun so often fails instead of being begun again.
  std::int64_t attempts_max = 5;
  // How often the stream of the table is asked what other processes have changed, while somebody
  // waits for that; twice as rarely each time when the store says that it is too often. A table
  // without a stream is looked at task by task, within seconds.
  Duration push_interval = std::chrono::milliseconds(50);
  // How long a tool waits for a person.
  Duration elicitation_time = std::chrono::minutes(30);
  // Shows the variables of a task in tasks/get, under _meta["stator/variables"].
  bool shows_variables = false;

  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
  std::function<void(std::string_view)> log = nullptr;
  // Gets everything that happens to tasks, on the thread that does it, from many at once.
  std::function<void(const TaskNote&)> audit = nullptr;
};

// Where messages to a client go. One per conversation on stdio, one per request over HTTP.
//
// THREADS: from many threads.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  // False when the client is gone.
  virtual bool Send(const Json& message) = 0;
  // The request that the stream was opened for is answered, or will not be.
  virtual void Finish() = 0;
  [[nodiscard]] virtual bool IsOpen() const = 0;
};

class ServerCore;
class Session;

class McpServer {
 public:
  // The store must outlive the server.
  McpServer(McpServerOptions options, tasks::TaskStore& store);
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;
  ~McpServer();  // stops

  // Before Start, or any time if the lists change. Of equal names the last counts.
  void AddTool(Tool tool);

  // Any time, if the server says that its lists change. Clients that want to know are told.
  void RemoveTool(std::string_view name);
  void AddPrompt(Prompt prompt);
  void RemovePrompt(std::string_view name);
  void AddResource(Resource resource);
  void RemoveResource(std::string_view uri);
  // Tells those who subscribed to it.
  void ResourceUpdated(const std::string& uri);

  // Starts the workers and looks for lost tasks from now on.
  void Start();

  // Tells the running tools that nobody waits for them, waits for them to return, and lets go of
  // the tasks that were not finished. Later calls do nothing.
  void Stop();

  // A conversation with one client. An anonymous owner has no tasks unless the store allows it.
  std::shared_ptr<Session> OpenSession(tasks::Owner owner);

  // Forgets the conversation and what it waits for. Its tasks go on.
  void CloseSession(const std::shared_ptr<Session>& session);

  // Where messages go that belong to no request. Null takes it away.
  void Attach(const std::shared_ptr<Session>& session, std::shared_ptr<Stream> stream);

  // Takes one message of the client, as text or parsed. The answer to a request goes to `stream`,
  // now or later, and then the stream is finished.
  void ReceiveText(const std::shared_ptr<Session>& session, std::string_view text,
                   const std::shared_ptr<Stream>& stream);
  void Receive(const std::shared_ptr<Session>& session, const Json& message,
               const std::shared_ptr<Stream>& stream);

  // A conversation of one request, as 2026-07-28 has them.
  std::shared_ptr<Session> OpenExchange(tasks::Owner owner);
  [[nodiscard]] ServerCore& core() { return *core_; }

  [[nodiscard]] ServerStatistics Statistics() const;

  // Whether something is still to be answered on behalf of the session.
  [[nodiscard]] bool IsBusy(const std::shared_ptr<Session>& session) const;

 private:
  const std::unique_ptr<ServerCore> core_;
};

}  // namespace stator::mcp
