// TaskStore: durable long-running work. Every rule of tasks stands here and only here: states,
// owners, expiry, variables, limits, outcomes, leases. Where the records live is the backend's
// business.
//
//   Result<TaskStore> store = TaskStore::Open(database, {.allow_anonymous = true});
//   Result<TaskRecord> task = store->Create({.id = "alice"}, {.method = "tools/call"});
//   store->SetVariables("alice", task->task.id, {{"step", 1}});
//   store->Complete("alice", task->task.id, {.status = TaskStatus::kCompleted, .result = 42});
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
//   (6) An owner never has more active tasks than the limit, however many creations race; those of
//       several schedules that are due in one moment may be too many.
//   (7) A task that waits for answers (IsParked) has no lease beside it: nobody has to say that it
//       still waits, and no process that is lost takes it along. The answer that it waited for
//       puts the lease there, in the same write.
//   (8) Of a schedule every due time makes one task at most: it is made in the write that moves the
//       schedule on.
//
// COST: one read and one write of the record per change; Poll, List and Renew touch heads and
// leases only, whatever the record holds.
// THREADS: every method may be called from many threads, and from many processes on one backend.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stator/api/database_interface.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/patterns/environment.h"
#include "stator/patterns/retry.h"
#include "stator/provision/table_spec.h"
#include "stator/stores/tasks/schedule.h"
#include "stator/stores/tasks/storage_backend.h"
#include "stator/stores/tasks/task.h"
#include "stator/stores/tasks/task_error.h"
#include "stator/stores/tasks/task_table.h"

namespace stator {
class BlobStore;
}

namespace stator::tasks {

struct TaskStoreOptions {
  std::string table = std::string(kDefaultTaskTable);  // unused by a backend of your own

  // Life of a task, from its creation. A client that asks for more than the maximum gets the
  // maximum, or is refused.
  std::optional<std::int64_t> default_ttl_ms = 3'600'000;
  std::optional<std::int64_t> ttl_ms_max = 86'400'000;
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
  // Where results go that are too large for a record; must outlive the store. Without one they are
  // refused with kTooLarge. Every process that reads them needs the same.
  BlobStore* blobs = nullptr;
  std::size_t result_bytes_max = 64 << 20U;
  patterns::RetryOptions retry = {};  // of writes that others overtake
  // Of SetVariables: other writers are no reason to fail, so it is tried for much longer.
  patterns::RetryOptions variables_retry = {.budget = std::chrono::minutes(1)};
  // How long an answered task is left to the worker that asked; then others may take it.
  Duration answer_time = std::chrono::seconds(3);

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

// In the context of a task: the group in which it is looked for, if it is to be tried again.
inline constexpr std::string_view kGroupContext = "group";

// A task that begins later: after a time, or again and again. What waits for its time stands in a
// group, whose processes ask ListDue.
//
// A schedule is a task that does nothing but make others like itself. It lives until it is cancelled,
// and counts as one task of its owner.
struct LaterRequest {
  std::string worker;  // a name of this creation
  std::string group;
  Duration delay = Duration::zero();
  std::optional<Schedule> schedule = std::nullopt;  // instead of a delay
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
  std::optional<LaterRequest> later = std::nullopt;  // instead of a lease
};

// Of a task that is one.
std::optional<Schedule> ScheduleOf(const TaskRecord& record);

// Who runs a task that a schedule makes.
struct DueRun {
  LeaseRequest lease;
  bool restartable = false;
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
  using Environment = patterns::Environment;

  // On a table of the database (task_table.h), which must outlive the store. Asks it for nothing
  // yet. Fails with kValidation when an option is wrong: a default beyond the maximum, a limit of
  // zero.
  static Result<TaskStore> Open(Database& database, TaskStoreOptions options = {},
                                Environment environment = {});
  // On a backend of your own, which must outlive the store.
  static Result<TaskStore> Open(StorageBackend& backend, TaskStoreOptions options = {},
                                Environment environment = {});

  // What the store needs in its database.
  static std::vector<provision::TableSpec> Tables(const TaskStoreOptions& options);

  // One write of the record, besides one of the lease. Fails with kValidation (ttl, variables,
  // an anonymous owner that is not allowed), kLimitExceeded, kTooLarge. Active tasks are
  // counted behind the write again, and a task that is one too many is taken back; so of creations
  // that race for the last place all may be refused.
  Result<TaskRecord> Create(const Owner& owner, const CreateTaskInput& input);

  // With a result that is in the store of blobs, if the store has one.
  Result<TaskRecord> Get(std::string_view owner, std::string_view task);

  // The task alone, without variables and outcome, for the cost of a small record.
  Result<Task> Poll(std::string_view owner, std::string_view task);

  // `message` replaces the old one; without one there is none any more.
  Result<TaskRecord> UpdateStatus(std::string_view owner, std::string_view task, TaskStatus status,
                                  std::optional<std::string> message = std::nullopt);

  // Says how far the work is, without a transition.
  Result<TaskRecord> SetMessage(std::string_view owner, std::string_view task,
                                std::optional<std::string> message);

  // Adds and replaces; a null removes. Nothing is merged inside of values.
  Result<TaskRecord> SetVariables(std::string_view owner, std::string_view task,
                                  const JsonObject& changes);

  // Keeps a result before the task ends.
  Result<void> SetResult(std::string_view owner, std::string_view task, Json result);

  // Fails with kNotReady until the task has ended. A task that ended without an outcome gets one
  // that says so.
  Result<TaskOutcome> GetResult(std::string_view owner, std::string_view task);

  Result<TaskRecord> Complete(std::string_view owner, std::string_view task,
                              const CompleteTaskInput& input);

  Result<TaskRecord> Cancel(std::string_view owner, std::string_view task);

  // `cursor` is a next_cursor of the same owner; anything else fails with kValidation.
  Result<TaskPage> List(std::string_view owner,
                        const std::optional<std::string>& cursor = std::nullopt,
                        std::optional<std::size_t> limit = std::nullopt);

  // Whether there was one. For operators; clients cancel.
  Result<bool> Delete(std::string_view owner, std::string_view task);

  // Asks the backend to remove what has expired.
  Result<std::size_t> CleanupExpired();

  // Leases. One worker at a time runs a task; it says so again and again. Whoever finds the lease
  // lapsed may take the task over, and the first worker's words do not count any more.
  //
  // Claim fails with kLeaseHeld while another worker holds it, with kNotReady while the task waits
  // for answers, Renew and Release with kLeaseLost when this worker does not hold it, or when the
  // task has ended. A claim counts an attempt. Renew and Release do not touch the record.
  //
  // A worker that asks (RequestInput) gives its lease up by that. When all is answered the lease is
  // its own again, for `answer_time`, and it goes on with Renew; after that time whoever looks for
  // lost work has the task. Renew of a task that waits does nothing.
  Result<TaskRecord> Claim(std::string_view owner, std::string_view task, std::string_view worker,
                           std::string_view group, Duration length);
  Result<Task> Renew(std::string_view owner, std::string_view task, std::string_view worker,
                     Duration length);
  Result<void> Release(std::string_view owner, std::string_view task, std::string_view worker);
  // Renews many with about one request per hundred: whether each is held. For the others ask Renew,
  // which knows why. That a task has expired is not noticed here.
  Result<std::vector<bool>> RenewAll(const std::vector<LeaseHolder>& leases, Duration length);

  // Tasks of the group whose worker was lost, to be claimed or failed; the oldest first. With
  // `ahead` also those that will be lost within that time: a worker finds those among them that
  // were its own before it asked something.
  Result<std::vector<RecordKey>> ListLapsed(std::string_view group, std::size_t limit,
                                            Duration ahead = Duration::zero());

  // Tasks that failed for good and that somebody should look at: KeepDead puts one there, ListDead
  // has the oldest first. They go with the task, when it expires.
  Result<void> KeepDead(std::string_view owner, std::string_view task);
  Result<std::vector<RecordKey>> ListDead(std::size_t limit);

  // A new task that does what a failed or cancelled one was to do, for whoever looks for lapsed
  // leases of the group. The old one stays, and is not dead any more. Fails with
  // kIllegalTransition for a task that has not ended or has succeeded.
  Result<TaskRecord> TryAgain(std::string_view owner, std::string_view task,
                              std::string_view group);

  // Tasks of the group whose time has come, or will have within `ahead`; the oldest first.
  Result<std::vector<RecordKey>> ListDue(std::string_view group, std::size_t limit,
                                         Duration ahead = Duration::zero());
  // Begins one of them: claims a task that was delayed, or makes the task of a schedule that is due.
  // `run` is asked once what it is to be. Fails with kNotReady when its time has not come (somebody
  // else was faster), with kConflict when somebody else is at it, with kLimitExceeded when its owner
  // has too many tasks: then this due time is passed over, and the schedule says so.
  Result<TaskRecord> BeginDue(std::string_view owner, std::string_view task,
                              const std::function<DueRun(const TaskRecord&)>& run);

  // Questions to the client. Asking moves the task to input_required, the last open answer back to
  // working. A question that was asked before stays as it is, with its answer; one of the same id
  // and other words fails with kValidation.
  Result<TaskRecord> RequestInput(std::string_view owner, std::string_view task,
                                  const std::vector<InputRequest>& requests,
                                  const std::optional<std::string>& message = std::nullopt);
  // Fails with kValidation when no such question is open.
  Result<TaskRecord> AnswerInput(std::string_view owner, std::string_view task,
                                 std::string_view request_id, Json answer);

  // What any process changes from now on; null when the backend cannot tell. Turned on for a table by
  // FollowTaskTable.
  Result<std::unique_ptr<ChangeFeed>> Follow();

  [[nodiscard]] const TaskStoreOptions& options() const { return options_; }

 private:
  TaskStore(StorageBackend& backend, TaskStoreOptions options, Environment environment)
      : backend_(&backend), options_(std::move(options)), environment_(environment) {}

  using Change = std::function<Result<void>(TaskRecord&)>;

  // Reads, applies, writes, and begins again when somebody else was faster. With `touch` the change
  // counts as one that clients see.
  Result<TaskRecord> Modify(std::string_view owner, std::string_view task, bool touch,
                            const Change& change) {
    return Modify(owner, task, touch, change, options_.retry);
  }
  Result<TaskRecord> Modify(std::string_view owner, std::string_view task, bool touch,
                            const Change& change, const patterns::RetryOptions& retry);
  Result<TaskRecord> Read(std::string_view owner, std::string_view task, bool for_change);
  Result<Head> ReadHead(std::string_view owner, std::string_view task, bool for_change);
  // Fails with kTooLarge when the record does not fit.
  Result<StoredValue> EncodeWhole(const TaskRecord& record);
  // The same, but a result that does not fit goes to the blobs, and the record says where it is.
  Result<StoredValue> Encode(TaskRecord& record);
  Result<void> FetchResult(TaskRecord& record);
  // The lease until its time has come, for a record that begins later.
  Result<void> SetLater(TaskRecord& record, const LaterRequest& later,
                        std::optional<LeaseRequest>& lease, TimePoint now);
  Result<TaskRecord> MakeDue(TaskRecord schedule,
                             const std::function<DueRun(const TaskRecord&)>& run);
  [[nodiscard]] Result<std::optional<std::int64_t>> TtlFor(std::optional<std::int64_t> asked) const;
  // Fails with kLimitExceeded when there is no place for a task more, or for the one that was
  // written and counts already.
  Result<void> CheckQuota(const std::string& owner, bool is_counted);
  Result<TaskRecord> CreateAgain(NewTask& task);
  // Lease, record, quota. `replaces` is the version of an expired record that gives way.
  Result<TaskRecord> CreateOnce(const NewTask& task, std::optional<std::uint64_t> replaces);
  Result<TaskRecord> ReplaceExpired(const NewTask& task);
  void RemoveLease(const RecordKey& key, std::optional<TimePoint> lapsed_at);
  Result<void> TakeLease(const RecordKey& key, const LeaseRequest& request,
                         const std::optional<TimePoint>& expires_at);
  // Whether this worker has the task by the record and has got a lapsed or lost lease back.
  Result<Task> RegainLease(const RecordKey& key, std::string_view worker, Duration length);
  // Writes the record, and beside it the lease that follows from it.
  Result<std::uint64_t> Write(const RecordKey& key, TaskRecord& record, bool had_lease,
                              bool was_parked);
  Result<std::size_t> RecordBytesMax();
  [[nodiscard]] Error ErrorOf(std::string_view task, const Error& error) const;
  void Log(std::string_view line) const;

  std::unique_ptr<StorageBackend> owned_;  // absent when it is the caller's
  StorageBackend* backend_;
  TaskStoreOptions options_;
  Environment environment_;
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
