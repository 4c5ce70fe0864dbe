#include "stator/mcp/waits.h"

#include <utility>

#include "stator/mcp/tool.h"

namespace stator::mcp {

void Signal::Set() {
  std::function<void()> listener;
  {
    const MutexLock lock(mutex_);
    is_set_ = true;
    listener = listener_;
  }
  if (listener) {
    listener();
  }
}

bool Signal::Take() {
  const MutexLock lock(mutex_);
  return std::exchange(is_set_, false);
}

void Signal::Tell(std::function<void()> listener) {
  const MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

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

void Arriving::await_suspend(std::coroutine_handle<> routine) {
  call_.BeginArrival(signal_, [this, routine](bool arrived) {
    arrived_ = arrived;
    routine.resume();
  });
}

}  // namespace stator::mcp
