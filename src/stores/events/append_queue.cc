#include "stores/events/append_queue.h"

#include <algorithm>
#include <utility>

#include "stores/events/append_group.h"
#include "stores/events/core.h"

namespace stator::events {

std::optional<Appended> AppendQueue::Join(Core& core, AppendRun& run) {
  Ticket ticket(run);
  {
    MutexLock lock(mutex_);
    waiting_.push_back(&ticket);
    if (has_leader_) {
      ticket.changed.Wait(lock, [&] { return ticket.done || ticket.leads; });
    }
    if (ticket.done) {
      return std::move(ticket.answer);
    }
    has_leader_ = true;
  }
  Lead(core, ticket);
  return std::move(ticket.answer);
}

std::size_t AppendQueue::CountWaiting() const {
  const MutexLock lock(mutex_);
  return waiting_.size();
}

void AppendQueue::Lead(Core& core, Ticket& own) {
  std::vector<Ticket*> members;
  std::vector<AppendRun*> committed;
  {
    // While others are at work, more arrive.
    const MutexLock lane(core.lane);
    members = TakeMembers(core);
    if (members.size() > 1) {
      std::vector<AppendRun*> runs;
      runs.reserve(members.size());
      for (const Ticket* member : members) {
        runs.push_back(member->run);
      }
      committed = AppendGroup(core, std::move(runs)).Commit();
    }
  }
  const MutexLock lock(mutex_);
  for (Ticket* member : members) {
    if (std::find(committed.begin(), committed.end(), member->run) != committed.end()) {
      member->answer = AppendGroup::AnswerOf(*member->run);
    }
    if (member != &own) {
      // Its owner may be gone as soon as the lock is.
      member->done = true;
      member->changed.NotifyOne();
    }
  }
  PassOn();
}

std::vector<AppendQueue::Ticket*> AppendQueue::TakeMembers(Core& core) {
  const MutexLock lock(mutex_);
  AppendGroupLimits limits(core);
  std::vector<Ticket*> members;
  std::deque<Ticket*> left;
  for (Ticket* ticket : waiting_) {
    if (limits.Admit(*ticket->run)) {
      members.push_back(ticket);
    } else {
      left.push_back(ticket);
    }
  }
  waiting_ = std::move(left);
  return members;
}

void AppendQueue::PassOn() {
  has_leader_ = !waiting_.empty();
  if (has_leader_) {
    waiting_.front()->leads = true;
    waiting_.front()->changed.NotifyOne();
  }
}

}  // namespace stator::events
