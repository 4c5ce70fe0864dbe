// A task: the durable record of one long-running request, as clients see it and as it is stored.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/clock.h"
#include "stator/stores/tasks/json.h"

namespace stator::tasks {

enum class TaskStatus : std::uint8_t { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

inline constexpr std::array kTaskStatuses = {TaskStatus::kWorking, TaskStatus::kInputRequired,
                                             TaskStatus::kCompleted, TaskStatus::kFailed,
                                             TaskStatus::kCancelled};

// "working", "input_required", "completed", "failed", "cancelled": on the wire and on disk.
std::string_view NameOf(TaskStatus status);
std::optional<TaskStatus> ParseTaskStatus(std::string_view name);

// Completed, failed and cancelled: nothing changes any more.
bool IsTerminal(TaskStatus status);

// Working and input_required lead to every other status; a terminal status leads nowhere.
bool MayBecome(TaskStatus from, TaskStatus to);

// What clients see.
struct Task {
  std::string id;
  TaskStatus status = TaskStatus::kWorking;
  std::optional<std::string> status_message = std::nullopt;
  TimePoint created_at = {};                          // whole milliseconds
  TimePoint last_updated_at = {};                     // whole milliseconds
  std::optional<std::int64_t> ttl_ms = std::nullopt;  // from creation; absent for ever
  std::optional<std::int64_t> poll_interval_ms = std::nullopt;
  std::optional<Json> meta = std::nullopt;  // an object

  friend bool operator==(const Task&, const Task&) = default;
};

// The task as MCP writes it: {"taskId":…,"status":…,"createdAt":…,"lastUpdatedAt":…,"ttl":…}.
// "ttl" is always there, null when there is none; what is optional and absent is left out.
JsonObject ToJson(const Task& task);

// Fails with kValidation when something required is missing or of the wrong kind. Members that are
// not known are passed over.
Result<Task> TaskFromJson(const Json& json);

// How a request ended that failed by itself: an error of JSON-RPC.
struct TaskFault {
  std::int64_t code = 0;
  std::string message;
  std::optional<Json> data = std::nullopt;

  friend bool operator==(const TaskFault&, const TaskFault&) = default;
};

// Who runs the task. Until when the others have to leave it alone is kept beside the record, so
// that a heartbeat does not rewrite it.
struct Lease {
  std::string worker;        // whoever claimed it last
  std::string group;         // workers that may take over from each other
  std::int64_t attempt = 1;  // how often the task was begun

  friend bool operator==(const Lease&, const Lease&) = default;
};

// A question to the client. The task waits for it until it has an answer, which then stays: a tool
// that is begun again asks the same questions.
struct InputRequest {
  std::string id;
  std::string method;  // "elicitation/create"
  Json params;
  std::optional<Json> answer = std::nullopt;

  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

// What is stored. FORMAT: docs/tasks.md, section "The record".
struct TaskRecord {
  Task task;
  std::string owner_id;
  JsonObject variables = {};
  std::optional<Json> result = std::nullopt;  // JSON's null is a result like any other
  // Where a result is that is too large for the record; TaskStore::Get then brings it along.
  std::optional<std::string> result_blob = std::nullopt;
  std::optional<TaskFault> error = std::nullopt;
  std::string request_method;
  std::optional<TimePoint> expires_at = std::nullopt;
  std::optional<std::string> tool_name = std::nullopt;
  std::optional<Json> arguments = std::nullopt;
  std::optional<std::string> created_by = std::nullopt;
  std::optional<std::string> idempotency_key = std::nullopt;
  bool restartable = false;  // may be run again when its worker is lost
  std::optional<Lease> lease = std::nullopt;
  std::optional<Json> context = std::nullopt;  // what its runner has to know besides
  std::vector<InputRequest> inputs = {};       // in the order of asking; gone when the task ends
  JsonObject further = {};    // members that this version does not know; kept as they are
  std::uint64_t version = 0;  // beside the record, not in it; 0 until it is stored

  [[nodiscard]] bool IsExpired(TimePoint now) const { return expires_at && now > *expires_at; }
  [[nodiscard]] bool HasOpenInput() const;
  // It waits for answers, and nobody has to do anything until they are there.
  [[nodiscard]] bool IsParked() const {
    return task.status == TaskStatus::kInputRequired && HasOpenInput();
  }
};

}  // namespace stator::tasks
