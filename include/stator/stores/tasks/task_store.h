// TaskStore: durable long-running work. Every rule of tasks stands here and only here: states,
// owners, expiry, variables, limits, outcomes, leases. Where the records live is the backend's
// business.
//
//   MemoryBackend backend;                       // or DatabaseBackend(database)
//   TaskStore store(backend, {.allow_anonymous = true});
//   TaskResult<TaskRecord> task = store.Create({.id = "alice"}, {.method = "tools/call"});
//   store.SetVariables("alice", task->task.id, {{"step", 1}});
//   store.Complete("alice", task->task.id, {.status = TaskStatus::kCompleted, .result = 42});
//
// INVARIANTS
//
//   (1) A task of another owner looks exactly like one that does not exist.
//   (2) An ended task never changes: neither its status nor its outcome.
//   (3) Status, message and outcome of a completion are one write.
//   (4) An expired task is gone for every operation, at that moment; the backend may remove it
//       later.
//   (5) Every write is a compare-and-set on the version that was read, applied anew to the fresh
//       record when somebody else was faster.
//   (6) An owner never has more active tasks than the limit, however many creations race.
//
// COST: one read and one write of the record per change; Poll, List and Renew touch heads and
// leases only, whatever the record holds.
// THREADS: every method may be called from many threads, and from many processes on one backend.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task.h"
#include "stator/stores/tasks/task_error.h"

namespace stator::tasks {

struct TaskStoreOptions {
  // Life of a task, from its creation. A client that asks for more than the maximum gets the
  // maximum, or is refused.
  std::optional<std::int64_t> default_ttl_ms = 3'600'000;
  std::optional<std::int64_t> max_ttl_ms = 86'400'000;
  bool refuse_ttl_above_max = false;
  bool show_expired = false;  // reads answer with expired tasks until they are removed

  std::size_t variables_bytes_max = 350 * 1024;  // leaves room in DynamoDB's 400 KB
  std::size_t variable_depth_max = 10;
  std::size_t variable_text_bytes_max = 65'536;
  bool variables_after_end = false;  // whether they may change once the task has ended

  std::size_t active_tasks_max = 100;  // per owner
  bool allow_anonymous = false;
  std::optional<std::int64_t> poll_interval_ms = 500;
  std::size_t page_size = 50;
  int attempts_max = 5;  // of a write that others overtake

  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
  // Gets a line for what an operator should see: foreign or undecodable records, failed backends.
  std::function<void(std::string_view)> log = nullptr;
};

// Whose tasks. Anonymity is said, not guessed from the id.
struct Owner {
  std::string id;
  bool is_anonymous = false;
};

// A worker that begins at once.
struct LeaseRequest {
  std::string worker;
  std::string group;
  Duration length;
};

struct CreateTaskInput {
  std::string method;                                 // "tools/call"
  std::optional<std::int64_t> ttl_ms = std::nullopt;  // absent: the default
  JsonObject variables = {};
  std::optional<std::string> tool_name = std::nullopt;
  std::optional<Json> arguments = std::nullopt;  // kept as they are, without limits of depth
  std::optional<std::string> created_by = std::nullopt;
  // Repeating a creation with the same key gives the same task while it lives.
  std::optional<std::string> idempotency_key = std::nullopt;
  bool restartable = false;
  std::optional<Json> context = std::nullopt;  // kept for whoever runs the task
  std::vector<InputRequest> inputs = {};       // questions that were answered beforehand
  std::optional<LeaseRequest> lease = std::nullopt;
};

struct CompleteTaskInput {
  TaskStatus status;  // a terminal one
  std::optional<std::string> message = std::nullopt;
  std::optional<Json> result = std::nullopt;
  std::optional<TaskFault> error = std::nullopt;
  std::optional<std::string> worker = std::nullopt;  // refuse unless this worker holds the lease
};

// How a task ended: exactly one of the two is there.
struct TaskOutcome {
  Task task;
  std::optional<Json> result = std::nullopt;
  std::optional<TaskFault> error = std::nullopt;
};

struct TaskPage {
  std::vector<Task> tasks;  // youngest first
  std::optional<std::string> next_cursor = std::nullopt;
};

struct Head;
struct NewTask;

class TaskStore {
 public:
  // The backend must outlive the store. REQUIRES: CheckOptions(options) is empty.
  TaskStore(StorageBackend& backend, TaskStoreOptions options);

  // Empty, or what is wrong: a default beyond the maximum, limits of zero.
  static std::string CheckOptions(const TaskStoreOptions& options);

  // One write of the record, besides one of the lease. Fails with kInvalidArgument (ttl, variables,
  // an anonymous owner that is not allowed), kResourceExhausted, kResultTooLarge. Active tasks are
  // counted behind the write again, and a task that is one too many is taken back; so of creations
  // that race for the last place all may be refused.
  TaskResult<TaskRecord> Create(const Owner& owner, const CreateTaskInput& input);

  TaskResult<TaskRecord> Get(std::string_view owner, std::string_view task);

  // The task alone, without variables and outcome, for the cost of a small record.
  TaskResult<Task> Poll(std::string_view owner, std::string_view task);

  // `message` replaces the old one; without one there is none any more.
  TaskResult<TaskRecord> UpdateStatus(std::string_view owner, std::string_view task,
                                      TaskStatus status,
                                      std::optional<std::string> message = std::nullopt);

  // Says how far the work is, without a transition.
  TaskResult<TaskRecord> SetMessage(std::string_view owner, std::string_view task,
                                    std::optional<std::string> message);

  // Adds and replaces; a null removes. Nothing is merged inside of values.
  TaskResult<TaskRecord> SetVariables(std::string_view owner, std::string_view task,
                                      const JsonObject& changes);

  // Keeps a result before the task ends.
  TaskResult<void> SetResult(std::string_view owner, std::string_view task, Json result);

  // Fails with kNotReady until the task has ended. A task that ended without an outcome gets one
  // that says so.
  TaskResult<TaskOutcome> GetResult(std::string_view owner, std::string_view task);

  TaskResult<TaskRecord> Complete(std::string_view owner, std::string_view task,
                                  const CompleteTaskInput& input);

  TaskResult<TaskRecord> Cancel(std::string_view owner, std::string_view task);

  // `cursor` is a next_cursor of the same owner; anything else fails with kInvalidArgument.
  TaskResult<TaskPage> List(std::string_view owner,
                            const std::optional<std::string>& cursor = std::nullopt,
                            std::optional<std::size_t> limit = std::nullopt);

  // Whether there was one. For operators; clients cancel.
  TaskResult<bool> Delete(std::string_view owner, std::string_view task);

  // Asks the backend to remove what has expired.
  TaskResult<std::size_t> CleanupExpired();

  // Leases. One worker at a time runs a task; it says so again and again. Whoever finds the lease
  // lapsed may take the task over, and the first worker's words do not count any more.
  //
  // Claim fails with kLeaseHeld while another worker holds it, Renew and Release with kLeaseLost
  // when this worker does not, or when the task has ended. A claim counts an attempt. Renew and
  // Release do not touch the record.
  TaskResult<TaskRecord> Claim(std::string_view owner, std::string_view task,
                               std::string_view worker, std::string_view group, Duration length);
  TaskResult<Task> Renew(std::string_view owner, std::string_view task, std::string_view worker,
                         Duration length);
  TaskResult<void> Release(std::string_view owner, std::string_view task, std::string_view worker);

  // Tasks of the group whose worker was lost, to be claimed or failed; the oldest first.
  TaskResult<std::vector<RecordKey>> ListLapsed(std::string_view group, std::size_t limit);

  // Questions to the client. Asking moves the task to input_required, the last open answer back to
  // working. A question that was asked before stays as it is, with its answer; one of the same id
  // and other words fails with kInvalidArgument.
  TaskResult<TaskRecord> RequestInput(std::string_view owner, std::string_view task,
                                      const std::vector<InputRequest>& requests,
                                      const std::optional<std::string>& message = std::nullopt);
  // Fails with kInvalidArgument when no such question is open.
  TaskResult<TaskRecord> AnswerInput(std::string_view owner, std::string_view task,
                                     std::string_view request_id, Json answer);

  [[nodiscard]] const TaskStoreOptions& options() const { return options_; }

 private:
  using Change = std::function<TaskResult<void>(TaskRecord&)>;

  // Reads, applies, writes, and begins again when somebody else was faster. With `touch` the change
  // counts as one that clients see.
  TaskResult<TaskRecord> Modify(std::string_view owner, std::string_view task, bool touch,
                                const Change& change);
  TaskResult<TaskRecord> Read(std::string_view owner, std::string_view task, bool for_change);
  TaskResult<Head> ReadHead(std::string_view owner, std::string_view task, bool for_change);
  TaskResult<StoredValue> Encode(const TaskRecord& record);
  [[nodiscard]] TaskResult<std::optional<std::int64_t>> TtlFor(
      std::optional<std::int64_t> asked) const;
  // Fails with kResourceExhausted when there is no place for a task more, or for the one that was
  // written and counts already.
  TaskResult<void> CheckQuota(const std::string& owner, bool is_counted);
  TaskResult<TaskRecord> CreateAgain(NewTask& task);
  // Lease, record, quota. `replaces` is the version of an expired record that gives way.
  TaskResult<TaskRecord> CreateOnce(const NewTask& task, std::optional<std::uint64_t> replaces);
  TaskResult<TaskRecord> ReplaceExpired(const NewTask& task);
  void RemoveLease(const RecordKey& key, std::optional<TimePoint> lapsed_at);
  TaskResult<void> TakeLease(const RecordKey& key, const LeaseRequest& request,
                             const std::optional<TimePoint>& expires_at);
  // Whether this worker has the task by the record and has got a lapsed or lost lease back.
  TaskResult<Task> RegainLease(const RecordKey& key, std::string_view worker, Duration length);
  // Sleeps, and doubles the pause for the next time.
  void SleepBeforeRetry(Duration& pause) const;
  TaskResult<std::size_t> RecordBytesMax();
  [[nodiscard]] TaskError ErrorOf(std::string_view task, const StorageError& error) const;
  void Log(std::string_view line) const;

  StorageBackend& backend_;
  const TaskStoreOptions options_;
};

// Who the caller is, as the transport knows it. Empty texts count as absent.
struct Identity {
  std::string issuer = {};
  std::string subject = {};
  std::string client_id = {};
  std::string session_id = {};
};

// issuer|subject, else subject, else client, else session, else anonymous ("local").
Owner ResolveOwner(const Identity& identity);

}  // namespace stator::tasks
