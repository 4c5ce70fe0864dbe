// One thread looks after everything that waits: tools for answers and for time, requests for the
// results of tasks, which other processes may have stored.

#include <algorithm>
#include <utility>

#include "mcp/server_core.h"

namespace stator::mcp {
namespace {

constexpr Duration kTick = std::chrono::milliseconds(100);
constexpr Duration kLongestDelay = std::chrono::seconds(5);

}  // namespace

void ServerCore::AddCall(const std::shared_ptr<RunningCall>& call) {
  const MutexLock lock(mutex_);
  calls_.insert(call);
}

void ServerCore::RemoveCall(const std::shared_ptr<RunningCall>& call) {
  const MutexLock lock(mutex_);
  calls_.erase(call);
}

void ServerCore::WakeWatcher() {
  {
    const MutexLock lock(mutex_);
    has_news_ = true;
  }
  news_.NotifyOne();
}

void ServerCore::Watch() {
  MutexLock lock(mutex_);
  while (watches_) {
    has_news_ = false;
    lock.Unlock();
    const Duration rest = LookAfterCalls();
    LookAfterWaiters();
    LookAfterSubscriptions();
    lock.Lock();
    news_.WaitFor(lock, rest, [&]() STATOR_REQUIRES(mutex_) { return has_news_ || !watches_; });
  }
}

Duration ServerCore::LookAfterCalls() {
  std::vector<std::shared_ptr<RunningCall>> calls;
  {
    const MutexLock lock(mutex_);
    calls.assign(calls_.begin(), calls_.end());
  }
  Duration next = options_.clock->Elapsed() + kTick;
  for (const std::shared_ptr<RunningCall>& call : calls) {
    call->Look(/*news=*/false);
    next = std::min(next, call->NextLook().value_or(next));
  }
  return std::max(next - options_.clock->Elapsed(), Duration::zero());
}

void ServerCore::LookAfterWaiters() {
  const Duration now = options_.clock->Elapsed();
  std::vector<std::shared_ptr<Waiter>> due;
  {
    const MutexLock lock(mutex_);
    for (const std::shared_ptr<Waiter>& waiter : waiters_) {
      if (waiter->request->IsCancelled() || waiter->next_look <= now) {
        waiter->delay = std::min(2 * waiter->delay, kLongestDelay);
        waiter->next_look = now + waiter->delay;
        due.push_back(waiter);
      }
    }
  }
  for (const std::shared_ptr<Waiter>& waiter : due) {
    Look(waiter);
  }
}

}  // namespace stator::mcp
