#include "mcp/task_call.h"

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

// Names that are tried for a question whose own has another question.
constexpr int kNamesMax = 16;

const tasks::InputRequest* Find(const std::vector<tasks::InputRequest>& inputs,
                                const std::string& key) {
  const auto found = std::ranges::find(inputs, key, &tasks::InputRequest::id);
  return found == inputs.end() ? nullptr : &*found;
}

}  // namespace

TaskCall::TaskCall(ServerCore& core, std::shared_ptr<TaskRun> run)
    : RunningCall(core, run->tool, run->owner), run_(std::move(run)) {}

const Json& TaskCall::arguments() const {
  return run_->arguments;
}

std::optional<tasks::TaskContext> TaskCall::task() const {
  return tasks::TaskContext(core_.store(), run_->owner, run_->task);
}

std::int64_t TaskCall::attempt() const {
  return run_->attempt;
}

bool TaskCall::CanAsk(QuestionKind kind) const {
  return run_->capabilities.CanAsk(kind);
}

bool TaskCall::IsCancelled() const {
  if (run_->cancelled) {
    was_told_ = true;
  }
  return run_->cancelled;
}

void TaskCall::Progress(double progress, std::optional<double> total,
                        std::optional<std::string> message) {
  if (!run_->progress_token.is_null()) {
    core_.SendProgress(*run_, ProgressNotification(run_->progress_token, progress, total, message));
  }
  if (message && message != last_message_) {
    last_message_ = message;
    static_cast<void>(core_.store().SetMessage(run_->owner, run_->task, std::move(message)));
  }
}

// Only legacy clients hear of it, on the stream of their session.
void TaskCall::Log(LogLevel level, Json data) {
  const std::shared_ptr<Session> session = run_->session.lock();
  if (core_.options().logging && session && level >= session->Context().log_level) {
    session->Notify(LogNotification(level, tool_->name, std::move(data)));
  }
}

bool TaskCall::MayBegin() {
  if (run_->cancelled) {
    core_.DropRun(run_);
    return false;
  }
  return true;
}

void TaskCall::End(ToolResult result) {
  core_.FinishRun(run_, result, was_told_);
}

Result<tasks::TaskRecord> TaskCall::Request(std::vector<tasks::InputRequest>& inputs) {
  const std::optional<std::string> message = inputs.front().params.TextOf("message");
  const std::vector<std::string> names = keys_;
  for (int attempt = 2;; ++attempt) {
    auto asked = core_.store().RequestInput(run_->owner, run_->task, inputs, message);
    if (asked || asked.error().code != ErrorCode::kValidation || attempt > kNamesMax) {
      return asked;
    }
    for (std::size_t at = 0; at < inputs.size(); ++at) {
      keys_[at] = names[at] + "." + std::to_string(attempt);
      inputs[at].id = keys_[at];
    }
  }
}

Result<void> TaskCall::Put(const std::vector<Question>& questions) {
  std::vector<tasks::InputRequest> inputs;
  keys_.clear();
  for (const Question& question : questions) {
    keys_.push_back(question.key);
    inputs.push_back({.id = question.key,
                      .method = std::string(MethodOf(question.kind)),
                      .params = question.params});
  }
  const auto asked = Request(inputs);
  if (!asked) {
    return Fail(ErrorCode::kUnavailable, asked.error().message);
  }
  if (asked->IsParked()) {
    core_.ParkRun(*run_);
  }
  if (asked->task.status == tasks::TaskStatus::kInputRequired) {
    core_.NotifyStatus(run_->session, asked->task);
    core_.TaskChanged(run_->owner, run_->task);
  }
  return {};
}

std::optional<RunningCall::Answers> TaskCall::Collect(bool news) {
  if (!news) {
    return std::nullopt;
  }
  const auto task = core_.store().Poll(run_->owner, run_->task);
  if (!task || task->status == tasks::TaskStatus::kInputRequired) {
    return std::nullopt;
  }
  const auto record = core_.store().Get(run_->owner, run_->task);
  std::vector<Json> answers;
  for (const std::string& key : keys_) {
    const tasks::InputRequest* const input = record ? Find(record->inputs, key) : nullptr;
    if (input == nullptr || !input->answer) {
      return Fail(ErrorCode::kUnavailable, "the question was withdrawn");
    }
    answers.push_back(*input->answer);
  }
  keys_.clear();
  return answers;
}

// A question that nobody answered in time is answered here, so that it does not stay open.
bool TaskCall::Withdraw() {
  if (IsCancelled()) {
    return false;
  }
  for (const std::string& key : std::exchange(keys_, {})) {
    static_cast<void>(
        core_.store().AnswerInput(run_->owner, run_->task, key, JsonObject{{"action", "cancel"}}));
  }
  if (run_->parked) {
    core_.GoOn(*run_);
  }
  return !IsCancelled();
}

}  // namespace stator::mcp
