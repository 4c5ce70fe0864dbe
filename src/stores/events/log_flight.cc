#include "stores/events/log_flight.h"

#include <iterator>
#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/retry.h"

namespace stator::events {
namespace {

// Whether the slot that is there is this one.
void Compare(Flight& flight, const Item& there) {
  const Result<SlotId> id = SlotIdField(there, "id");
  const bool ours = id && *id == flight.slot->id;
  flight.state = ours ? Flight::State::kStored : Flight::State::kLost;
  flight.other = ours ? std::nullopt : std::optional<Item>(there);
}

// Whether there is one.
bool Look(EventStoreCore& core, Flight& flight) {
  const auto output =
      core.database->GetItem({.table_name = core.options.events_table_name,
                              .key = core.keys.Slot(flight.slot->number, core.genesis.stripes),
                              .consistent_read = true});
  if (!output || !output->item) {
    return false;
  }
  Compare(flight, *output->item);
  return true;
}

}  // namespace

void AddMember(Flight& flight, Ticket& ticket) {
  Slot& slot = *flight.slot;
  const std::size_t from = slot.events.size();
  ticket.append.first = from;
  ticket.append.events = ticket.events.size();
  ticket.append_index = slot.appends.size();
  slot.appends.push_back(ticket.append);
  for (const Event& event : ticket.events) {
    slot.kept_ids.push_back(!event.id.empty());
  }
  slot.events.insert(slot.events.end(), std::make_move_iterator(ticket.events.begin()),
                     std::make_move_iterator(ticket.events.end()));
  ticket.events.clear();
  PlaceEvents(slot, from);
  slot.bytes += ticket.bytes.size();
  ticket.sent = true;
  flight.members.push_back(&ticket);
}

void ReturnEvents(Flight& flight) {
  Slot& slot = *flight.slot;
  for (Ticket* member : flight.members) {
    const std::size_t first = member->append.first;
    for (std::size_t index = first; index < first + member->append.events; ++index) {
      Event& event = slot.events[index];
      event.position = 0;
      if (!slot.kept_ids[index]) {
        event.id.clear();
      }
      if (!member->keeps_places) {
        event.sortable_id = SortableId();
      }
      member->events.push_back(std::move(event));
    }
  }
}

void MakePut(const EventStoreCore& core, Flight& flight) {
  Item item = EncodeSlot(core.keys, core.genesis.stripes, *flight.slot);
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
  flight.put = patterns::MakePut(core.options.events_table_name, std::move(item),
                                 patterns::Attribute("pk").NotExists());
  flight.put.return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kAllOld;
}

void SendFlight(EventStoreCore& core, Flight& flight) {
  patterns::Retry retry(core.options.retry, core.environment);
  while (true) {
    const auto put = core.database->PutItem(flight.put);
    if (put) {
      flight.state = Flight::State::kStored;
      return;
    }
    flight.error = put.error();
    const ErrorCode code = flight.error.code;
    if (code == ErrorCode::kConditionFailed) {
      if (const Item* there = patterns::FindItem(flight.error)) {
        Compare(flight, *there);
        return;
      }
      if (Look(core, flight)) {
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
  if (flight.maybe_stored && Look(core, flight)) {
    return;
  }
  flight.state = flight.maybe_stored ? Flight::State::kUnknown : Flight::State::kFailed;
}

}  // namespace stator::events
