#include "mcp/running_call.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "mcp/json_schema.h"
#include "mcp/server_core.h"
#include "stator/base/condition_variable.h"
#include "stator/base/mutex.h"

namespace stator::mcp {
namespace {

constexpr Duration kFirstDelay = std::chrono::milliseconds(200);
// Of a table without indexes nothing else says that another process has stored an answer.
constexpr Duration kLongestDelay = std::chrono::minutes(1);
// How soon a call that waits notices that it is not wanted any more.
constexpr Duration kCancelLook = std::chrono::milliseconds(200);

std::unexpected<Error> NotWanted() {
  return Fail(ErrorCode::kUnavailable, "the call was cancelled");
}

}  // namespace

RunningCall::RunningCall(ServerCore& core, std::shared_ptr<const Tool> tool, std::string owner)
    : core_(core), tool_(std::move(tool)), owner_(std::move(owner)) {}

Duration RunningCall::Now() const {
  return core_.options().clock->Elapsed();
}

JobKey RunningCall::Key() const {
  return {.owner = owner_, .tool = tool_->name, .tool_running_max = tool_->running_max};
}

bool RunningCall::Enqueue(bool urgent) {
  return core_.pool().Enqueue(Key(), [self = shared_from_this()] { self->Begin(); }, urgent);
}

void RunningCall::Begin() {
  if (!MayBegin()) {
    return;
  }
  if (!tool_->run.routine()) {
    End(Checked(Guarded([&] { return tool_->run.plain()(*this); })));
    return;
  }
  core_.AddCall(shared_from_this());
  const MutexLock lock(step_mutex_);
  routine_.emplace(tool_->run.routine()(*this));
  routine_->Resume();
  AfterStep();
}

void RunningCall::Step(AnswerHandler done, Answers outcome) {
  const MutexLock lock(step_mutex_);
  if (routine_) {
    done(std::move(outcome));
    AfterStep();
  }
}

void RunningCall::AfterStep() {
  if (!routine_->IsDone() && !LeavesInsteadOfWaiting()) {
    return;
  }
  ToolResult result = routine_->IsDone()
                          ? Guarded([&routine = *routine_] { return routine.TakeResult(); })
                          : ToolResult(Json());
  routine_.reset();
  core_.RemoveCall(shared_from_this());
  End(Checked(std::move(result)));
}

// What a tool gives is what it promised, or an error that its maker reads.
ToolResult RunningCall::Checked(ToolResult result) {
  if (!tool_->output_schema || !result || LeavesInsteadOfWaiting()) {
    return result;
  }
  const Json* const failed = result->Find("isError");
  if (failed != nullptr && *failed == Json(true)) {
    return result;
  }
  const Json* const content = result->Find("structuredContent");
  const std::string problem =
      content == nullptr ? "there is none"
                         : ProblemWith(*content, *tool_->output_schema, "structuredContent");
  return problem.empty() ? std::move(result)
                         : Fault(kInternalError, "the structured content of tool " + tool_->name +
                                                     " is not what it promised: " + problem);
}

void RunningCall::Abandon() {
  const MutexLock lock(step_mutex_);
  {
    const MutexLock inner(mutex_);
    wait_.reset();
  }
  routine_.reset();
}

Result<void> RunningCall::Prepare(std::vector<Question>& questions) {
  for (Question& question : questions) {
    if (!CanAsk(question.kind)) {
      return Fail(ErrorCode::kUnavailable, "the client cannot ask its user");
    }
    if (question.key.empty()) {
      question.key = "q" + std::to_string(asked_);
    }
    ++asked_;
  }
  return Put(questions);
}

void RunningCall::BeginAsking(std::vector<Question> questions, AnswerHandler done) {
  const Result<void> put = Prepare(questions);
  if (LeavesInsteadOfWaiting()) {
    return;
  }
  if (!put) {
    // The routine is suspended by now, and goes on in a job of its own.
    core_.pool().Enqueue(
        Key(),
        [self = shared_from_this(), done = std::move(done), error = put.error()]() mutable {
          self->Step(std::move(done), std::unexpected(std::move(error)));
        },
        /*urgent=*/true);
    return;
  }
  Park({.asks = true,
        .on_pool = true,
        .until = Now() + core_.options().elicitation_time,
        .done = std::move(done)});
}

Result<std::vector<Json>> RunningCall::AskAndWait(std::vector<Question> questions) {
  TRY_VOID(Prepare(questions));
  if (LeavesInsteadOfWaiting()) {
    throw ToolIsLeft();
  }
  if (std::optional<Answers> there = Collect(/*news=*/true)) {
    return Withdraw() ? *std::move(there) : Answers(NotWanted());
  }
  const WorkerPool::Wait place(core_.pool());
  if (!place.has_room()) {
    static_cast<void>(Withdraw());
    return Fail(ErrorCode::kUnavailable, "too many calls wait for their users; try again later");
  }
  return WaitHere({.asks = true, .until = Now() + core_.options().elicitation_time});
}

void RunningCall::BeginPause(Duration duration, PauseHandler done) {
  Park({.on_pool = true,
        .until = Now() + duration,
        .done = [done = std::move(done)](Answers passed) mutable { done(passed.has_value()); }});
}

void RunningCall::BeginArrival(std::shared_ptr<Signal> signal, PauseHandler done) {
  signal->Tell([weak = weak_from_this()] {
    if (const auto call = weak.lock()) {
      call->Look(/*news=*/false);
    }
  });
  Park({.on_pool = true,
        .until = Duration::max(),
        .signal = std::move(signal),
        .done = [done = std::move(done)](Answers arrived) mutable { done(arrived.has_value()); }});
}

bool RunningCall::SleepFor(Duration duration) {
  if (IsCancelled()) {
    return false;
  }
  const WorkerPool::Wait place(core_.pool());
  return WaitHere({.until = Now() + duration}).has_value();
}

RunningCall::Answers RunningCall::WaitHere(WaitState wait) {
  struct Box {
    Mutex mutex;
    ConditionVariable changed;
    std::optional<Answers> outcome STATOR_GUARDED_BY(mutex);
  };
  const auto box = std::make_shared<Box>();
  wait.done = [box](Answers outcome) {
    const MutexLock lock(box->mutex);
    box->outcome = std::move(outcome);
    box->changed.NotifyOne();
  };
  core_.AddCall(shared_from_this());
  Park(std::move(wait));
  MutexLock lock(box->mutex);
  box->changed.Wait(lock, [&]() STATOR_REQUIRES(box->mutex) { return box->outcome.has_value(); });
  Answers outcome = *std::move(box->outcome);
  lock.Unlock();
  core_.RemoveCall(shared_from_this());
  return outcome;
}

void RunningCall::Park(WaitState wait) {
  wait.delay = kFirstDelay;
  wait.next_look = Now() + kFirstDelay;
  const bool asks = wait.asks;
  {
    const MutexLock lock(mutex_);
    wait_ = std::move(wait);
  }
  // An answer that came before the call was parked is found now.
  Look(/*news=*/asks);
  core_.WakeWatcher();
}

void RunningCall::Look(bool news) {
  AnswerHandler done;
  std::optional<Answers> outcome;
  bool on_pool = false;
  bool asks = false;
  {
    const MutexLock lock(mutex_);
    if (!wait_) {
      return;
    }
    const Duration now = Now();
    bool looks = news;
    if (now >= wait_->next_look) {
      wait_->delay = std::min(2 * wait_->delay, kLongestDelay);
      wait_->next_look = now + wait_->delay;
      looks = true;
    }
    if (IsCancelled()) {
      outcome = NotWanted();
    } else if (wait_->asks) {
      outcome = Collect(looks);
      if (!outcome && now >= wait_->until) {
        outcome = Fail(ErrorCode::kTimeout, "nobody answered in time");
      }
    } else if (wait_->signal ? wait_->signal->Take() : now >= wait_->until) {
      outcome = std::vector<Json>();
    }
    if (!outcome) {
      return;
    }
    done = std::move(wait_->done);
    on_pool = wait_->on_pool;
    asks = wait_->asks;
    wait_.reset();
  }
  if (asks && !Withdraw()) {
    outcome = NotWanted();
  }
  if (!on_pool) {
    done(*std::move(outcome));
    return;
  }
  core_.pool().Enqueue(
      Key(),
      [self = shared_from_this(), done = std::move(done), told = *std::move(outcome)]() mutable {
        self->Step(std::move(done), std::move(told));
      },
      /*urgent=*/true);
}

std::optional<Duration> RunningCall::NextLook() {
  const MutexLock lock(mutex_);
  if (!wait_) {
    return std::nullopt;
  }
  const Duration soon = std::min(wait_->until, Now() + kCancelLook);
  return wait_->asks ? std::min(soon, wait_->next_look) : soon;
}

}  // namespace stator::mcp
