// Who does the work of EventLog: threads that wait for their append, and the log's own.

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "stores/events/event_log.h"

namespace stator::events {
namespace {

constexpr std::size_t kFlightsMax = 2;
constexpr std::size_t kMoreThanCanBe = std::numeric_limits<std::size_t>::max();

// The log whose owners this thread is telling.
const EventLog*& ToldHere() {
  thread_local const EventLog* log = nullptr;
  return log;
}

}  // namespace

std::size_t EventLog::CountNeeded() const {
  return flights_.empty() ? 1 : std::max<std::size_t>(1, flights_.back()->members.size() / 2);
}

bool EventLog::CanLead() const {
  return !busy_ && !nothing_decidable_ && flights_.size() < kFlightsMax && !queue_.empty() &&
         queue_.size() >= CountNeeded();
}

void EventLog::TakeIncoming() {
  const MutexLock lock(incoming_mutex_);
  nothing_decidable_ = nothing_decidable_ && incoming_.empty();
  queue_.insert(queue_.end(), incoming_.begin(), incoming_.end());
  incoming_.clear();
}

void EventLog::Enter(Ticket& ticket) {
  ticket.outcome = Ticket::Outcome::kNone;
  const MutexLock lock(incoming_mutex_);
  incoming_.push_back(&ticket);
  ++queued_;
}

// Between a look at needed_ and falling asleep nothing gets lost: whoever makes needed_ smaller looks
// at the queue afterwards, and whoever enters the queue or falls asleep looks at needed_ afterwards.
void EventLog::Run(Ticket& ticket) {
  using State = Ticket::State;
  DCHECK(ticket.owner == nullptr);
  ticket.state = State::kRunning;
  Enter(ticket);
  while (ticket.Change(State::kRunning, State::kSleeping)) {
    if (queued_ >= needed_) {
      const MutexLock lock(mutex_);
      TakeIncoming();
      while (CanLead() && ticket.Change(State::kSleeping, State::kRunning)) {
        Lead();
        PassOn(Caller::kMayLeave);
        if (!ticket.Change(State::kRunning, State::kSleeping)) {
          return;
        }
        TakeIncoming();
      }
    }
    ticket.wake.acquire();
  }
}

bool EventLog::Begin() {
  ++under_way_;
  return !closing_;
}

void EventLog::Start(Ticket& ticket) {
  DCHECK(ticket.owner != nullptr);
  Enter(ticket);
  // Who tells owners works on afterwards, and those that they start go together.
  if (ToldHere() != this && queued_ >= needed_) {
    const MutexLock lock(mutex_);
    if (HasWork()) {
      WakeThread();
    }
  }
}

void EventLog::Tell(Ticket& ticket) {
  const MutexLock lock(mutex_);
  answered_.push_back(&ticket);
  WakeThread();
}

bool EventLog::HasWork() {
  TakeIncoming();
  return !answered_.empty() || CanLead();
}

void EventLog::WakeThread() {
  if (idle_ > 0) {
    --idle_;
    ++called_;
    work_.NotifyOne();
  } else if (threads_.size() < kFlightsMax) {
    threads_.emplace_back([this] { Work(); });
  }
  // Otherwise all are at work, and look afterwards.
}

void EventLog::Work() {
  MutexLock lock(mutex_);
  while (true) {
    if (!answered_.empty()) {
      TellOwners();
    } else if (HasWork()) {
      Lead();
      PassOn(Caller::kStays);
    } else if (closed_) {
      return;
    } else {
      ++idle_;
      work_.Wait(lock, [this]() STATOR_REQUIRES(mutex_) { return called_ > 0 || closed_; });
      called_ -= called_ > 0 ? 1 : 0;
    }
  }
}

void EventLog::Close() {
  CHECK_THAT(ToldHere() != this, "a completion of an append closes its store");
  std::vector<std::thread> threads;
  {
    MutexLock lock(mutex_);
    closing_ = true;
    done_.Wait(lock, [this] { return under_way_ == 0; });
    closed_ = true;
    work_.NotifyAll();
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

void EventLog::PassOn(Caller caller) {
  needed_ = busy_ || flights_.size() >= kFlightsMax ? kMoreThanCanBe : CountNeeded();
  TakeIncoming();
  if (caller == Caller::kMayLeave) {
    CallLeader();
  }
  if (woken_.empty()) {
    return;
  }
  std::vector<Ticket*> woken;
  woken.swap(woken_);
  mutex_.Unlock();
  for (Ticket* ticket : woken) {
    ticket->wake.release();
  }
  mutex_.Lock();
}

void EventLog::CallLeader() {
  Ticket* sleeping = nullptr;
  if (CanLead()) {
    const auto found = std::find_if(queue_.begin(), queue_.end(), [](Ticket* ticket) {
      return ticket->Change(Ticket::State::kSleeping, Ticket::State::kRunning);
    });
    sleeping = found == queue_.end() ? nullptr : *found;
  }
  if (sleeping != nullptr) {
    woken_.push_back(sleeping);
  }
  if (!answered_.empty() || (sleeping == nullptr && CanLead())) {
    WakeThread();
  }
}

void EventLog::TellOwners() {
  std::vector<Ticket*> answered;
  answered.swap(answered_);
  if (CanLead()) {
    WakeThread();
  }
  mutex_.Unlock();
  ToldHere() = this;
  std::size_t done = 0;
  for (Ticket* ticket : answered) {
    done += ticket->owner->OnOutcome() ? 1 : 0;
  }
  ToldHere() = nullptr;
  mutex_.Lock();
  under_way_ -= done;
  if (under_way_ == 0) {
    done_.NotifyAll();
  }
}

}  // namespace stator::events
