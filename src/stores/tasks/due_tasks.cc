// Tasks that begin later: after a time, or by a schedule. Until then they have a lease of nobody that
// lapses when their time has come, so that ListDue finds them by the index of leases.

#include <utility>

#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

// On disk; cannot change. In the context of a schedule: what Schedule::ToJson gives, and
constexpr std::string_view kScheduleContext = "schedule";
constexpr std::string_view kNext = "next";  // the due time, a timestamp
constexpr std::string_view kTtl = "ttlMs";  // of the tasks that it makes, null for ever
// The group of what waits for its time: this and the group that looks for it.
constexpr std::string_view kGroupPrefix = "later:";
// What a task of a schedule says of itself.
constexpr std::string_view kScheduleMeta = "stator/schedule";
constexpr std::string_view kDueMeta = "stator/due";

// A schedule as it is kept.
struct Plan {
  Schedule schedule;
  TimePoint next;
  std::optional<std::int64_t> ttl_ms;
};

std::string GroupOf(std::string_view group) {
  return std::string(kGroupPrefix).append(group);
}

std::unexpected<Error> Unreadable(const std::string& why) {
  return Fail(ErrorCode::kCorruption, "the schedule cannot be read: " + why);
}

Result<Plan> PlanOf(const Json& kept) {
  JsonObject rules;
  for (const std::string_view name : {"every", "cron", "missed"}) {
    if (const Json* const value = kept.Find(name)) {
      rules.Set(name, *value);
    }
  }
  const auto next = ParseTimestamp(kept.TextOf(kNext).value_or(""));
  const Result<Schedule> schedule = Schedule::FromJson(rules);
  if (!schedule || !next) {
    return Unreadable(schedule ? "it does not say when it is due" : schedule.error().message);
  }
  const Json* const ttl = kept.Find(kTtl);
  return Plan{.schedule = *schedule,
              .next = *next,
              .ttl_ms = ttl == nullptr ? std::nullopt : ttl->ToInt64()};
}

void Keep(TaskRecord& record, const Plan& plan, const std::string& note) {
  JsonObject kept = plan.schedule.ToJson();
  kept.Set(kNext, ToExactText(plan.next));
  kept.Set(kTtl, plan.ttl_ms ? Json(*plan.ttl_ms) : Json());
  JsonObject context = record.context && record.context->Is<JsonObject>()
                           ? *record.context->If<JsonObject>()
                           : JsonObject();
  context.Set(kScheduleContext, std::move(kept));
  record.context = std::move(context);
  record.task.status_message =
      Shortened(plan.schedule.ToText() + ", next at " + ToMillisecondText(plan.next) + note);
}

// A lease has lapsed behind its end, and a task is due at its time.
TimePoint EndFor(TimePoint due) {
  return due - std::chrono::milliseconds(1);
}

}  // namespace

std::optional<Schedule> ScheduleOf(const TaskRecord& record) {
  const Json* const kept = record.context ? record.context->Find(kScheduleContext) : nullptr;
  const Result<Plan> plan = kept == nullptr ? Unreadable("") : PlanOf(*kept);
  return plan ? std::optional(plan->schedule) : std::nullopt;
}

Result<void> TaskStore::SetLater(TaskRecord& record, const LaterRequest& later,
                                 std::optional<LeaseRequest>& lease, TimePoint now) {
  const Result<BackendCapabilities> capabilities = backend_->Capabilities();
  if (!capabilities) {
    return std::unexpected(ErrorOf("", capabilities.error()));
  }
  if (!capabilities->finds_lapsed_leases) {
    return Invalid("tasks that begin later need a table with indexes");
  }
  TimePoint due = now + later.delay;
  if (later.schedule) {
    const Plan plan{.schedule = *later.schedule,
                    .next = later.schedule->First(record.task.created_at),
                    .ttl_ms = record.task.ttl_ms};
    due = plan.next;
    record.task.ttl_ms.reset();
    record.expires_at.reset();
    Keep(record, plan, "");
  } else if (record.task.ttl_ms) {
    // Its life begins when it does.
    *record.task.ttl_ms += later.delay / std::chrono::milliseconds(1);
    record.expires_at = *record.expires_at + later.delay;
  }
  lease = LeaseRequest{
      .worker = later.worker, .group = GroupOf(later.group), .length = EndFor(due) - now};
  record.lease = Lease{.worker = lease->worker, .group = lease->group, .attempt = 0};
  return {};
}

Result<std::vector<RecordKey>> TaskStore::ListDue(std::string_view group, std::size_t limit,
                                                  Duration ahead) {
  return ListLapsed(GroupOf(group), limit, ahead);
}

Result<TaskRecord> TaskStore::BeginDue(std::string_view owner, std::string_view task,
                                       const std::function<DueRun(const TaskRecord&)>& run) {
  Result<TaskRecord> record = Read(owner, task, /*for_change=*/true);
  const bool is_over = record ? IsTerminal(record->task.status)
                              : record.error().code == ErrorCode::kNotFound ||
                                    record.error().code == ErrorCode::kExpired;
  if (is_over && !CannotExist(owner, task)) {
    // Nobody will need it any more.
    RemoveLease({.owner = std::string(owner), .task = std::string(task)},
                environment_.clock->Now());
  }
  if (!record) {
    return record;
  }
  TRY_VOID(CheckNotEnded(*record));
  if (record->context && record->context->Find(kScheduleContext) != nullptr) {
    return MakeDue(*std::move(record), run);
  }
  if (!record->lease || !record->lease->group.starts_with(kGroupPrefix)) {
    return NotReady(record->task);
  }
  const LeaseRequest lease = run(*record).lease;
  return Claim(owner, task, lease.worker, lease.group, lease.length);
}

// The new task and the next due time are one write, so whoever does it is the only one.
Result<TaskRecord> TaskStore::MakeDue(TaskRecord schedule,
                                      const std::function<DueRun(const TaskRecord&)>& run) {
  const RecordKey key{.owner = schedule.owner_id, .task = schedule.task.id};
  Result<Plan> plan = PlanOf(*schedule.context->Find(kScheduleContext));
  if (!plan) {
    // It would be found again and again.
    static_cast<void>(Complete(key.owner, key.task,
                               {.status = TaskStatus::kFailed, .message = plan.error().message}));
    return std::unexpected(plan.error());
  }
  const TimePoint now = environment_.clock->Now();
  const TimePoint due = plan->next;
  if (now < due) {
    return NotReady(schedule.task);
  }
  plan->next = plan->schedule.After(due, now);
  schedule.task.last_updated_at = std::chrono::floor<std::chrono::milliseconds>(now);
  const StoredLease until{.worker = schedule.lease ? schedule.lease->worker : "",
                          .group = schedule.lease ? schedule.lease->group : "",
                          .until_ms = EpochMilliseconds(EndFor(plan->next))};
  if (const Result<void> within = CheckQuota(key.owner, /*is_counted=*/false); !within) {
    if (within.error().code == ErrorCode::kLimitExceeded) {
      Keep(schedule, *plan, "; its owner had too many tasks at " + ToMillisecondText(due));
      const auto written =
          backend_->PutWithLease(key, TRY(EncodeWhole(schedule)), schedule.version, until);
      if (!written) {
        return std::unexpected(ErrorOf(key.task, written.error()));
      }
    }
    return std::unexpected(within.error());
  }
  Keep(schedule, *plan, "");
  const DueRun how = run(schedule);
  TaskRecord made{.task = {.id = environment_.random->Uuid(),
                           .created_at = schedule.task.last_updated_at,
                           .last_updated_at = schedule.task.last_updated_at,
                           .ttl_ms = plan->ttl_ms,
                           .poll_interval_ms = options_.poll_interval_ms,
                           .meta = JsonObject{{std::string(kScheduleMeta), key.task},
                                              {std::string(kDueMeta), ToMillisecondText(due)}}},
                  .owner_id = key.owner,
                  .variables = schedule.variables,
                  .request_method = schedule.request_method,
                  .tool_name = schedule.tool_name,
                  .arguments = schedule.arguments,
                  .created_by = schedule.created_by,
                  .restartable = how.restartable,
                  .lease = Lease{.worker = how.lease.worker, .group = how.lease.group},
                  .context = schedule.context};
  made.expires_at = ExpiryOf(now, plan->ttl_ms);
  made.context->If<JsonObject>()->Erase(kScheduleContext);
  made.context->If<JsonObject>()->Set(kGroupContext, how.lease.group);
  const NewRecord child{.key = {.owner = key.owner, .task = made.task.id},
                        .value = TRY(EncodeWhole(made)),
                        .lease = {.worker = how.lease.worker,
                                  .group = how.lease.group,
                                  .until_ms = EpochMilliseconds(now + how.lease.length),
                                  .expires_at_seconds = ExpirySeconds(made.expires_at)}};
  const auto written =
      backend_->PutWithNew(key, TRY(EncodeWhole(schedule)), schedule.version, until, child);
  if (!written) {
    return std::unexpected(ErrorOf(key.task, written.error()));
  }
  made.version = 1;
  return made;
}

}  // namespace stator::tasks
