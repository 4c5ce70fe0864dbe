// WorkDesk: hands tasks to workers, which are programs of any language outside of this process, and
// takes what became of them. docs/mcp.md has the protocol that they speak over HTTP.
//
// A task of a tool for workers is stored and waits in the group of its tool (WorkGroup) as a lease
// that has lapsed. Claiming is taking that lease, so of all workers of all processes one has the
// task; a worker that is lost lets it lapse, and the next one has it. What a worker may say about a
// task depends on the claim that it was given, which nobody can guess.
//
// THREADS: from many threads. Waits for the store, never for workers.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/server_core.h"
#include "stator/base/mutex.h"

namespace stator::mcp {

// The leases of tasks that wait for a worker, or have one.
std::string WorkGroup(std::string_view tool);

class WorkDesk {
 public:
  // A status of HTTP and the body.
  struct Answer {
    unsigned status = 200;
    Json body = JsonObject();
  };

  explicit WorkDesk(ServerCore& core) : core_(core) {}
  WorkDesk(const WorkDesk&) = delete;
  WorkDesk& operator=(const WorkDesk&) = delete;
  ~WorkDesk() = default;

  // `what` is claim, heartbeat, complete or fail. A claim that finds nothing has status 204.
  [[nodiscard]] Answer Take(std::string_view what, const Json& body);

 private:
  // What a claim consists of.
  struct ClaimedTask {
    std::string owner;
    std::string task;
    std::string worker;
    Duration lease;
  };

  [[nodiscard]] Answer Claim(const Json& body);
  [[nodiscard]] Answer Heartbeat(const ClaimedTask& held, const Json& body);
  [[nodiscard]] Answer Complete(const ClaimedTask& held, const Json& body);
  [[nodiscard]] Answer Fail(const ClaimedTask& held, const Json& body);

  // Tasks that wait for a worker, those of another owner than the last first.
  [[nodiscard]] Result<std::vector<tasks::RecordKey>> Waiting(const std::string& tool);
  // Null when somebody else was faster, or when it was tried often enough and has failed now.
  [[nodiscard]] Json ClaimOne(const Tool& tool, const tasks::RecordKey& key,
                              const std::string& worker, Duration lease);
  [[nodiscard]] Answer Finish(const ClaimedTask& held, const tasks::CompleteTaskInput& completion);
  [[nodiscard]] Answer Again(const ClaimedTask& held, const Tool& tool, std::int64_t attempt,
                             const std::string& why);
  // The task has failed for good: it is kept for people to look at.
  void Bury(const ClaimedTask& held, const std::string& why);
  [[nodiscard]] Answer Refused(const Error& error) const;

  static std::string Encode(const ClaimedTask& held);
  static std::optional<ClaimedTask> Decode(const Json& body);

  ServerCore& core_;
  Mutex mutex_;
  std::map<std::string, std::string> last_owner_ STATOR_GUARDED_BY(mutex_);  // by tool
};

}  // namespace stator::mcp
