// What a tool waits for: answers and time. A routine awaits them without a thread; a plain function
// calls Wait().

#pragma once

#include <coroutine>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/mcp/question.h"

namespace stator::mcp {

class ToolCall;

using AnswerHandler = std::move_only_function<void(Result<std::vector<Json>>)>;
using PauseHandler = std::move_only_function<void(bool)>;

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
  [[nodiscard]] bool await_resume() const { return passed_; }

 private:
  ToolCall& call_;
  const Duration duration_;
  bool passed_ = false;
};

// NOLINTEND(readability-identifier-naming)

}  // namespace stator::mcp
