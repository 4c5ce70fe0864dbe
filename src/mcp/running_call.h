// One run of a tool's function, from a free thread to its result, with the waits between.
//
// A wait is kept here: what it waits for, until when, and who is told. Whoever learns something new
// calls Look, from any thread; the watcher of the core does so regularly. A plain function waits on
// its own thread, a routine on none: it goes on as a new job of the pool.
//
// THREADS: Look and Abandon from any, the rest from where the tool runs.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mcp/client_capabilities.h"
#include "mcp/worker_pool.h"
#include "stator/base/mutex.h"
#include "stator/mcp/tool.h"

namespace stator::mcp {

class ServerCore;

class RunningCall : public ToolCall, public std::enable_shared_from_this<RunningCall> {
 public:
  RunningCall(ServerCore& core, std::shared_ptr<const Tool> tool, std::string owner);

  // Begins when there is a thread. False when too many wait for one.
  bool Enqueue(bool urgent);

  // Goes on when what the call waits for is there, over, or not wanted any more. `news`: there may
  // be answers that were not there before.
  void Look(bool news);

  // Destroys what the tool has left, without running it. REQUIRES: no thread runs the tool.
  void Abandon();

  // When it wants to be looked at, however quiet it is; nothing when it does not wait.
  [[nodiscard]] std::optional<Duration> NextLook();

  [[nodiscard]] const std::string& owner() const override { return owner_; }
  bool SleepFor(Duration duration) override;
  void BeginAsking(std::vector<Question> questions, AnswerHandler done) override;
  Result<std::vector<Json>> AskAndWait(std::vector<Question> questions) override;
  void BeginPause(Duration duration, PauseHandler done) override;
  void BeginArrival(std::shared_ptr<Signal> signal, PauseHandler done) override;

 protected:
  using Answers = Result<std::vector<Json>>;

  // The tool ended.
  virtual void End(ToolResult result) = 0;
  // Whether the tool is to be begun at all.
  virtual bool MayBegin() = 0;
  // Puts questions to the client, which all have keys. Answers may be there already.
  virtual Result<void> Put(const std::vector<Question>& questions) = 0;
  // The answers to the questions that were put, when all are there; or why none will come.
  virtual std::optional<Answers> Collect(bool news) = 0;
  // The questions are not of interest any more, and the tool goes on. False when it does so only to
  // hear that its result is not wanted.
  virtual bool Withdraw() = 0;
  // True when the function is left instead of waiting; the call then ends without a result.
  virtual bool LeavesInsteadOfWaiting() { return false; }

  ServerCore& core_;
  const std::shared_ptr<const Tool> tool_;

 private:
  struct WaitState {
    bool asks = false;
    bool on_pool = false;
    Duration until = {};
    Duration next_look = {};
    Duration delay = {};
    std::shared_ptr<Signal> signal = nullptr;  // what is waited for, if not questions or time
    AnswerHandler done = nullptr;
  };

  void Begin();
  ToolResult Checked(ToolResult result);
  void Step(AnswerHandler done, Answers outcome);
  // What became of the routine at the end of a step.
  void AfterStep() STATOR_REQUIRES(step_mutex_);
  // Asks and parks. The handler is called where `on_pool` says.
  void Park(WaitState wait);
  Result<void> Prepare(std::vector<Question>& questions);
  Answers WaitHere(WaitState wait);
  [[nodiscard]] Duration Now() const;
  [[nodiscard]] JobKey Key() const;

  const std::string owner_;
  std::size_t asked_ = 0;  // questions so far
  Mutex step_mutex_;       // one step of the routine at a time
  std::optional<ToolRoutine> routine_ STATOR_GUARDED_BY(step_mutex_);
  Mutex mutex_;
  std::optional<WaitState> wait_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::mcp
