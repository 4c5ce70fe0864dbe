#include "stores/tasks/task_rules.h"

#include <utility>

#include "stator/stores/tasks/storage_backend.h"
#include "stores/tasks/failures.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

constexpr std::size_t kMessageBytesMax = 4096;

bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

bool CannotExist(std::string_view owner, std::string_view task) {
  return task.empty() ||
         !ProblemWith(RecordKey{.owner = std::string(owner), .task = std::string(task)}).empty();
}

std::optional<TimePoint> ExpiryOf(TimePoint now, std::optional<std::int64_t> ttl_ms) {
  if (!ttl_ms || *ttl_ms > (kLatestTimestamp - now) / std::chrono::milliseconds(1)) {
    return std::nullopt;
  }
  return now + std::chrono::milliseconds(*ttl_ms);
}

Result<void> CheckTransition(const Task& task, TaskStatus to) {
  if (MayBecome(task.status, to)) {
    return {};
  }
  return IllegalTransition(task, to);
}

Result<void> CheckNotEnded(const TaskRecord& record) {
  if (IsTerminal(record.task.status)) {
    return CheckTransition(record.task, record.task.status);
  }
  return {};
}

void Apply(TaskRecord& record, TaskStatus to, std::optional<std::string> message) {
  record.task.status = to;
  record.task.status_message = Shortened(std::move(message));
  if (IsTerminal(to)) {
    record.lease.reset();
    record.inputs.clear();
  }
}

std::optional<std::string> Shortened(std::optional<std::string> message) {
  if (message && message->size() > kMessageBytesMax) {
    std::size_t size = kMessageBytesMax;
    while (size > 0 && IsContinuation((*message)[size])) {
      --size;
    }
    message->resize(size);
  }
  return message;
}

}  // namespace stator::tasks
