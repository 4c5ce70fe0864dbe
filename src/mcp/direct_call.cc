#include "mcp/direct_call.h"

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {

DirectCall::DirectCall(ServerCore& core, std::shared_ptr<const Tool> tool,
                       std::shared_ptr<Session> session, std::shared_ptr<OpenRequest> request,
                       Json arguments, UnfinishedCall unfinished)
    : RunningCall(core, std::move(tool), session->owner().id),
      session_(std::move(session)),
      request_(std::move(request)),
      arguments_(std::move(arguments)),
      unfinished_(std::move(unfinished)) {}

bool DirectCall::CanAsk(QuestionKind kind) const {
  return request_->context().capabilities.CanAsk(kind);
}

bool DirectCall::IsCancelled() const {
  return core_.IsStopping() || session_->IsClosed() || request_->IsCancelled();
}

void DirectCall::Progress(double progress, std::optional<double> total,
                          std::optional<std::string> message) {
  const Json& token = request_->context().progress_token;
  if (!token.is_null() && !IsCancelled() && progress > last_progress_) {
    last_progress_ = progress;
    request_->stream()->Send(ProgressNotification(token, progress, total, message));
  }
}

void DirectCall::Log(LogLevel level, Json data) {
  const std::optional<LogLevel>& least = request_->context().log_level;
  if (core_.options().logging && least && level >= *least && !IsCancelled()) {
    request_->stream()->Send(LogNotification(level, tool_->name, std::move(data)));
  }
}

void DirectCall::End(ToolResult result) {
  if (bad_answer_) {
    request_->Fail(*bad_answer_);
  } else if (!needed_.empty()) {
    request_->Answer(InputRequired(unfinished_, needed_, request_->context(), core_.sealer(),
                                   core_.options().clock->Now() + core_.options().state_time));
  } else if (result) {
    request_->Answer(*std::move(result));
  } else {
    request_->Fail(result.error());
  }
}

void DirectCall::Replay(const std::vector<Question>& questions) {
  const MutexLock lock(replies_mutex_);
  replies_.assign(questions.size(), std::nullopt);
  for (std::size_t index = 0; index < questions.size(); ++index) {
    const Question& question = questions[index];
    const auto answer = unfinished_.answers.find(question.key);
    if (answer == unfinished_.answers.end()) {
      needed_.push_back(question);
      continue;
    }
    if (const std::string problem = ProblemWithAnswer(MethodOf(question.kind), answer->second);
        !problem.empty()) {
      bad_answer_ = tasks::TaskFault{
          .code = kInvalidParams,
          .message = "inputResponses." + question.key + " is no answer: " + problem};
    }
    replies_[index] = answer->second;
  }
}

Result<void> DirectCall::Put(const std::vector<Question>& questions) {
  if (request_->context().is_modern) {
    Replay(questions);
    return {};
  }
  std::uint64_t round = 0;
  {
    const MutexLock lock(replies_mutex_);
    round = ++round_;
    replies_.assign(questions.size(), std::nullopt);
    numbers_.clear();
  }
  const auto self = std::static_pointer_cast<DirectCall>(shared_from_this());
  for (std::size_t index = 0; index < questions.size(); ++index) {
    Json params = questions[index].params;
    if (questions[index].kind == QuestionKind::kUrl) {
      params.If<JsonObject>()->Set("elicitationId", core_.options().random->Uuid());
    }
    const std::int64_t number =
        session_->Ask(*request_->stream(), MethodOf(questions[index].kind), std::move(params),
                      [weak = std::weak_ptr(self), round, index](Session::Reply reply) {
                        if (const auto call = weak.lock()) {
                          call->TakeReply(round, index, std::move(reply));
                        }
                      });
    const MutexLock lock(replies_mutex_);
    numbers_.push_back(number);
  }
  return {};
}

void DirectCall::TakeReply(std::uint64_t round, std::size_t index, Session::Reply reply) {
  {
    const MutexLock lock(replies_mutex_);
    if (round != round_) {
      return;
    }
    replies_[index] = std::move(reply);
  }
  Look(/*news=*/true);
}

std::optional<RunningCall::Answers> DirectCall::Collect(bool /*news*/) {
  const MutexLock lock(replies_mutex_);
  std::vector<Json> answers;
  for (const std::optional<Session::Reply>& reply : replies_) {
    if (!reply) {
      return std::nullopt;
    }
    if (!*reply) {
      return Fail(ErrorCode::kUnavailable, reply->error().message);
    }
    answers.push_back(**reply);
  }
  return answers;
}

bool DirectCall::Withdraw() {
  std::vector<std::int64_t> numbers;
  {
    const MutexLock lock(replies_mutex_);
    numbers.swap(numbers_);
  }
  for (const std::int64_t number : numbers) {
    session_->Withdraw(number);
  }
  return true;
}

}  // namespace stator::mcp
