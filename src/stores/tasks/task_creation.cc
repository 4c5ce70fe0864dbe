// Making tasks.

#include <array>
#include <utility>

#include "base/digest.h"
#include "base/try.h"
#include "stator/stores/tasks/task_store.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"
#include "stores/tasks/timestamps.h"
#include "stores/tasks/variables.h"

namespace stator::tasks {
namespace {

constexpr std::string_view kAnonymousOwner = "local";

// An id that only this owner's key gives, in the form of the random ones.
std::string IdFor(const std::string& owner, const std::string& idempotency_key) {
  std::string hash =
      base::Sha256(std::to_string(owner.size()) + ":" + owner + ":" + idempotency_key);
  hash[6] = static_cast<char>((static_cast<unsigned char>(hash[6]) & 0x0FU) | 0x40U);
  hash[8] = static_cast<char>((static_cast<unsigned char>(hash[8]) & 0x3FU) | 0x80U);
  std::string id;
  for (std::size_t at = 0; at < 16; ++at) {
    if (at == 4 || at == 6 || at == 8 || at == 10) {
      id.push_back('-');
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(hash[at]);
    id.push_back(kDigits[byte >> 4U]);
    id.push_back(kDigits[byte & 15U]);
  }
  return id;
}

// Somebody else was at the same key or at the last place of the quota.
bool IsOvertaken(const Error& error) {
  return error.code == ErrorCode::kConflict || error.code == ErrorCode::kLimitExceeded ||
         error.code == ErrorCode::kLeaseHeld;
}

}  // namespace

// A task that is being made.
struct NewTask {
  void SetId(std::string id) {
    key.task = id;
    record.task.id = std::move(id);
  }

  RecordKey key;
  TaskRecord record;
  std::optional<LeaseRequest> lease;
};

Result<std::optional<std::int64_t>> TaskStore::TtlFor(std::optional<std::int64_t> asked) const {
  const std::optional<std::int64_t>& max = options_.ttl_ms_max;
  if (!asked) {
    return options_.default_ttl_ms ? options_.default_ttl_ms : max;
  }
  if (*asked <= 0) {
    return Invalid("ttl must be a positive number of milliseconds");
  }
  if (max && *asked > *max) {
    if (options_.refuse_ttl_above_max) {
      return Invalid("TTL " + std::to_string(*asked) + "ms exceeds maximum allowed " +
                     std::to_string(*max) + "ms");
    }
    return max;
  }
  return asked;
}

Result<void> TaskStore::CheckQuota(const std::string& owner, bool is_counted) {
  const std::size_t too_many = options_.active_tasks_max + (is_counted ? 1 : 0);
  const Result<std::size_t> active =
      backend_->CountActive(owner, EpochSeconds(environment_.clock->Now()), too_many);
  if (!active) {
    return std::unexpected(ErrorOf("", active.error()));
  }
  if (*active >= too_many) {
    return TooManyTasks(options_.active_tasks_max, *active);
  }
  return {};
}

Result<TaskRecord> TaskStore::Create(const Owner& owner, const CreateTaskInput& input) {
  if ((owner.is_anonymous || owner.id.empty()) && !options_.allow_anonymous) {
    return Invalid("anonymous access is not allowed; configure OAuth or enable allow_anonymous");
  }
  if (std::string problem = ProblemWith({.owner = owner.id, .task = {}}); !problem.empty()) {
    return Invalid(std::move(problem));
  }
  const VariableLimits limits{.depth_max = options_.variable_depth_max,
                              .text_bytes_max = options_.variable_text_bytes_max};
  if (const Result<void> checked = CheckVariables(input.variables, limits); !checked) {
    return std::unexpected(checked.error());
  }
  const TimePoint now = environment_.clock->Now();
  TaskRecord record{.task = {},
                    .owner_id = owner.id,
                    .variables = Merged({}, input.variables),
                    .request_method = input.method,
                    .tool_name = input.tool_name,
                    .arguments = input.arguments,
                    .created_by = input.created_by,
                    .idempotency_key = input.idempotency_key,
                    .restartable = input.restartable,
                    .context = input.context,
                    .inputs = input.inputs};
  record.task.ttl_ms = TRY(TtlFor(input.ttl_ms));
  record.task.created_at = std::chrono::floor<std::chrono::milliseconds>(now);
  record.task.last_updated_at = record.task.created_at;
  record.task.poll_interval_ms = options_.poll_interval_ms;
  record.expires_at = ExpiryOf(now, record.task.ttl_ms);
  if (const std::size_t bytes = Json(record.variables).ToText().size();
      bytes > options_.variables_bytes_max) {
    return VariablesTooLarge("", options_.variables_bytes_max, bytes);
  }
  std::optional<LeaseRequest> lease = input.lease;
  if (lease) {
    record.lease = Lease{.worker = lease->worker, .group = lease->group};
  }
  if (input.later) {
    TRY_VOID(SetLater(record, *input.later, lease, now));
  }
  NewTask task{.key = {.owner = owner.id, .task = {}}, .record = std::move(record), .lease = lease};
  if (input.idempotency_key) {
    task.SetId(IdFor(owner.id, *input.idempotency_key));
    return CreateAgain(task);
  }
  for (patterns::Retry retry(options_.retry, environment_);;) {
    TRY_VOID(CheckQuota(owner.id, /*is_counted=*/false));
    task.SetId(environment_.random->Uuid());
    Result<TaskRecord> created = CreateOnce(task, std::nullopt);
    if (created || !IsOvertaken(created.error()) || !retry.Wait()) {
      return created;
    }
  }
}

// In this order: a lease without a record lapses and is removed by whoever finds it, while a record
// without its lease would be nobody's work. Counting behind the write is what makes the limit
// exact: of all that were written, the last one sees the others.
Result<TaskRecord> TaskStore::CreateOnce(const NewTask& task,
                                         std::optional<std::uint64_t> replaces) {
  TaskRecord record = task.record;
  const StoredValue value = TRY(Encode(record));
  if (task.lease) {
    TRY_VOID(TakeLease(task.key, *task.lease, record.expires_at));
  }
  const Result<std::uint64_t> version = replaces
                                            ? backend_->PutIfVersion(task.key, value, *replaces)
                                            : backend_->PutIfAbsent(task.key, value);
  if (!version) {
    const Error error = ErrorOf(task.key.task, version.error());
    if (task.lease && error.code == ErrorCode::kConflict) {
      RemoveLease(task.key, std::nullopt);
    }
    return std::unexpected(error);
  }
  const Result<void> within = CheckQuota(task.key.owner, /*is_counted=*/true);
  if (!within) {
    // The lease stays and lapses: should a delayed copy of the write make the record again, it is
    // found by it.
    if (const Result<bool> deleted = backend_->Delete(task.key); !deleted) {
      Log("a task too many was not taken back: " + deleted.error().message);
    }
    return std::unexpected(within.error());
  }
  record.version = *version;
  return record;
}

// The second of two creations with one key finds what the first has made, whichever of them lost
// its answer. What has expired gives way.
Result<TaskRecord> TaskStore::CreateAgain(NewTask& task) {
  const TaskRecord& wanted = task.record;
  for (patterns::Retry retry(options_.retry, environment_);;) {
    Result<TaskRecord> there = Read(task.key.owner, task.key.task, /*for_change=*/true);
    if (there) {
      const bool same = there->idempotency_key == wanted.idempotency_key &&
                        there->request_method == wanted.request_method &&
                        there->tool_name == wanted.tool_name &&
                        there->arguments == wanted.arguments;
      if (!same) {
        return Invalid("the idempotency key was used for another request");
      }
      return there;
    }
    const bool expired = there.error().code == ErrorCode::kExpired;
    if (!expired && there.error().code != ErrorCode::kNotFound) {
      return there;
    }
    TRY_VOID(CheckQuota(task.key.owner, /*is_counted=*/false));
    Result<TaskRecord> created = expired ? ReplaceExpired(task) : CreateOnce(task, std::nullopt);
    if (created || !IsOvertaken(created.error()) || !retry.Wait()) {
      return created;
    }
  }
}

// By version, never by deleting: another creation may have replaced it meanwhile.
Result<TaskRecord> TaskStore::ReplaceExpired(const NewTask& task) {
  const Result<VersionedRecord> stored = backend_->Get(task.key);
  if (!stored) {
    return std::unexpected(ErrorOf(task.key.task, stored.error()));
  }
  const Result<TaskRecord> old = DecodeRecord(stored->data);
  if (!old || !old->IsExpired(environment_.clock->Now())) {
    return Overtaken(task.key.task, stored->version, stored->version);
  }
  if (old->lease) {
    RemoveLease(task.key, std::nullopt);
  }
  return CreateOnce(task, stored->version);
}

Owner ResolveOwner(const Identity& identity) {
  if (!identity.subject.empty()) {
    return {.id = identity.issuer.empty() ? "|" + identity.subject
                                          : identity.issuer + "|" + identity.subject};
  }
  // Whoever is called "local" by name is not the anonymous owner of that name.
  const auto named = [](std::string_view kind, const std::string& id) {
    return Owner{.id = id == kAnonymousOwner ? std::string(kind) + "|" + id : id};
  };
  if (!identity.client_id.empty()) {
    return named("client", identity.client_id);
  }
  if (!identity.session_id.empty()) {
    return named("session", identity.session_id);
  }
  return {.id = std::string(kAnonymousOwner), .is_anonymous = true};
}

}  // namespace stator::tasks
