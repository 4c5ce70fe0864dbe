// Who works on a task, and what a task waits for.

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_items.h"
#include "stores/tasks/task_rules.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

Result<void> CheckClaimable(const Task& task) {
  return IsTerminal(task.status) ? CheckTransition(task, TaskStatus::kWorking) : Result<void>();
}

// There is nothing to work on: not any more, or not before it is answered.
bool NeedsNoWorker(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kExpired ||
         error.code == ErrorCode::kIllegalTransition || error.code == ErrorCode::kNotReady;
}

}  // namespace

Result<void> TaskStore::TakeLease(const RecordKey& key, const LeaseRequest& request,
                                  const std::optional<TimePoint>& expires_at) {
  const TimePoint now = environment_.clock->Now();
  const Result<void> taken =
      backend_->TakeLease(key,
                          {.worker = request.worker,
                           .group = request.group,
                           .until_ms = EpochMilliseconds(now + request.length),
                           .expires_at_seconds = ExpirySeconds(expires_at)},
                          EpochMilliseconds(now));
  if (!taken && taken.error().code == ErrorCode::kAlreadyExists) {
    return LeaseHeld(key.task);
  }
  if (!taken) {
    return std::unexpected(ErrorOf(key.task, taken.error()));
  }
  return {};
}

// A lease that stays lapses, and whoever finds it then removes it; so failing is no failure.
void TaskStore::RemoveLease(const RecordKey& key, std::optional<TimePoint> lapsed_at) {
  std::optional<std::int64_t> lapsed_at_ms;
  if (lapsed_at) {
    lapsed_at_ms = EpochMilliseconds(*lapsed_at);
  }
  if (const Result<bool> removed = backend_->RemoveLease(key, lapsed_at_ms); !removed) {
    Log("the lease of " + ToText(key) + " was not removed: " + removed.error().message);
  }
}

Result<TaskRecord> TaskStore::Claim(std::string_view owner, std::string_view task,
                                    std::string_view worker, std::string_view group,
                                    Duration length) {
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  // The lease first: from then on the worker that had it cannot renew, and whoever dies before the
  // record is written leaves a lease that lapses. The record then says whose outcome counts.
  const auto change = [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckClaimable(record.task));
    if (record.IsParked()) {
      return NotReady(record.task);
    }
    record.lease = Lease{.worker = std::string(worker),
                         .group = std::string(group),
                         .attempt = record.lease ? record.lease->attempt + 1 : 1};
    return {};
  };
  const auto claim = [&]() -> Result<TaskRecord> {
    const Head head = TRY(ReadHead(owner, task, /*for_change=*/true));
    TRY_VOID(CheckClaimable(head.task));
    if (head.task.status == TaskStatus::kInputRequired &&
        TRY(Read(owner, task, /*for_change=*/true)).IsParked()) {
      return NotReady(head.task);
    }
    TRY_VOID(TakeLease(
        key, {.worker = std::string(worker), .group = std::string(group), .length = length},
        head.expires_at));
    return Modify(owner, task, /*touch=*/false, change);
  };
  const TimePoint before = environment_.clock->Now();
  Result<TaskRecord> claimed = claim();
  // Such a lease would be found again and again. Not one that is still held: its task may be about
  // to be created, or was answered a moment ago.
  if (!claimed && NeedsNoWorker(claimed.error()) && !CannotExist(owner, task)) {
    RemoveLease(key, before);
  }
  return claimed;
}

Result<Task> TaskStore::Renew(std::string_view owner, std::string_view task,
                              std::string_view worker, Duration length) {
  Head head = TRY(ReadHead(owner, task, /*for_change=*/true));
  if (IsTerminal(head.task.status)) {
    return LeaseLost(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const Result<void> moved =
      backend_->MoveLease(key, worker, EpochMilliseconds(environment_.clock->Now() + length));
  if (!moved && moved.error().code == ErrorCode::kNotFound) {
    return RegainLease(key, worker, length);
  }
  if (!moved) {
    return std::unexpected(ErrorOf(task, moved.error()));
  }
  return std::move(head.task);
}

Result<Task> TaskStore::RegainLease(const RecordKey& key, std::string_view worker,
                                    Duration length) {
  TaskRecord record = TRY(Read(key.owner, key.task, /*for_change=*/true));
  if (!record.lease || record.lease->worker != worker) {
    return LeaseLost(key.task);
  }
  if (record.IsParked()) {
    return std::move(record.task);
  }
  const Result<void> taken = TakeLease(
      key, {.worker = std::string(worker), .group = record.lease->group, .length = length},
      record.expires_at);
  if (!taken) {
    return taken.error().code == ErrorCode::kLeaseHeld ? LeaseLost(key.task)
                                                       : std::unexpected(taken.error());
  }
  return std::move(record.task);
}

Result<std::vector<bool>> TaskStore::RenewAll(const std::vector<LeaseHolder>& leases,
                                              Duration length) {
  Result<std::vector<bool>> held =
      backend_->MoveLeases(leases, EpochMilliseconds(environment_.clock->Now() + length));
  if (!held) {
    return std::unexpected(ErrorOf("", held.error()));
  }
  return held;
}

Result<void> TaskStore::Release(std::string_view owner, std::string_view task,
                                std::string_view worker) {
  if (CannotExist(owner, task)) {
    return LeaseLost(task);
  }
  // Lapsed at once, so that whoever looks for lost work finds it.
  const TimePoint past = environment_.clock->Now() - std::chrono::milliseconds(1);
  const Result<void> moved = backend_->MoveLease(
      {.owner = std::string(owner), .task = std::string(task)}, worker, EpochMilliseconds(past));
  if (!moved && moved.error().code == ErrorCode::kNotFound) {
    return LeaseLost(task);
  }
  if (!moved) {
    return std::unexpected(ErrorOf(task, moved.error()));
  }
  return {};
}

Result<std::vector<RecordKey>> TaskStore::ListLapsed(std::string_view group, std::size_t limit,
                                                     Duration ahead) {
  Result<std::vector<RecordKey>> keys =
      backend_->ListLapsed(group, EpochMilliseconds(environment_.clock->Now() + ahead), limit);
  if (!keys) {
    return std::unexpected(ErrorOf("", keys.error()));
  }
  return *std::move(keys);
}

Result<void> TaskStore::KeepDead(std::string_view owner, std::string_view task) {
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const Head head = TRY(ReadHead(owner, task, /*for_change=*/true));
  if (!IsTerminal(head.task.status)) {
    return NotReady(head.task);
  }
  RemoveLease(key, std::nullopt);
  // Lapsed at once, so that it is listed.
  return TakeLease(key,
                   {.worker = std::string(kDeadGroup),
                    .group = std::string(kDeadGroup),
                    .length = -std::chrono::milliseconds(1)},
                   head.expires_at);
}

Result<std::vector<RecordKey>> TaskStore::ListDead(std::size_t limit) {
  return ListLapsed(kDeadGroup, limit);
}

Result<TaskRecord> TaskStore::TryAgain(std::string_view owner, std::string_view task,
                                       std::string_view group) {
  // Until it is stored; then whoever looks may have it at once.
  constexpr Duration kHeld = std::chrono::seconds(10);
  const TaskRecord old = TRY(Read(owner, task, /*for_change=*/false));
  if (old.task.status != TaskStatus::kFailed && old.task.status != TaskStatus::kCancelled) {
    return IllegalTransition(old.task, TaskStatus::kWorking);
  }
  const std::string holder = "again/" + environment_.random->Uuid();
  CreateTaskInput input{.method = old.request_method,
                        .ttl_ms = old.task.ttl_ms,
                        .variables = old.variables,
                        .tool_name = old.tool_name,
                        .arguments = old.arguments,
                        .created_by = old.created_by,
                        .restartable = old.restartable,
                        .context = old.context};
  const std::optional<Schedule> schedule = ScheduleOf(old);
  if (schedule) {
    input.later = LaterRequest{.worker = holder, .group = std::string(group), .schedule = schedule};
  } else {
    input.lease = LeaseRequest{.worker = holder, .group = std::string(group), .length = kHeld};
  }
  TaskRecord made = TRY(Create({.id = old.owner_id, .is_anonymous = false}, input));
  if (!schedule) {
    TRY_VOID(Release(owner, made.task.id, holder));
  }
  // Of a task that is not dead the lease has gone with its end.
  RemoveLease({.owner = std::string(owner), .task = std::string(task)}, environment_.clock->Now());
  return made;
}

Result<TaskRecord> TaskStore::RequestInput(std::string_view owner, std::string_view task,
                                           const std::vector<InputRequest>& requests,
                                           const std::optional<std::string>& message) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckNotEnded(record));
    for (const InputRequest& request : requests) {
      const auto found = std::ranges::find(record.inputs, request.id, &InputRequest::id);
      if (found == record.inputs.end()) {
        record.inputs.push_back(request);
      } else if (found->method != request.method || found->params != request.params) {
        return Invalid("another question has this id");
      }
    }
    if (record.HasOpenInput()) {
      Apply(record, TaskStatus::kInputRequired, message);
    }
    return {};
  });
}

Result<TaskRecord> TaskStore::AnswerInput(std::string_view owner, std::string_view task,
                                          std::string_view request_id, Json answer) {
  return Modify(owner, task, /*touch=*/true, [&](TaskRecord& record) -> Result<void> {
    TRY_VOID(CheckNotEnded(record));
    const auto found = std::ranges::find(record.inputs, request_id, &InputRequest::id);
    if (found == record.inputs.end() || found->answer) {
      return Invalid("the task does not wait for this answer");
    }
    found->answer = answer;
    if (!record.HasOpenInput()) {
      Apply(record, TaskStatus::kWorking, std::nullopt);
    }
    return {};
  });
}

}  // namespace stator::tasks
