#include "base/work.h"

namespace stator::base {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the bounds of a thread.
thread_local WorkScope* current_scope = nullptr;

}  // namespace

WorkScope::WorkScope(const WorkBounds& bounds)
    : bounds_(bounds), left_(bounds.share), outer_(current_scope) {
  current_scope = this;
}

WorkScope::~WorkScope() {
  current_scope = outer_;
}

Result<void> SpendWork(std::uint64_t units) {
  WorkScope* const scope = current_scope;
  if (scope == nullptr) {
    return {};
  }
  if (units > scope->left_) {
    scope->left_ = 0;
    scope->wanted_threads_ = Threads::kPool;
    return Fail(ErrorCode::kUnavailable, "the call goes on where it holds up nobody");
  }
  scope->left_ -= units;
  if (scope->bounds_.gone != nullptr && scope->bounds_.gone->load(std::memory_order_relaxed)) {
    return Fail(ErrorCode::kUnavailable, "nobody waits for the answer any more");
  }
  return {};
}

Result<void> AskToWait() {
  WorkScope* const scope = current_scope;
  if (scope == nullptr || scope->bounds_.may_wait) {
    return {};
  }
  scope->wanted_threads_ = Threads::kControl;
  return Fail(ErrorCode::kUnavailable, "the call goes on where it may wait");
}

bool HasWorkShare() {
  return current_scope != nullptr &&
         current_scope->bounds_.share != std::numeric_limits<std::uint64_t>::max();
}

}  // namespace stator::base
