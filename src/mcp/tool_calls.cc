// What tools may ask for while they run.

#include <algorithm>
#include <optional>
#include <utility>

#include "mcp/core.h"

namespace stator::mcp {
namespace {

// How often a thread that waits looks around, however quiet it is.
constexpr Duration kLook = std::chrono::milliseconds(200);
constexpr Duration kStoreLook = std::chrono::seconds(1);

Json ProgressNotification(const Json& token, double progress, std::optional<double> total,
                          const std::optional<std::string>& message) {
  JsonObject params{{"progressToken", token}, {"progress", progress}};
  if (total) {
    params.Set("total", *total);
  }
  if (message) {
    params.Set("message", *message);
  }
  return MakeNotification("notifications/progress", std::move(params));
}

Json ElicitationParams(std::string_view message, Json requested_schema) {
  return JsonObject{{"message", message}, {"requestedSchema", std::move(requested_schema)}};
}

std::unexpected<Error> CannotAsk() {
  return Fail(ErrorCode::kUnavailable, "the client cannot ask its user");
}

std::unexpected<Error> NotWanted() {
  return Fail(ErrorCode::kUnavailable, "the call was cancelled");
}

bool Sleep(Core& core, const ToolCall& call, Duration duration) {
  const Clock& clock = *core.options().clock;
  const Duration until = clock.Elapsed() + duration;
  while (!call.IsCancelled()) {
    const Duration left = until - clock.Elapsed();
    if (left <= Duration::zero()) {
      return true;
    }
    core.AwaitChange(std::min(left, kLook));
  }
  return false;
}

}  // namespace

std::optional<tasks::TaskContext> TaskCall::task() const {
  return tasks::TaskContext(core_.store(), run_->owner, run_->task);
}

bool TaskCall::IsCancelled() const {
  was_told_ = was_told_ || run_->cancelled;
  return run_->cancelled;
}

bool TaskCall::SleepFor(Duration duration) {
  return Sleep(core_, *this, duration);
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

// The question is stored with the task, so the client may be asked by any process.
Result<Json> TaskCall::Elicit(std::string_view message, Json requested_schema) {
  if (const std::shared_ptr<Session> session = run_->session.lock();
      session && !session->can_elicit()) {
    return CannotAsk();
  }
  tasks::TaskStore& store = core_.store();
  const std::string id = core_.options().random->Uuid();
  const auto asked =
      store.RequestInput(run_->owner, run_->task,
                         {.id = id,
                          .method = "elicitation/create",
                          .params = ElicitationParams(message, std::move(requested_schema))},
                         std::string(message));
  if (!asked) {
    return Fail(ErrorCode::kUnavailable, asked.error().ToText());
  }
  core_.NotifyStatus(run_->session, asked->task);
  core_.TaskChanged(run_->owner, run_->task);
  const Clock& clock = *core_.options().clock;
  const Duration until = clock.Elapsed() + core_.options().elicitation_time;
  while (!IsCancelled() && clock.Elapsed() < until) {
    const auto task = store.Poll(run_->owner, run_->task);
    if (task && task->status != tasks::TaskStatus::kInputRequired) {
      const auto record = store.Get(run_->owner, run_->task);
      if (record && record->input && record->input->id == id && record->input->answer) {
        return *record->input->answer;
      }
      return NotWanted();
    }
    core_.AwaitChange(kStoreLook);
  }
  if (IsCancelled()) {
    return NotWanted();
  }
  static_cast<void>(store.UpdateStatus(run_->owner, run_->task, tasks::TaskStatus::kWorking));
  return Fail(ErrorCode::kTimeout, "nobody answered in time");
}

bool DirectCall::IsCancelled() const {
  return core_.IsStopping() || session_->IsClosed() || request_->IsCancelled();
}

bool DirectCall::SleepFor(Duration duration) {
  return Sleep(core_, *this, duration);
}

void DirectCall::Progress(double progress, std::optional<double> total,
                          std::optional<std::string> message) {
  if (!token_.is_null() && !IsCancelled()) {
    request_->stream()->Send(ProgressNotification(token_, progress, total, message));
  }
}

Result<Json> DirectCall::Elicit(std::string_view message, Json requested_schema) {
  if (!session_->can_elicit()) {
    return CannotAsk();
  }
  struct Box {
    std::mutex mutex;
    std::optional<Session::Reply> reply;
  };
  const auto box = std::make_shared<Box>();
  const std::int64_t number = session_->Ask(*request_->stream(), "elicitation/create",
                                            ElicitationParams(message, std::move(requested_schema)),
                                            [box](Session::Reply reply) {
                                              const std::scoped_lock lock(box->mutex);
                                              box->reply = std::move(reply);
                                            });
  const Clock& clock = *core_.options().clock;
  const Duration until = clock.Elapsed() + core_.options().elicitation_time;
  while (!IsCancelled() && clock.Elapsed() < until) {
    {
      const std::scoped_lock lock(box->mutex);
      if (box->reply) {
        return *box->reply ? Result<Json>(**box->reply)
                           : Fail(ErrorCode::kUnavailable, box->reply->error().message);
      }
    }
    core_.AwaitChange(std::chrono::milliseconds(20));
  }
  session_->Withdraw(number);
  return IsCancelled() ? NotWanted() : Fail(ErrorCode::kTimeout, "nobody answered in time");
}

}  // namespace stator::mcp
