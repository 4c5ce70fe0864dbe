// A call that runs as a task. Its questions are stored with the task, so the client may be asked by
// any process, and a tool that is begun again finds the answers that there were.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/running_call.h"

namespace stator::mcp {

struct TaskRun;

class TaskCall final : public RunningCall {
 public:
  TaskCall(ServerCore& core, std::shared_ptr<TaskRun> run);

  [[nodiscard]] const Json& arguments() const override;
  [[nodiscard]] std::optional<tasks::TaskContext> task() const override;
  [[nodiscard]] std::int64_t attempt() const override;
  void Progress(double progress, std::optional<double> total,
                std::optional<std::string> message) override;
  void Log(LogLevel level, Json data) override;
  [[nodiscard]] bool CanAsk(QuestionKind kind) const override;
  [[nodiscard]] bool IsCancelled() const override;

 protected:
  void End(ToolResult result) override;
  bool MayBegin() override;
  Result<void> Put(const std::vector<Question>& questions) override;
  std::optional<Answers> Collect(bool news) override;
  bool Withdraw() override;

 private:
  // Asks under other names than those that other questions have.
  Result<tasks::TaskRecord> Request(std::vector<tasks::InputRequest>& inputs);

  const std::shared_ptr<TaskRun> run_;
  std::vector<std::string> keys_ = {};          // of the questions that are waited for
  mutable std::atomic<bool> was_told_ = false;  // the tool heard that nobody waits
  std::optional<std::string> last_message_ = std::nullopt;
};

}  // namespace stator::mcp
