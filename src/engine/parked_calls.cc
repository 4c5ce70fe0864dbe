#include "engine/parked_calls.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"
#include "engine/call.h"

namespace stator::engine {
namespace {

// How often deadlines are looked at while calls are parked; the thread goes to sleep after so many
// looks at nothing, so that a busy key does not wake it for every call.
constexpr std::chrono::milliseconds kLook{20};
constexpr int kIdleLooksMax = 50;

}  // namespace

void ParkedCalls::Start() {
  CHECK(!thread_.joinable());
  thread_ = std::thread([this] { Loop(); });
}

void ParkedCalls::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  work_.NotifyOne();
  if (thread_.joinable()) {
    thread_.join();
  }
  CHECK(parked_ == 0);
}

void ParkedCalls::AwaitEmpty() {
  MutexLock lock(mutex_);
  emptied_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return parked_ == 0 && !running_; });
}

void ParkedCalls::Link(Call& call) {
  CHECK(call.parked_ == nullptr);
  call.parked_ = call.shared_from_this();
  call.parked_before_ = last_;
  call.parked_behind_ = nullptr;
  (last_ == nullptr ? first_ : last_->parked_behind_) = &call;
  last_ = &call;
  ++parked_;
}

std::shared_ptr<Call> ParkedCalls::Unlink(Call& call) {
  CHECK(call.parked_ != nullptr);
  CHECK(parked_ > 0);
  (call.parked_before_ == nullptr ? first_ : call.parked_before_->parked_behind_) =
      call.parked_behind_;
  (call.parked_behind_ == nullptr ? last_ : call.parked_behind_->parked_before_) =
      call.parked_before_;
  if (--parked_ == 0) {
    emptied_.NotifyAll();
  }
  return std::move(call.parked_);
}

void ParkedCalls::Park(Call& call) {
  bool wake = false;
  {
    const MutexLock lock(mutex_);
    Link(call);
    wake = asleep_;
  }
  if (wake) {
    work_.NotifyOne();
  }
}

std::shared_ptr<Call> ParkedCalls::Unpark(Call& call) {
  const MutexLock lock(mutex_);
  return Unlink(call);
}

void ParkedCalls::ParkForRoom(Call& call) {
  {
    const MutexLock lock(mutex_);
    Link(call);
    for_room_.push_back(&call);
    ++room_waiters_;
  }
  // There may be room meanwhile.
  work_.NotifyOne();
}

void ParkedCalls::AdmitWaiting() {
  // With the mutex, so that the thread does not miss it between looking and sleeping.
  {
    const MutexLock lock(mutex_);
  }
  work_.NotifyOne();
}

void ParkedCalls::ParkForOpening(Call& call) {
  {
    const MutexLock lock(mutex_);
    Link(call);
    for_opening_.push_back(&call);
  }
  work_.NotifyOne();  // it has a deadline
}

void ParkedCalls::AdmitOpened() {
  {
    const MutexLock lock(mutex_);
    opened_.insert(opened_.end(), for_opening_.begin(), for_opening_.end());
    for_opening_.clear();
  }
  work_.NotifyOne();
}

void ParkedCalls::RunGranted(Call& call) {
  {
    const MutexLock lock(mutex_);
    granted_.Push(call);
  }
  work_.NotifyOne();
}

template <class Step>
void ParkedCalls::RunWithoutMutex(const Step& step) {
  CHECK(!running_);
  running_ = true;
  mutex_.Unlock();
  step();
  mutex_.Lock();
  running_ = false;
  emptied_.NotifyAll();
}

bool ParkedCalls::RunOne() {
  std::shared_ptr<Call> call;
  void (Call::*enter)() = nullptr;
  if (LockRequest* const granted = granted_.Pop()) {
    call = Unlink(static_cast<Call&>(*granted));
  } else if (!opened_.empty()) {
    call = Unlink(*opened_.front());
    opened_.pop_front();
    enter = &Call::EnterAfterOpening;
  } else if (!for_room_.empty() && store_.HasRoom()) {
    CHECK(room_waiters_ == for_room_.size());
    call = Unlink(*for_room_.front());
    for_room_.pop_front();
    --room_waiters_;
    enter = &Call::EnterAfterRoom;
  } else {
    return false;
  }
  RunWithoutMutex([&] {
    if (enter == nullptr) {
      call->Enter(nullptr);
    } else {
      (*call.*enter)();
    }
    call.reset();
  });
  return true;
}

std::vector<ParkedCalls::Overdue> ParkedCalls::TakeOverdue() {
  const Duration now = clock_.Elapsed();
  std::vector<Overdue> overdue;
  for (Call* at = first_; at != nullptr; at = at->parked_behind_) {
    if (at->deadline_ <= now) {
      CHECK_THAT(at->parked_ != nullptr, "in the list and not parked");
      overdue.push_back({.call = at->parked_, .rests_on = at->rests_on_});
    }
  }
  return overdue;
}

ParkedCalls::WaitedFor ParkedCalls::TakeFromQueues(Call& call) {
  if (std::erase(for_room_, &call) > 0) {
    CHECK(room_waiters_ > 0);
    --room_waiters_;
    return WaitedFor::kRoom;
  }
  return std::erase(for_opening_, &call) > 0 ? WaitedFor::kOpening : WaitedFor::kOther;
}

void ParkedCalls::RemindOverdue() {
  std::vector<Overdue> overdue = TakeOverdue();
  for (Overdue& each : overdue) {
    if (std::ranges::find(opened_, each.call.get()) != opened_.end()) {
      each.call.reset();
      continue;  // its turn has come
    }
    const WaitedFor waited_for = TakeFromQueues(*each.call);
    if (waited_for != WaitedFor::kOther) {
      Unlink(*each.call);
    }
    RunWithoutMutex([&] {
      switch (waited_for) {
        case WaitedFor::kRoom:
          each.call->OnNoRoom();
          break;
        case WaitedFor::kOpening:
          each.call->OnStillClosed();
          break;
        case WaitedFor::kOther:
          each.call->OnOverdue(each.rests_on);
          break;
      }
      each.call.reset();
    });
  }
}

void ParkedCalls::Loop() {
  MutexLock lock(mutex_);
  int idle_looks = 0;
  bool idled = false;
  Duration looked = clock_.Elapsed();
  while (true) {
    // Whoever is parked with a deadline that has passed already is seen when nothing else is to do,
    // also by a clock that stands still.
    if (const Duration now = clock_.Elapsed(); parked_ > 0 && (idled || now - looked >= kLook)) {
      RemindOverdue();
      looked = now;
    }
    idled = false;
    if (RunOne()) {
      idle_looks = 0;
      continue;
    }
    if (stopping_) {
      return;
    }
    const auto has_work = [this]() STATOR_REQUIRES(mutex_) {
      return stopping_ || !granted_.empty() || !opened_.empty() ||
             (!for_room_.empty() && store_.HasRoom());
    };
    idle_looks = parked_ > 0 ? 0 : idle_looks + 1;
    if (idle_looks < kIdleLooksMax) {
      idled = !work_.WaitFor(lock, kLook, has_work);
    } else {
      asleep_ = true;
      work_.Wait(lock, [&]() STATOR_REQUIRES(mutex_) { return has_work() || parked_ > 0; });
      asleep_ = false;
      idle_looks = 0;
    }
  }
}

}  // namespace stator::engine
