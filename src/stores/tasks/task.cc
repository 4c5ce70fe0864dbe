#include "stator/stores/tasks/task.h"

#include <algorithm>

#include "base/try.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

std::unexpected<Error> Bad(std::string_view name, std::string_view what) {
  return Invalid("the task's " + std::string(name) + " is " + std::string(what));
}

Result<std::string> RequiredText(const Json& json, std::string_view name) {
  std::optional<std::string> text = json.TextOf(name);
  if (!text) {
    return Bad(name, "missing or no text");
  }
  return *std::move(text);
}

Result<TimePoint> RequiredTime(const Json& json, std::string_view name) {
  const std::optional<TimePoint> time = ParseTimestamp(TRY(RequiredText(json, name)));
  if (!time) {
    return Bad(name, "no timestamp");
  }
  return *time;
}

Result<std::optional<std::int64_t>> OptionalNumber(const Json& json, std::string_view name) {
  const Json* const member = json.Find(name);
  if (member == nullptr || member->is_null()) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> number = member->ToInt64();
  if (!number) {
    return Bad(name, "no whole number");
  }
  return number;
}

}  // namespace

std::string_view NameOf(TaskStatus status) {
  switch (status) {
    case TaskStatus::kWorking:
      return "working";
    case TaskStatus::kInputRequired:
      return "input_required";
    case TaskStatus::kCompleted:
      return "completed";
    case TaskStatus::kFailed:
      return "failed";
    case TaskStatus::kCancelled:
      return "cancelled";
  }
  std::unreachable();
}

std::optional<TaskStatus> ParseTaskStatus(std::string_view name) {
  const auto* const found =
      std::ranges::find(kTaskStatuses, name, [](TaskStatus status) { return NameOf(status); });
  return found == kTaskStatuses.end() ? std::nullopt : std::optional(*found);
}

bool IsTerminal(TaskStatus status) {
  return status != TaskStatus::kWorking && status != TaskStatus::kInputRequired;
}

bool MayBecome(TaskStatus from, TaskStatus to) {
  return !IsTerminal(from) && from != to;
}

JsonObject ToJson(const Task& task) {
  JsonObject json;
  json.Set("taskId", task.id);
  json.Set("status", NameOf(task.status));
  if (task.status_message) {
    json.Set("statusMessage", *task.status_message);
  }
  json.Set("createdAt", ToMillisecondText(task.created_at));
  json.Set("lastUpdatedAt", ToMillisecondText(task.last_updated_at));
  json.Set("ttl", task.ttl_ms ? Json(*task.ttl_ms) : Json());
  if (task.poll_interval_ms) {
    json.Set("pollInterval", *task.poll_interval_ms);
  }
  if (task.meta) {
    json.Set("_meta", *task.meta);
  }
  return json;
}

Result<Task> TaskFromJson(const Json& json) {
  Task task;
  task.id = TRY(RequiredText(json, "taskId"));
  const std::optional<TaskStatus> status = ParseTaskStatus(TRY(RequiredText(json, "status")));
  if (!status) {
    return Bad("status", "unknown");
  }
  task.status = *status;
  task.status_message = json.TextOf("statusMessage");
  task.created_at = TRY(RequiredTime(json, "createdAt"));
  task.last_updated_at = TRY(RequiredTime(json, "lastUpdatedAt"));
  task.ttl_ms = TRY(OptionalNumber(json, "ttl"));
  task.poll_interval_ms = TRY(OptionalNumber(json, "pollInterval"));
  if (const Json* const meta = json.Find("_meta"); meta != nullptr && meta->Is<JsonObject>()) {
    task.meta = *meta;
  }
  return task;
}

bool TaskRecord::HasOpenInput() const {
  return std::ranges::any_of(inputs, [](const InputRequest& input) { return !input.answer; });
}

}  // namespace stator::tasks
