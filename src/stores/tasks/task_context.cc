#include "stator/stores/tasks/task_context.h"

#include "base/try.h"

namespace stator::tasks {

Result<JsonObject> TaskContext::GetVariables() const {
  TaskRecord record = TRY(Get());
  return std::move(record.variables);
}

Result<std::optional<Json>> TaskContext::GetVariable(std::string_view name) const {
  const JsonObject variables = TRY(GetVariables());
  const Json* const value = variables.Find(name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Result<std::optional<std::string>> TaskContext::GetString(std::string_view name) const {
  const Json variables = TRY(GetVariables());
  return variables.TextOf(name);
}

Result<std::optional<std::int64_t>> TaskContext::GetInt64(std::string_view name) const {
  const std::optional<Json> value = TRY(GetVariable(name));
  const auto* const number = value ? value->If<JsonNumber>() : nullptr;
  if (number == nullptr || number->text.find_first_of(".eE") != std::string::npos) {
    return std::nullopt;
  }
  return value->ToInt64();
}

Result<std::optional<double>> TaskContext::GetDouble(std::string_view name) const {
  const std::optional<Json> value = TRY(GetVariable(name));
  return value ? value->ToDouble() : std::nullopt;
}

Result<std::optional<bool>> TaskContext::GetBool(std::string_view name) const {
  const std::optional<Json> value = TRY(GetVariable(name));
  const bool* const flag = value ? value->If<bool>() : nullptr;
  return flag == nullptr ? std::nullopt : std::optional(*flag);
}

Result<TaskRecord> TaskContext::SetVariable(std::string_view name, Json value) const {
  return SetVariables({{std::string(name), std::move(value)}});
}

Result<TaskRecord> TaskContext::SetVariables(const JsonObject& changes) const {
  return store_->SetVariables(owner_, task_, changes);
}

Result<TaskRecord> TaskContext::DeleteVariable(std::string_view name) const {
  return SetVariable(name, nullptr);
}

Result<TaskRecord> TaskContext::Complete(Json result) const {
  return store_->Complete(owner_, task_,
                          {.status = TaskStatus::kCompleted, .result = std::move(result)});
}

Result<TaskRecord> TaskContext::Fail(std::string message) const {
  return store_->UpdateStatus(owner_, task_, TaskStatus::kFailed, std::move(message));
}

Result<TaskRecord> TaskContext::RequireInput(std::string message) const {
  return store_->UpdateStatus(owner_, task_, TaskStatus::kInputRequired, std::move(message));
}

Result<TaskRecord> TaskContext::Resume() const {
  return store_->UpdateStatus(owner_, task_, TaskStatus::kWorking);
}

Result<TaskRecord> TaskContext::Cancel() const {
  return store_->Cancel(owner_, task_);
}

}  // namespace stator::tasks
