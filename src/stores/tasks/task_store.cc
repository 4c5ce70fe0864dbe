#include "stator/stores/tasks/task_store.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <utility>

#include "base/try.h"
#include "stator/base/mutex.h"
#include "stator/stores/tasks/database_backend.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

std::string ProblemWithOptions(const TaskStoreOptions& options) {
  const auto& most = options.ttl_ms_max;
  if (options.default_ttl_ms && *options.default_ttl_ms <= 0) {
    return "the default ttl must be positive";
  }
  if (most && *most <= 0) {
    return "the maximum ttl must be positive";
  }
  if (options.default_ttl_ms && most && *options.default_ttl_ms > *most) {
    return "the default ttl exceeds the maximum";
  }
  if (options.page_size == 0) {
    return "the page size must be positive";
  }
  return {};
}

}  // namespace

Result<TaskStore> TaskStore::Open(Database& database, TaskStoreOptions options,
                                  Environment environment) {
  if (options.table.empty()) {
    return Invalid("tasks need a table");
  }
  auto backend = std::make_unique<DatabaseBackend>(
      database, DatabaseBackendOptions{.table = options.table}, environment);
  TaskStore store = TRY(Open(*backend, std::move(options), environment));
  store.owned_ = std::move(backend);
  return store;
}

Result<TaskStore> TaskStore::Open(StorageBackend& backend, TaskStoreOptions options,
                                  Environment environment) {
  if (std::string problem = ProblemWithOptions(options); !problem.empty()) {
    return Invalid(std::move(problem));
  }
  return TaskStore(backend, std::move(options), environment);
}

void TaskStore::Log(std::string_view line) const {
  if (options_.log) {
    options_.log(line);
  }
}

Error TaskStore::ErrorOf(std::string_view task, const Error& error) const {
  Error made = ToTaskError(task, error);
  if (IsStoreFailure(made.code)) {
    const std::optional<Error>& cause = FactsOf(made).cause;
    Log("backend error: " + error.message + (cause ? " (" + cause->message + ")" : ""));
  }
  return made;
}

Result<TaskRecord> TaskStore::Read(std::string_view owner, std::string_view task, bool for_change) {
  if (CannotExist(owner, task)) {
    return NotFound(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const Result<VersionedRecord> stored = backend_->Get(key);
  if (!stored) {
    return std::unexpected(ErrorOf(task, stored.error()));
  }
  Result<TaskRecord> record = DecodeRecord(stored->data);
  if (!record) {
    Log("cannot read " + ToText(key) + ": " + record.error().message);
    return std::unexpected(
        ToTaskError(task, {.code = ErrorCode::kCorruption,
                           .message = record.error().message,
                           .detail = std::make_shared<BackendCause>(record.error())}));
  }
  record->version = stored->version;
  if (record->owner_id != owner || record->task.id != task) {
    Log("the record at " + ToText(key) + " belongs to another owner or task");
    return NotFound(task);
  }
  const bool hides = for_change || !options_.show_expired;
  if (hides && record->IsExpired(environment_.clock->Now())) {
    return Expired(task, *record->expires_at);
  }
  return *std::move(record);
}

Result<TaskRecord> TaskStore::Get(std::string_view owner, std::string_view task) {
  TaskRecord record = TRY(Read(owner, task, /*for_change=*/false));
  if (options_.blobs != nullptr) {
    TRY_VOID(FetchResult(record));
  }
  return record;
}

Result<Task> TaskStore::Poll(std::string_view owner, std::string_view task) {
  Head head = TRY(ReadHead(owner, task, /*for_change=*/false));
  return std::move(head.task);
}

Result<Head> TaskStore::ReadHead(std::string_view owner, std::string_view task, bool for_change) {
  if (CannotExist(owner, task)) {
    return NotFound(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const Result<VersionedHead> stored = backend_->GetHead(key);
  if (!stored) {
    return std::unexpected(ErrorOf(task, stored.error()));
  }
  Result<Head> head = DecodeHead(stored->head);
  if (!head) {
    // The record itself may still be whole.
    TaskRecord record = TRY(Read(owner, task, for_change));
    return Head{.task = std::move(record.task), .expires_at = record.expires_at};
  }
  if (head->task.id != task) {
    Log("the record at " + ToText(key) + " belongs to another task");
    return NotFound(task);
  }
  const bool hides = for_change || !options_.show_expired;
  if (hides && head->expires_at && environment_.clock->Now() > *head->expires_at) {
    return Expired(task, *head->expires_at);
  }
  return *std::move(head);
}

Result<std::size_t> TaskStore::RecordBytesMax() {
  const Result<BackendCapabilities> capabilities = backend_->Capabilities();
  if (!capabilities) {
    return std::unexpected(ErrorOf("", capabilities.error()));
  }
  return capabilities->record_bytes_max;
}

Result<StoredValue> TaskStore::EncodeWhole(const TaskRecord& record) {
  StoredValue value = EncodeRecord(record);
  if (std::string problem = ProblemWith(record, value); !problem.empty()) {
    return Invalid(std::move(problem));
  }
  const std::size_t bytes = RecordBytes({.owner = record.owner_id, .task = record.task.id}, value);
  const std::size_t limit = TRY(RecordBytesMax());
  if (bytes > limit) {
    return RecordTooLarge(record.task.id, limit, bytes);
  }
  return value;
}

namespace {

struct Round {
  TaskRecord record;
  bool had_lease = false;
  bool was_parked = false;
};

// Those of one process that change the same task take turns, so that only other processes can
// overtake them: many writers of one task all succeed, and none of them reads in vain. Recursive,
// because a backend may be somebody's who asks a store in turn.
std::recursive_mutex& TurnOf(const RecordKey& key) {
  static std::array<std::recursive_mutex, 256> turns;
  return turns[std::hash<std::string>()(key.owner + "/" + key.task) % turns.size()];
}

}  // namespace

Result<std::uint64_t> TaskStore::Write(const RecordKey& key, TaskRecord& record, bool had_lease,
                                       bool was_parked) {
  const StoredValue value = TRY(Encode(record));
  const bool is_left = !was_parked && record.IsParked();
  const bool is_back = was_parked && !record.IsParked();
  Result<std::uint64_t> version = 0;
  if (record.lease && (is_left || is_back)) {
    std::optional<StoredLease> lease;
    if (is_back) {
      lease = StoredLease{
          .worker = record.lease->worker,
          .group = record.lease->group,
          .until_ms = EpochMilliseconds(environment_.clock->Now() + options_.answer_time),
          .expires_at_seconds = ExpirySeconds(record.expires_at)};
    }
    version = backend_->PutWithLease(key, value, record.version, lease);
  } else {
    version = backend_->PutIfVersion(key, value, record.version);
  }
  if (!version) {
    return std::unexpected(ErrorOf(key.task, version.error()));
  }
  if (had_lease && !record.lease) {
    RemoveLease(key, std::nullopt);
  }
  return version;
}

Result<TaskRecord> TaskStore::Modify(std::string_view owner, std::string_view task, bool touch,
                                     const Change& change, const patterns::RetryOptions& retry) {
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const auto read = [&](const Error* /*overtaken*/) -> Result<Round> {
    TaskRecord record = TRY(Read(owner, task, /*for_change=*/true));
    const bool had_lease = record.lease.has_value();
    const bool was_parked = record.IsParked();
    return Round{.record = std::move(record), .had_lease = had_lease, .was_parked = was_parked};
  };
  const auto apply = [&](Round& round) -> Result<std::optional<TaskRecord>> {
    TRY_VOID(change(round.record));
    if (touch) {
      round.record.task.last_updated_at =
          std::chrono::floor<std::chrono::milliseconds>(environment_.clock->Now());
    }
    return std::nullopt;
  };
  const auto write = [&](Round& round) -> Result<TaskRecord> {
    round.record.version = TRY(Write(key, round.record, round.had_lease, round.was_parked));
    return std::move(round.record);
  };
  const std::scoped_lock turn(TurnOf(key));
  return patterns::ReadModifyWrite(retry, environment_, read, apply, write);
}

Result<bool> TaskStore::Delete(std::string_view owner, std::string_view task) {
  if (CannotExist(owner, task)) {
    return false;
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const Result<bool> deleted = backend_->Delete(key);
  if (!deleted) {
    return std::unexpected(ErrorOf(task, deleted.error()));
  }
  RemoveLease(key, std::nullopt);
  return *deleted;
}

Result<std::size_t> TaskStore::CleanupExpired() {
  const Result<std::size_t> removed =
      backend_->CleanupExpired(EpochSeconds(environment_.clock->Now()));
  if (!removed) {
    return std::unexpected(ErrorOf("", removed.error()));
  }
  return *removed;
}

Result<std::unique_ptr<ChangeFeed>> TaskStore::Follow() {
  Result<std::unique_ptr<ChangeFeed>> feed = backend_->Follow();
  if (!feed) {
    return std::unexpected(ErrorOf("", feed.error()));
  }
  return feed;
}

}  // namespace stator::tasks
