// What a tool waits for: answers, time, and news from outside. A routine awaits them without a
// thread; a plain function calls Wait().

#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/mcp/question.h"

namespace stator::mcp {

class ToolCall;

using AnswerHandler = std::move_only_function<void(Result<std::vector<Json>>)>;
using PauseHandler = std::move_only_function<void(bool)>;

// Wakes a routine that waits for something outside: a process, another server. It is set until it
// is taken, so news that come before the routine waits are not lost.
//
// THREADS: every method may be called from many threads; one routine waits for it.
class Signal {
 public:
  void Set();
  // Whether it was set; it is not any more.
  [[nodiscard]] bool Take();
  // Is called with every Set, instead of the one before.
  void Tell(std::function<void()> listener);

 private:
  Mutex mutex_;
  bool is_set_ STATOR_GUARDED_BY(mutex_) = false;
  std::function<void()> listener_ STATOR_GUARDED_BY(mutex_);
};

// NOLINTBEGIN(readability-identifier-naming): the names of awaitables are the language's.

// Several questions at once.
class [[nodiscard]] AskingAll {
 public:
  AskingAll(ToolCall& call, std::vector<Question> questions)
      : call_(call), questions_(std::move(questions)) {}

  // REQUIRES: a tool that is a plain function.
  Result<std::vector<Json>> Wait();

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> routine);
  Result<std::vector<Json>> await_resume() { return *std::move(answers_); }

 private:
  ToolCall& call_;
  std::vector<Question> questions_;
  std::optional<Result<std::vector<Json>>> answers_;
};

class [[nodiscard]] Asking {
 public:
  Asking(ToolCall& call, Question question) : all_(call, {std::move(question)}) {}

  Result<Json> Wait() { return First(all_.Wait()); }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> routine) { all_.await_suspend(routine); }
  Result<Json> await_resume() { return First(all_.await_resume()); }

 private:
  static Result<Json> First(Result<std::vector<Json>> answers) {
    return answers ? Result<Json>(std::move(answers->front())) : std::unexpected(answers.error());
  }

  AskingAll all_;
};

class [[nodiscard]] Pausing {
 public:
  Pausing(ToolCall& call, Duration duration) : call_(call), duration_(duration) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> routine);
  // NOLINTNEXTLINE(modernize-use-nodiscard): most who pause do not ask whether the time has passed.
  bool await_resume() const { return passed_; }

 private:
  ToolCall& call_;
  const Duration duration_;
  bool passed_ = false;
};

class [[nodiscard]] Arriving {
 public:
  Arriving(ToolCall& call, std::shared_ptr<Signal> signal)
      : call_(call), signal_(std::move(signal)) {}

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> routine);
  [[nodiscard]] bool await_resume() const { return arrived_; }

 private:
  ToolCall& call_;
  const std::shared_ptr<Signal> signal_;
  bool arrived_ = false;
};

// NOLINTEND(readability-identifier-naming)

}  // namespace stator::mcp
