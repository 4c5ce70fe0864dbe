// TaskContext: one task as the code that works on it sees it. Cheap to copy; every call goes to the
// store and nothing is kept.
//
//   TaskContext task(store, "alice", id);
//   task.SetVariable("page", 3);
//   std::optional<std::int64_t> page = *task.GetInt64("page");
//   task.Complete(JsonObject{{"pages", 3}});

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "stator/stores/tasks/task_store.h"

namespace stator::tasks {

class TaskContext {
 public:
  // The store must outlive the handle.
  TaskContext(TaskStore& store, std::string owner, std::string task)
      : store_(&store), owner_(std::move(owner)), task_(std::move(task)) {}

  [[nodiscard]] const std::string& task_id() const { return task_; }
  [[nodiscard]] const std::string& owner_id() const { return owner_; }

  [[nodiscard]] Result<TaskRecord> Get() const { return store_->Get(owner_, task_); }

  // Absent when there is no such variable or when it is of another type; an integer reads as a
  // double too, a fraction never as an integer.
  [[nodiscard]] Result<std::optional<Json>> GetVariable(std::string_view name) const;
  [[nodiscard]] Result<std::optional<std::string>> GetString(std::string_view name) const;
  [[nodiscard]] Result<std::optional<std::int64_t>> GetInt64(std::string_view name) const;
  [[nodiscard]] Result<std::optional<double>> GetDouble(std::string_view name) const;
  [[nodiscard]] Result<std::optional<bool>> GetBool(std::string_view name) const;
  [[nodiscard]] Result<JsonObject> GetVariables() const;

  [[nodiscard]] Result<TaskRecord> SetVariable(std::string_view name, Json value) const;
  [[nodiscard]] Result<TaskRecord> SetVariables(const JsonObject& changes) const;
  [[nodiscard]] Result<TaskRecord> DeleteVariable(std::string_view name) const;

  [[nodiscard]] Result<TaskRecord> Complete(Json result) const;
  [[nodiscard]] Result<TaskRecord> Fail(std::string message) const;
  [[nodiscard]] Result<TaskRecord> RequireInput(std::string message) const;
  [[nodiscard]] Result<TaskRecord> Resume() const;
  [[nodiscard]] Result<TaskRecord> Cancel() const;

 private:
  TaskStore* store_;
  std::string owner_;
  std::string task_;
};

}  // namespace stator::tasks
