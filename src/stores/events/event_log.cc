#include "stores/events/event_log.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/retry.h"
#include "stores/events/condition_check.h"
#include "stores/events/core.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"

namespace stator::events {
namespace {

constexpr std::size_t kFlightsMax = 2;
constexpr std::size_t kEventsPerSlotMax = 4096;
constexpr std::uint64_t kSlotsPerRead = 100;
// How far the log may be ahead of its index, which bounds memory and the time to open.
constexpr std::uint64_t kTailSlotsMax = 2048;
constexpr std::uint64_t kTailBytesMax = std::uint64_t{32} << 20U;

}  // namespace

Result<void> EventLog::Open() {
  const Mark mark = TRY(ReadMark(*core_, MarkKind::kIndex));
  Lock lock(mutex_);
  tail_.Configure(core_->genesis.chunk);
  tail_.Reset(mark);
  return CatchUp(lock, std::nullopt);
}

std::size_t EventLog::CountWaiting() const {
  const std::scoped_lock lock(mutex_);
  std::size_t count = queue_.size();
  for (std::size_t index = 1; index < flights_.size(); ++index) {
    count += flights_[index]->members.size();
  }
  return count;
}

void EventLog::LearnLast(const Mark& mark, const std::string& tag, SortableId last) {
  const std::scoped_lock lock(mutex_);
  if (tail_.mark() == mark) {
    tail_.LearnLastBelowMark(tag, last);
  }
}

void EventLog::UseMark(const Mark& mark) {
  const std::scoped_lock lock(mutex_);
  if (mark.place.slot > tail_.mark().place.slot && mark.place.slot <= tail_.settled().slot) {
    tail_.Trim(mark);
  }
}

// Reads on until a slot is missing. Whoever else does the same meanwhile does no harm.
Result<void> EventLog::CatchUp(Lock& lock, std::optional<Item> known) {
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    lock.unlock();
    std::vector<SlotPointer> slots;
    Result<void> read = [&]() -> Result<void> {
      if (known && TextOr(*known, "sk") == Padded(next, 12)) {
        slots.push_back(TRY(AssembleSlot(*core_, *known, next)));
        return {};
      }
      if (std::optional<SlotPointer> slot = TRY(ReadSlot(*core_, next, /*consistent=*/true))) {
        slots.push_back(*std::move(slot));
        std::vector<std::uint64_t> numbers;
        for (std::uint64_t number = next + 1; number < next + kSlotsPerRead; ++number) {
          numbers.push_back(number);
        }
        for (SlotPointer& more : TRY(ReadSlots(*core_, numbers, true, /*up_to_a_hole=*/true))) {
          slots.push_back(std::move(more));
        }
      }
      return {};
    }();
    // One that slept for long goes on at the mark.
    std::optional<Mark> mark;
    if (read && slots.size() == kSlotsPerRead) {
      Result<Mark> newer = ReadMark(*core_, MarkKind::kIndex);
      if (newer) {
        mark = *newer;
      }
    }
    known.reset();
    lock.lock();
    TRY_VOID(read);
    if (slots.empty() || tail_.has_pending()) {
      return {};
    }
    for (const SlotPointer& slot : slots) {
      if (slot->number == tail_.settled().slot + 1) {
        tail_.Fold(slot);
      }
    }
    if (mark && mark->place.slot > tail_.settled().slot) {
      tail_.Reset(*mark);
    } else if (mark && mark->place.slot > tail_.mark().place.slot) {
      tail_.Trim(*mark);
    }
    nothing_decidable_ = false;
    settled_.notify_all();
  }
}

Result<void> EventLog::Refresh(bool consistent) {
  Lock lock(mutex_);
  while (true) {
    const std::uint64_t next = tail_.settled().slot + 1;
    lock.unlock();
    const std::optional<SlotPointer> slot = TRY(ReadSlot(*core_, next, consistent));
    lock.lock();
    if (!slot) {
      return {};
    }
    if (!tail_.has_pending()) {
      if ((*slot)->number == tail_.settled().slot + 1) {
        tail_.Fold(*slot);
      }
      TRY_VOID(CatchUp(lock, std::nullopt));
      return {};
    }
    // It is ours, or stands where ours should be: whoever sent that one will say.
    settled_.wait(lock, [&] { return tail_.settled().slot >= next || !tail_.has_pending(); });
  }
}

bool EventLog::CanLead() const {
  return !busy_ && !queue_.empty() && !nothing_decidable_ && flights_.size() < kFlightsMax;
}

void EventLog::Run(Ticket& ticket) {
  Lock lock(mutex_);
  queue_.push_back(&ticket);
  nothing_decidable_ = false;
  while (ticket.outcome == Ticket::Outcome::kNone) {
    if (CanLead()) {
      Lead(lock);
      continue;
    }
    ticket.waiting = true;
    lock.unlock();
    ticket.wake.acquire();
    if (ticket.outcome != Ticket::Outcome::kNone) {
      return;
    }
    lock.lock();
  }
}

void EventLog::Lead(Lock& lock) {
  busy_ = true;
  if (Result<void> ready = MakeReady(lock); !ready) {
    busy_ = false;
    // Nothing of those that wait was sent.
    Error error = ready.error();
    error.code = patterns::MayHaveHappened(error.code) ? ErrorCode::kUnavailable : error.code;
    while (!queue_.empty()) {
      Ticket& ticket = *queue_.front();
      queue_.pop_front();
      Fail(ticket, error);
    }
    ReleaseWoken(lock);
    return;
  }
  const std::shared_ptr<Flight> flight = Decide();
  busy_ = false;
  nothing_decidable_ = flight == nullptr && !flights_.empty();
  if (flight == nullptr) {
    ReleaseWoken(lock);
    return;
  }
  flights_.push_back(flight);
  if (CanLead()) {
    WakeOne();
  }
  ReleaseWoken(lock);
  lock.unlock();
  const Duration began = core_->environment.clock->Elapsed();
  Send(*flight);
  const Duration took = core_->environment.clock->Elapsed() - began;
  lock.lock();
  last_put_ = took;
  if (!flight->abandoned) {
    SettleReady();
  }
  if (CanLead()) {
    WakeOne();
  }
  ReleaseWoken(lock);
}

Result<void> EventLog::MakeReady(Lock& lock) {
  if (unsettled_ != nullptr) {
    const std::shared_ptr<Flight> flight = unsettled_;
    flight->state = Flight::State::kSent;
    lock.unlock();
    Send(*flight);
    lock.lock();
    if (flight->state == Flight::State::kFailed || flight->state == Flight::State::kUnknown) {
      return std::unexpected(flight->error);
    }
    unsettled_.reset();
    must_catch_up_ = true;
  }
  if (must_catch_up_) {
    TRY_VOID(CatchUp(lock, std::exchange(known_next_, std::nullopt)));
    must_catch_up_ = false;
    // So that of several processes not always the same is faster.
    const auto span = static_cast<std::uint64_t>(last_put_.count()) + 1;
    const Duration wait(static_cast<Duration::rep>(core_->environment.random->Below(span)));
    if (wait > Duration::zero()) {
      lock.unlock();
      core_->environment.clock->SleepFor(wait);
      lock.lock();
    }
  }
  return MakeRoom(lock);
}

Result<void> EventLog::MakeRoom(Lock& lock) {
  while (tail_.end().slot - tail_.mark().place.slot >= kTailSlotsMax ||
         tail_.bytes() > kTailBytesMax) {
    if (tail_.complete_chunks() == 0) {
      return {};
    }
    lock.unlock();
    const Result<bool> indexed = core_->indexer.IndexNext();
    lock.lock();
    if (!TRY(Result<bool>(indexed))) {
      return {};
    }
  }
  return {};
}

std::shared_ptr<EventLog::Flight> EventLog::MakeFlight() {
  auto flight = std::make_shared<Flight>();
  const ChainPlace& end = tail_.end();
  flight->slot = std::make_shared<Slot>(
      Slot{.number = end.slot + 1,
           .id = MakeSlotId(*core_->environment.random),
           .prev = end.id,
           .first_position = end.position + 1,
           .first_tick = std::max(TicksAt(core_->environment.clock->Now()), end.hi.ticks() + 1)});
  return flight;
}

bool EventLog::Fits(const Ticket& ticket, const Flight& flight) const {
  const Slot& slot = *flight.slot;
  return slot.events.empty() ||
         (!ticket.parts && slot.bytes + ticket.bytes.size() <= kSlotBytesMax &&
          slot.events.size() + ticket.events.size() <= kEventsPerSlotMax);
}

EventLog::Judgement EventLog::Judge(Ticket& ticket) {
  if (ticket.stop.stop_requested()) {
    Fail(ticket, {.code = ErrorCode::kUnavailable, .message = "the append was stopped"});
    return Judgement::kAnswered;
  }
  if (ticket.facts_slot < tail_.mark().place.slot) {
    Answer(ticket, Ticket::Outcome::kStale);
    return Judgement::kAnswered;
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
    return Judgement::kWaits;
  }
  if (found) {
    ticket.slot = found->slot;
    ticket.append_index = found->append;
    Answer(ticket, Ticket::Outcome::kFound);
    return Judgement::kAnswered;
  }
  if (ticket.conflict) {
    Fail(ticket, *ticket.conflict);
    return Judgement::kAnswered;
  }
  bool waits = false;
  const Event* first = nullptr;
  for (const AppendCondition& condition : *ticket.conditions) {
    for (const QueryItem& item : ItemsOf(condition.fail_if_match)) {
      const auto match = tail_.FindFirst(item, condition.after.value_or(SortableId()));
      waits = waits || (match && match->pending);
      if (match && !match->pending &&
          (first == nullptr || match->event->sortable_id < first->sortable_id)) {
        first = match->event;
      }
    }
  }
  if (first != nullptr) {
    Fail(ticket, MakeConflict({first->id, first->sortable_id}));
    return Judgement::kAnswered;
  }
  return waits ? Judgement::kWaits : Judgement::kMember;
}

void EventLog::AddMember(Ticket& ticket, Flight& flight) {
  Slot& slot = *flight.slot;
  if (flight.members.empty()) {
    tail_.AddPending(flight.slot);
  }
  ticket.sent = true;
  const std::size_t from = slot.events.size();
  ticket.append.first = from;
  ticket.append.events = ticket.events.size();
  ticket.append_index = slot.appends.size();
  slot.appends.push_back(ticket.append);
  for (const Event& event : ticket.events) {
    slot.kept_ids.push_back(!event.id.empty());
    slot.events.push_back(event);
  }
  PlaceEvents(slot, from);
  slot.bytes += ticket.bytes.size();
  flight.members.push_back(&ticket);
  tail_.IndexLastAppend();
}

// Takes what can be taken, in the order in which it came.
std::shared_ptr<EventLog::Flight> EventLog::Decide() {
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
    switch (Judge(ticket)) {
      case Judgement::kAnswered:
        break;
      case Judgement::kWaits:
        left.push_back(&ticket);
        break;
      case Judgement::kMember:
        AddMember(ticket, *flight);
        full = ticket.parts.has_value();
        break;
    }
  }
  queue_ = std::move(left);
  if (flight->members.empty()) {
    return nullptr;
  }
  FinishFlight(*flight);
  return flight;
}

void EventLog::FinishFlight(Flight& flight) const {
  Item item = EncodeSlot(core_->keys, core_->genesis.stripes, *flight.slot);
  if (const std::optional<Parts>& parts = flight.members.front()->parts) {
    item.Set("g", parts->group);
    item.Set("p", parts->count);
    item.Set("h", Binary{parts->digest});
  } else {
    std::string body(1, kBodyVersion);
    body.reserve(flight.slot->bytes + 1);
    for (const Ticket* member : flight.members) {
      body += member->bytes;
    }
    item.Set("b", Binary{std::move(body)});
  }
  flight.put = patterns::MakePut(core_->options.events_table_name, std::move(item),
                                 patterns::Attribute("pk").NotExists());
  flight.put.return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kAllOld;
}

void EventLog::Send(Flight& flight) {
  const Item key = core_->keys.Slot(flight.slot->number, core_->genesis.stripes);
  const auto judge = [&](const Item& there) {
    const Result<SlotId> id = SlotIdField(there, "id");
    const bool ours = id && *id == flight.slot->id;
    flight.state = ours ? Flight::State::kStored : Flight::State::kLost;
    flight.other = ours ? std::nullopt : std::optional<Item>(there);
  };
  const auto read = [&] {
    const auto output = core_->database->GetItem(
        {.table_name = core_->options.events_table_name, .key = key, .consistent_read = true});
    if (output && output->item) {
      judge(*output->item);
      return true;
    }
    return false;
  };
  patterns::Retry retry(core_->options.retry, core_->environment);
  while (true) {
    const auto put = core_->database->PutItem(flight.put);
    if (put) {
      flight.state = Flight::State::kStored;
      return;
    }
    flight.error = put.error();
    const ErrorCode code = flight.error.code;
    if (code == ErrorCode::kConditionFailed) {
      const Item* there = patterns::FindItem(flight.error);
      if (there != nullptr) {
        judge(*there);
        return;
      }
      if (read()) {
        return;
      }
    }
    flight.maybe_stored = flight.maybe_stored || patterns::MayHaveHappened(code);
    const bool again = code == ErrorCode::kConditionFailed || patterns::IsTransient(code) ||
                       patterns::MayHaveHappened(code);
    if (!again || !retry.Wait()) {
      break;
    }
  }
  if (flight.maybe_stored && read()) {
    return;
  }
  flight.state = flight.maybe_stored ? Flight::State::kUnknown : Flight::State::kFailed;
}

// What was decided on something that did not come to be.
void EventLog::Abandon(bool decide_again, const Error& error) {
  std::vector<Ticket*> members;
  for (const std::shared_ptr<Flight>& flight : flights_) {
    flight->abandoned = true;
    members.insert(members.end(), flight->members.begin(), flight->members.end());
  }
  flights_.clear();
  tail_.DropPending();
  if (decide_again) {
    queue_.insert(queue_.begin(), members.begin(), members.end());
    return;
  }
  for (Ticket* member : members) {
    Fail(*member, error);
  }
}

void EventLog::SettleReady() {
  while (!flights_.empty() && flights_.front()->state != Flight::State::kSent) {
    const std::shared_ptr<Flight> flight = flights_.front();
    switch (flight->state) {
      case Flight::State::kSent:
        break;
      case Flight::State::kStored:
        flights_.pop_front();
        tail_.SettleFirst();
        for (Ticket* member : flight->members) {
          member->slot = flight->slot;
          Answer(*member, Ticket::Outcome::kAppended);
        }
        break;
      case Flight::State::kLost:
        Abandon(/*decide_again=*/true, {});
        must_catch_up_ = true;
        known_next_ = std::move(flight->other);
        break;
      case Flight::State::kFailed:
        flights_.pop_front();
        flight->abandoned = true;
        Abandon(/*decide_again=*/true, {});
        for (Ticket* member : flight->members) {
          Fail(*member, flight->error);
        }
        break;
      case Flight::State::kUnknown:
        unsettled_ = flight;
        Abandon(/*decide_again=*/false,
                {.code = ErrorCode::kAmbiguous,
                 .message = "the append may have happened or not: " + flight->error.message});
        break;
    }
  }
  nothing_decidable_ = false;
  settled_.notify_all();
}

void EventLog::Answer(Ticket& ticket, Ticket::Outcome outcome) {
  // Whoever does not wait may be gone as soon as there is an outcome.
  const bool waiting = std::exchange(ticket.waiting, false);
  ticket.outcome = outcome;
  if (waiting) {
    woken_.push_back(&ticket);
  }
}

void EventLog::Fail(Ticket& ticket, Error error) {
  ticket.error = std::move(error);
  Answer(ticket, Ticket::Outcome::kFailed);
}

void EventLog::WakeOne() {
  const auto ticket =
      std::find_if(queue_.begin(), queue_.end(), [](const Ticket* one) { return one->waiting; });
  if (ticket != queue_.end()) {
    (*ticket)->waiting = false;
    woken_.push_back(*ticket);
  }
}

void EventLog::ReleaseWoken(Lock& lock) {
  if (woken_.empty()) {
    return;
  }
  std::vector<Ticket*> woken;
  woken.swap(woken_);
  lock.unlock();
  for (Ticket* ticket : woken) {
    ticket->wake.release();
  }
  lock.lock();
}

}  // namespace stator::events
