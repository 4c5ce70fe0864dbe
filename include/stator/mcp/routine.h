// ToolRoutine: a tool as a coroutine. While it waits for an answer or for time to pass it occupies
// no thread, so any number of them may wait.
//
//   ToolRoutine Greet(ToolCall& call) {
//     const Result<Json> answer = co_await call.Ask(FormQuestion("Your name?", schema));
//     ...
//     co_return TextResult("Hello");
//   }
//
// It may go on on another thread than the one that it began on. A server that stops destroys what
// waits: the destructors of its locals run, the rest of it does not.

#pragma once

#include <coroutine>
#include <exception>
#include <expected>
#include <optional>
#include <utility>

#include "stator/stores/tasks/json.h"
#include "stator/stores/tasks/task.h"

namespace stator::mcp {

// What a call gives: a CallToolResult, in which the tool itself may say that it failed (isError),
// or an error of the protocol.
using ToolResult = std::expected<tasks::Json, tasks::TaskFault>;

class [[nodiscard]] ToolRoutine {
 public:
  // NOLINTBEGIN(readability-identifier-naming, modernize-use-nodiscard): the language's names.
  struct promise_type {
    ToolRoutine get_return_object() {
      return ToolRoutine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(ToolResult value) { result = std::move(value); }
    void unhandled_exception() { failure = std::current_exception(); }

    std::optional<ToolResult> result;
    std::exception_ptr failure;
  };
  // NOLINTEND(readability-identifier-naming, modernize-use-nodiscard)

  ToolRoutine(ToolRoutine&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ToolRoutine& operator=(ToolRoutine&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ToolRoutine(const ToolRoutine&) = delete;
  ToolRoutine& operator=(const ToolRoutine&) = delete;
  ~ToolRoutine() {
    if (handle_) {
      handle_.destroy();
    }
  }

  // Runs to the next wait, or to the end.
  void Resume() { handle_.resume(); }
  [[nodiscard]] bool IsDone() const { return handle_.done(); }
  // REQUIRES: done. Throws what the routine threw.
  ToolResult TakeResult() {
    if (handle_.promise().failure) {
      std::rethrow_exception(handle_.promise().failure);
    }
    return *std::move(handle_.promise().result);
  }

 private:
  explicit ToolRoutine(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace stator::mcp
