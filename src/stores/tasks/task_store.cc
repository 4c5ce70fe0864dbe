#include "stator/stores/tasks/task_store.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "stores/tasks/backend_checks.h"
#include "stores/tasks/record_codec.h"
#include "stores/tasks/task_rules.h"

namespace stator::tasks {
namespace {

constexpr Duration kPauseMax = std::chrono::milliseconds(250);

std::unexpected<TaskError> NotFound(std::string_view task) {
  return std::unexpected(TaskError{.kind = TaskErrorKind::kNotFound, .task = std::string(task)});
}

std::unexpected<TaskError> Expired(std::string_view task, TimePoint when) {
  return std::unexpected(
      TaskError{.kind = TaskErrorKind::kExpired, .task = std::string(task), .expired_at = when});
}

}  // namespace

TaskStore::TaskStore(StorageBackend& backend, TaskStoreOptions options)
    : backend_(backend), options_(std::move(options)) {
  const std::string problem = CheckOptions(options_);
  CHECK_THAT(problem.empty(), problem);
}

std::string TaskStore::CheckOptions(const TaskStoreOptions& options) {
  if (options.default_ttl_ms && *options.default_ttl_ms <= 0) {
    return "the default ttl must be positive";
  }
  if (options.max_ttl_ms && *options.max_ttl_ms <= 0) {
    return "the maximum ttl must be positive";
  }
  if (options.default_ttl_ms && options.max_ttl_ms &&
      *options.default_ttl_ms > *options.max_ttl_ms) {
    return "the default ttl exceeds the maximum";
  }
  if (options.page_size == 0 || options.attempts_max <= 0) {
    return "page size and attempts must be positive";
  }
  return {};
}

void TaskStore::Log(std::string_view line) const {
  if (options_.log) {
    options_.log(line);
  }
}

TaskError TaskStore::ErrorOf(std::string_view task, const StorageError& error) const {
  switch (error.kind) {
    case StorageError::Kind::kNotFound:
      return {.kind = TaskErrorKind::kNotFound, .task = std::string(task)};
    case StorageError::Kind::kAlreadyExists:
    case StorageError::Kind::kVersionConflict:
      return {.kind = TaskErrorKind::kConcurrentModification,
              .task = std::string(task),
              .actual = error.actual,
              .expected = error.expected};
    case StorageError::Kind::kCapacityExceeded:
      return {
          .kind = TaskErrorKind::kStorageFull, .task = std::string(task), .detail = error.message};
    case StorageError::Kind::kBackend:
      break;
  }
  Log(error.ToText() + (error.cause ? " (" + error.cause->message + ")" : ""));
  return {.kind = TaskErrorKind::kStoreError,
          .task = std::string(task),
          .detail = error.message,
          .cause = error.cause};
}

TaskResult<TaskRecord> TaskStore::Read(std::string_view owner, std::string_view task,
                                       bool for_change) {
  if (CannotExist(owner, task)) {
    return NotFound(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const StorageResult<VersionedRecord> stored = backend_.Get(key);
  if (!stored) {
    return std::unexpected(ErrorOf(task, stored.error()));
  }
  Result<TaskRecord> record = DecodeRecord(stored->data);
  if (!record) {
    Log("cannot read " + ToText(key) + ": " + record.error().message);
    return std::unexpected(TaskError{.kind = TaskErrorKind::kStoreError,
                                     .task = std::string(task),
                                     .detail = record.error().message,
                                     .cause = record.error()});
  }
  record->version = stored->version;
  if (record->owner_id != owner || record->task.id != task) {
    Log("the record at " + ToText(key) + " belongs to another owner or task");
    return NotFound(task);
  }
  const bool hides = for_change || !options_.show_expired;
  if (hides && record->IsExpired(options_.clock->Now())) {
    return Expired(task, *record->expires_at);
  }
  return *std::move(record);
}

TaskResult<TaskRecord> TaskStore::Get(std::string_view owner, std::string_view task) {
  return Read(owner, task, /*for_change=*/false);
}

TaskResult<Task> TaskStore::Poll(std::string_view owner, std::string_view task) {
  Head head = TRY(ReadHead(owner, task, /*for_change=*/false));
  return std::move(head.task);
}

TaskResult<Head> TaskStore::ReadHead(std::string_view owner, std::string_view task,
                                     bool for_change) {
  if (CannotExist(owner, task)) {
    return NotFound(task);
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const StorageResult<VersionedHead> stored = backend_.GetHead(key);
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
  if (hides && head->expires_at && options_.clock->Now() > *head->expires_at) {
    return Expired(task, *head->expires_at);
  }
  return *std::move(head);
}

TaskResult<std::size_t> TaskStore::RecordBytesMax() {
  const StorageResult<BackendCapabilities> capabilities = backend_.Capabilities();
  if (!capabilities) {
    return std::unexpected(ErrorOf("", capabilities.error()));
  }
  return capabilities->record_bytes_max;
}

TaskResult<StoredValue> TaskStore::Encode(const TaskRecord& record) {
  StoredValue value = EncodeRecord(record);
  if (std::string problem = ProblemWith(record, value); !problem.empty()) {
    return InvalidArgument(std::move(problem));
  }
  const std::size_t bytes = RecordBytes({.owner = record.owner_id, .task = record.task.id}, value);
  const std::size_t limit = TRY(RecordBytesMax());
  if (bytes > limit) {
    return std::unexpected(TaskError{.kind = TaskErrorKind::kResultTooLarge,
                                     .task = record.task.id,
                                     .limit = limit,
                                     .actual = bytes});
  }
  return value;
}

TaskResult<TaskRecord> TaskStore::Modify(std::string_view owner, std::string_view task, bool touch,
                                         const Change& change) {
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  Duration pause = kFirstPause;
  for (int attempt = 1;; ++attempt) {
    TaskRecord record = TRY(Read(owner, task, /*for_change=*/true));
    const bool had_lease = record.lease.has_value();
    TRY_VOID(change(record));
    if (touch) {
      record.task.last_updated_at =
          std::chrono::floor<std::chrono::milliseconds>(options_.clock->Now());
    }
    const StoredValue value = TRY(Encode(record));
    const StorageResult<std::uint64_t> version = backend_.PutIfVersion(key, value, record.version);
    if (version) {
      record.version = *version;
      if (had_lease && !record.lease) {
        RemoveLease(key, std::nullopt);
      }
      return record;
    }
    const bool overtaken = version.error().kind == StorageError::Kind::kVersionConflict;
    if (!overtaken || attempt >= options_.attempts_max) {
      return std::unexpected(ErrorOf(task, version.error()));
    }
    SleepBeforeRetry(pause);
  }
}

void TaskStore::SleepBeforeRetry(Duration& pause) const {
  const auto half = static_cast<std::uint64_t>(pause.count()) / 2;
  options_.clock->SleepFor(Duration(half + options_.random->Below(half + 1)));
  pause = std::min(pause * 2, kPauseMax);
}

TaskResult<bool> TaskStore::Delete(std::string_view owner, std::string_view task) {
  if (CannotExist(owner, task)) {
    return false;
  }
  const RecordKey key{.owner = std::string(owner), .task = std::string(task)};
  const StorageResult<bool> deleted = backend_.Delete(key);
  if (!deleted) {
    return std::unexpected(ErrorOf(task, deleted.error()));
  }
  RemoveLease(key, std::nullopt);
  return *deleted;
}

TaskResult<std::size_t> TaskStore::CleanupExpired() {
  const StorageResult<std::size_t> removed =
      backend_.CleanupExpired(EpochSeconds(options_.clock->Now()));
  if (!removed) {
    return std::unexpected(ErrorOf("", removed.error()));
  }
  return *removed;
}

}  // namespace stator::tasks
