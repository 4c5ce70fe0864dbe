#include "stator/mcp/waits.h"

#include "stator/mcp/tool.h"

namespace stator::mcp {

Result<std::vector<Json>> AskingAll::Wait() {
  return call_.AskAndWait(std::move(questions_));
}

void AskingAll::await_suspend(std::coroutine_handle<> routine) {
  call_.BeginAsking(std::move(questions_), [this, routine](Result<std::vector<Json>> answers) {
    answers_ = std::move(answers);
    routine.resume();
  });
}

void Pausing::await_suspend(std::coroutine_handle<> routine) {
  call_.BeginPause(duration_, [this, routine](bool passed) {
    passed_ = passed;
    routine.resume();
  });
}

}  // namespace stator::mcp
