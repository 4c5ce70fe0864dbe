// A call whose client waits for the answer, on the stream of its request: of a tool, a prompt or a
// resource. Legacy clients are asked on that stream; modern ones get the questions as the result,
// the function is left, and runs again with the answers when they come.

#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "mcp/running_call.h"
#include "mcp/session.h"
#include "mcp/unfinished.h"
#include "stator/base/mutex.h"

namespace stator::mcp {

class DirectCall final : public RunningCall {
 public:
  DirectCall(ServerCore& core, std::shared_ptr<const Tool> tool, std::shared_ptr<Session> session,
             std::shared_ptr<OpenRequest> request, Json arguments, UnfinishedCall unfinished);

  [[nodiscard]] const Json& arguments() const override { return arguments_; }
  [[nodiscard]] std::optional<tasks::TaskContext> task() const override { return std::nullopt; }
  [[nodiscard]] std::int64_t attempt() const override { return 1; }
  void Progress(double progress, std::optional<double> total,
                std::optional<std::string> message) override;
  void Log(LogLevel level, Json data) override;
  [[nodiscard]] bool CanAsk(QuestionKind kind) const override;
  [[nodiscard]] bool IsCancelled() const override;

 protected:
  void End(ToolResult result) override;
  bool MayBegin() override { return !request_->IsCancelled(); }
  Result<void> Put(const std::vector<Question>& questions) override;
  std::optional<Answers> Collect(bool news) override;
  bool Withdraw() override;
  bool LeavesInsteadOfWaiting() override { return !needed_.empty() || bad_answer_; }

 private:
  // Of a modern call: takes the answers that there are, or notes what is needed.
  void Replay(const std::vector<Question>& questions);
  void TakeReply(std::uint64_t round, std::size_t index, Session::Reply reply);

  const std::shared_ptr<Session> session_;
  const std::shared_ptr<OpenRequest> request_;
  const Json arguments_;
  const UnfinishedCall unfinished_;
  std::vector<Question> needed_;  // what the call ends with
  std::optional<tasks::TaskFault> bad_answer_;
  double last_progress_ = -std::numeric_limits<double>::infinity();
  Mutex replies_mutex_;
  std::uint64_t round_ STATOR_GUARDED_BY(replies_mutex_) = 0;
  std::vector<std::optional<Session::Reply>> replies_ STATOR_GUARDED_BY(replies_mutex_);
  std::vector<std::int64_t> numbers_ STATOR_GUARDED_BY(replies_mutex_);
};

}  // namespace stator::mcp
