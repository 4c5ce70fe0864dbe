#include "stores/events/event_log.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/try.h"
#include "stator/patterns/environment.h"
#include "stores/events/condition_check.h"
#include "stores/events/event_store_core.h"

namespace stator::events {
namespace {

constexpr std::size_t kEventsPerSlotMax = 4096;

bool Fits(const Ticket& ticket, const Flight& flight) {
  const Slot& slot = *flight.slot;
  return slot.events.empty() || (!ticket.parts && !ticket.keeps_places &&
                                 slot.bytes + ticket.bytes.size() <= kSlotBytesMax &&
                                 slot.events.size() + ticket.events.size() <= kEventsPerSlotMax);
}

}  // namespace

std::size_t EventLog::CountWaiting() const {
  const MutexLock lock(mutex_);
  std::size_t count = queued_;
  for (std::size_t index = 1; index < flights_.size(); ++index) {
    count += flights_[index]->members.size();
  }
  return count;
}

void EventLog::Lead() {
  busy_ = true;
  needed_ = std::numeric_limits<std::size_t>::max();
  std::shared_ptr<Flight> flight;
  if (Result<void> ready = MakeReady(); !ready) {
    FailAll(ready.error());
  } else {
    TakeIncoming();
    flight = Decide();
    nothing_decidable_ = flight == nullptr && !flights_.empty();
  }
  busy_ = false;
  if (flight == nullptr) {
    return;
  }
  flights_.push_back(flight);
  PassOn(Caller::kMayLeave);
  mutex_.Unlock();
  const Duration began = core_->environment.clock->Elapsed();
  Sent sent = SendFlight(*core_, *flight, /*maybe_stored=*/false);
  const Duration took = core_->environment.clock->Elapsed() - began;
  Report(*flight, sent, took);
  mutex_.Lock();
  last_put_ = took;
  flight->sent = std::move(sent);
  if (!flight->abandoned) {
    SettleReady();
  }
}

void EventLog::Report(const Flight& flight, const Sent& sent, Duration took) const {
  using Outcome = Sent::Outcome;
  if (sent.outcome == Outcome::kFailed || sent.outcome == Outcome::kUnknown) {
    core_->Log(
        "slot " + std::to_string(flight.slot->number) + " of the log " +
        (sent.outcome == Outcome::kFailed ? "could not be stored: " : "may be stored or not: ") +
        sent.error.message);
  }
  if (const auto& hook = core_->options.hooks.on_slot) {
    SlotMeasure measure{.slot = flight.slot->number,
                        .appends = flight.members.size(),
                        .events = flight.slot->events.size(),
                        .bytes = flight.slot->bytes,
                        .took = took};
    switch (sent.outcome) {
      case Outcome::kStored:
        break;
      case Outcome::kLost:
        measure.outcome = SlotOutcome::kLost;
        break;
      case Outcome::kFailed:
        measure.outcome = SlotOutcome::kFailed;
        break;
      case Outcome::kUnknown:
        measure.outcome = SlotOutcome::kUnknown;
        break;
    }
    hook(measure);
  }
}

// Nothing of those that wait was sent.
void EventLog::FailAll(Error error) {
  error.code = patterns::MayHaveHappened(error.code) ? ErrorCode::kUnavailable : error.code;
  while (!queue_.empty()) {
    Ticket& ticket = *queue_.front();
    queue_.pop_front();
    --queued_;
    Fail(ticket, error);
  }
}

std::shared_ptr<Flight> EventLog::MakeFlight() const {
  auto flight = std::make_shared<Flight>();
  const ChainPlace& end = tail_.end();
  flight->slot = std::make_shared<Slot>(
      Slot{.number = end.slot + 1,
           .id = MakeSlotId(*core_->environment.random),
           .prev = end.id,
           .first_position = end.position + 1,
           .first_tick = std::max(TicksAt(core_->environment.clock->Now()), end.hi.ticks() + 1)});
  // Most have one event.
  const std::size_t room = std::min(queue_.size(), kEventsPerSlotMax);
  flight->slot->events.reserve(room);
  flight->slot->appends.reserve(room);
  flight->members.reserve(room);
  return flight;
}

EventLog::Verdict EventLog::CheckTicket(Ticket& ticket) {
  if (ticket.stop.stop_requested()) {
    Fail(ticket, {.code = ErrorCode::kUnavailable, .message = "the append was stopped"});
    return Verdict::kAnswered;
  }
  if (ticket.facts_slot < tail_.mark().place.slot) {
    Answer(ticket, Ticket::Outcome::kStale);
    return Verdict::kAnswered;
  }
  std::optional<Tail::FoundAppend> found;
  if (!ticket.append.append_id.empty()) {
    found = tail_.FindAppend(ticket.append.append_id);
  }
  for (std::size_t index = 0; index < ticket.events.size() && !found; ++index) {
    if (!ticket.events[index].id.empty()) {
      found = tail_.FindKeptId(ticket.events[index].id);
    }
  }
  if (found && found->pending) {
    return Verdict::kWaits;
  }
  if (found) {
    ticket.slot = found->slot;
    ticket.append_index = found->append;
    Answer(ticket, Ticket::Outcome::kFound);
    return Verdict::kAnswered;
  }
  if (ticket.conflict) {
    Fail(ticket, *ticket.conflict);
    return Verdict::kAnswered;
  }
  if (ticket.keeps_places && ticket.events.front().sortable_id <= tail_.end().hi) {
    Answer(ticket, Ticket::Outcome::kBehind);
    return Verdict::kAnswered;
  }
  return CheckConditions(ticket);
}

EventLog::Verdict EventLog::CheckConditions(Ticket& ticket) {
  bool waits = false;
  const Event* first = nullptr;
  for (const AppendCondition* condition : ticket.conditions) {
    for (const QueryItem& item : ItemsOf(condition->fail_if_match)) {
      const auto match = tail_.FindFirst(item, condition->after.value_or(SortableId()));
      waits = waits || (match && match->pending);
      if (match && !match->pending &&
          (first == nullptr || match->event->sortable_id < first->sortable_id)) {
        first = match->event;
      }
    }
  }
  if (first != nullptr) {
    Fail(ticket, MakeConflict({first->id, first->sortable_id}));
    return Verdict::kAnswered;
  }
  return waits ? Verdict::kWaits : Verdict::kMember;
}

// Takes what can be taken, in the order in which it came.
std::shared_ptr<Flight> EventLog::Decide() {
  std::shared_ptr<Flight> flight = MakeFlight();
  std::deque<Ticket*> left;
  bool full = false;
  while (!queue_.empty()) {
    Ticket& ticket = *queue_.front();
    queue_.pop_front();
    full = full || !Fits(ticket, *flight);
    if (full) {
      left.push_back(&ticket);
      continue;
    }
    switch (CheckTicket(ticket)) {
      case Verdict::kAnswered:
        --queued_;
        break;
      case Verdict::kWaits:
        left.push_back(&ticket);
        break;
      case Verdict::kMember:
        --queued_;
        full = ticket.parts.has_value() || ticket.keeps_places;
        if (flight->members.empty()) {
          tail_.AddPending(flight->slot);
        }
        AddMember(*flight, ticket);
        tail_.IndexLastAppend();
        break;
    }
  }
  queue_ = std::move(left);
  if (flight->members.empty()) {
    return nullptr;
  }
  MakePut(*core_, *flight);
  return flight;
}

// What was decided on something that did not come to be.
void EventLog::Abandon(bool decide_again, const Error& error) {
  std::vector<Ticket*> members;
  tail_.DropPending();
  for (const std::shared_ptr<Flight>& flight : flights_) {
    flight->abandoned = true;
    if (decide_again) {
      ReturnEvents(*flight);
    }
    members.insert(members.end(), flight->members.begin(), flight->members.end());
  }
  flights_.clear();
  if (decide_again) {
    queue_.insert(queue_.begin(), members.begin(), members.end());
    queued_ += members.size();
    return;
  }
  for (Ticket* member : members) {
    Fail(*member, error);
  }
}

void EventLog::SettleReady() {
  while (!flights_.empty() && flights_.front()->sent) {
    const std::shared_ptr<Flight> flight = flights_.front();
    switch (flight->sent->outcome) {
      case Sent::Outcome::kStored:
        flights_.pop_front();
        tail_.SettleFirst();
        for (Ticket* member : flight->members) {
          member->slot = flight->slot;
          Answer(*member, Ticket::Outcome::kAppended);
        }
        break;
      case Sent::Outcome::kLost:
        Abandon(/*decide_again=*/true, {});
        must_catch_up_ = true;
        known_next_ = std::move(flight->sent->other);
        break;
      case Sent::Outcome::kFailed:
        flights_.pop_front();
        flight->abandoned = true;
        Abandon(/*decide_again=*/true, {});
        for (Ticket* member : flight->members) {
          Fail(*member, flight->sent->error);
        }
        break;
      case Sent::Outcome::kUnknown:
        unsettled_ = flight;
        Abandon(/*decide_again=*/false,
                {.code = ErrorCode::kAmbiguous,
                 .message = "the append may have happened or not: " + flight->sent->error.message});
        break;
    }
  }
  nothing_decidable_ = false;
  settled_.NotifyAll();
}

void EventLog::Answer(Ticket& ticket, Ticket::Outcome outcome) {
  ticket.outcome = outcome;
  if (ticket.owner != nullptr) {
    answered_.push_back(&ticket);
  } else if (ticket.state.exchange(Ticket::State::kAnswered) == Ticket::State::kSleeping) {
    woken_.push_back(&ticket);
  }
}

void EventLog::Fail(Ticket& ticket, Error error) {
  ticket.error = std::move(error);
  Answer(ticket, Ticket::Outcome::kFailed);
}

}  // namespace stator::events
