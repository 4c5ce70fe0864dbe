// A call whose client waits for the answer, on the stream of its request.

#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mcp/running_call.h"
#include "mcp/session.h"

namespace stator::mcp {

class DirectCall final : public RunningCall {
 public:
  DirectCall(Core& core, std::shared_ptr<const Tool> tool, std::shared_ptr<Session> session,
             std::shared_ptr<OpenRequest> request, Json arguments, Json token);

  [[nodiscard]] const Json& arguments() const override { return arguments_; }
  [[nodiscard]] std::optional<tasks::TaskContext> task() const override { return std::nullopt; }
  [[nodiscard]] std::int64_t attempt() const override { return 1; }
  void Progress(double progress, std::optional<double> total,
                std::optional<std::string> message) override;
  [[nodiscard]] bool CanAsk(QuestionKind kind) const override;
  [[nodiscard]] bool IsCancelled() const override;

 protected:
  void End(ToolResult result) override;
  bool MayBegin() override { return !request_->IsCancelled(); }
  Result<void> Put(const std::vector<Question>& questions) override;
  std::optional<Answers> Collect(bool news) override;
  void Withdraw() override;

 private:
  void TakeReply(std::uint64_t round, std::size_t index, Session::Reply reply);

  const std::shared_ptr<Session> session_;
  const std::shared_ptr<OpenRequest> request_;
  const Json arguments_;
  const Json token_;
  std::mutex replies_mutex_;
  // Protected by replies_mutex_.
  std::uint64_t round_ = 0;
  std::vector<std::optional<Session::Reply>> replies_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace stator::mcp
