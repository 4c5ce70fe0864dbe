#include "mcp/direct_call.h"

#include <algorithm>
#include <utility>

#include "mcp/core.h"

namespace stator::mcp {

DirectCall::DirectCall(Core& core, std::shared_ptr<const Tool> tool,
                       std::shared_ptr<Session> session, std::shared_ptr<OpenRequest> request,
                       Json arguments, Json token)
    : RunningCall(core, std::move(tool), session->owner().id),
      session_(std::move(session)),
      request_(std::move(request)),
      arguments_(std::move(arguments)),
      token_(std::move(token)) {}

bool DirectCall::CanAsk(QuestionKind kind) const {
  return session_->capabilities().CanAsk(kind);
}

bool DirectCall::IsCancelled() const {
  return core_.IsStopping() || session_->IsClosed() || request_->IsCancelled();
}

void DirectCall::Progress(double progress, std::optional<double> total,
                          std::optional<std::string> message) {
  if (!token_.is_null() && !IsCancelled()) {
    request_->stream()->Send(ProgressNotification(token_, progress, total, message));
  }
}

void DirectCall::End(ToolResult result) {
  if (result) {
    request_->Answer(*std::move(result));
  } else {
    request_->Fail(result.error());
  }
}

Result<void> DirectCall::Put(const std::vector<Question>& questions) {
  std::uint64_t round = 0;
  {
    const std::scoped_lock lock(replies_mutex_);
    round = ++round_;
    replies_.assign(questions.size(), std::nullopt);
    numbers_.clear();
  }
  const auto self = std::static_pointer_cast<DirectCall>(shared_from_this());
  for (std::size_t index = 0; index < questions.size(); ++index) {
    const std::int64_t number =
        session_->Ask(*request_->stream(), MethodOf(questions[index].kind), questions[index].params,
                      [weak = std::weak_ptr(self), round, index](Session::Reply reply) {
                        if (const auto call = weak.lock()) {
                          call->TakeReply(round, index, std::move(reply));
                        }
                      });
    const std::scoped_lock lock(replies_mutex_);
    numbers_.push_back(number);
  }
  return {};
}

void DirectCall::TakeReply(std::uint64_t round, std::size_t index, Session::Reply reply) {
  {
    const std::scoped_lock lock(replies_mutex_);
    if (round != round_) {
      return;
    }
    replies_[index] = std::move(reply);
  }
  Look(/*news=*/true);
}

std::optional<RunningCall::Answers> DirectCall::Collect(bool /*news*/) {
  const std::scoped_lock lock(replies_mutex_);
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

void DirectCall::Withdraw() {
  std::vector<std::int64_t> numbers;
  {
    const std::scoped_lock lock(replies_mutex_);
    numbers.swap(numbers_);
  }
  for (const std::int64_t number : numbers) {
    session_->Withdraw(number);
  }
}

}  // namespace stator::mcp
