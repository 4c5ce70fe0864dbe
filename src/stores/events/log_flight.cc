#include "stores/events/log_flight.h"

#include <iterator>
#include <utility>

#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stator/patterns/retry.h"

namespace stator::events {
namespace {

// Whether the slot that is there is this one.
Sent Compare(const Flight& flight, const Item& there) {
  const Result<SlotId> id = SlotIdField(there, "id");
  if (id && *id == flight.slot->id) {
    return {.outcome = Sent::Outcome::kStored};
  }
  return {.outcome = Sent::Outcome::kLost, .other = there};
}

// None: there is none, or nobody says.
std::optional<Sent> Look(EventStoreCore& core, const Flight& flight) {
  const auto output =
      core.database->GetItem({.table_name = core.options.events_table_name,
                              .key = core.keys.Slot(flight.slot->number, core.genesis.stripes),
                              .consistent_read = true});
  if (!output || !output->item) {
    return std::nullopt;
  }
  return Compare(flight, *output->item);
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

Sent SendFlight(EventStoreCore& core, const Flight& flight, bool maybe_stored) {
  Error error;
  patterns::Retry retry(core.options.retry, core.environment);
  while (true) {
    const auto put = core.database->PutItem(flight.put);
    if (put) {
      return {.outcome = Sent::Outcome::kStored};
    }
    error = put.error();
    const ErrorCode code = error.code;
    if (code == ErrorCode::kConditionFailed) {
      if (const Item* there = patterns::FindItem(error)) {
        return Compare(flight, *there);
      }
      if (std::optional<Sent> sent = Look(core, flight)) {
        return *std::move(sent);
      }
    }
    maybe_stored = maybe_stored || patterns::MayHaveHappened(code);
    const bool again = code == ErrorCode::kConditionFailed || patterns::IsTransient(code) ||
                       patterns::MayHaveHappened(code);
    if (!again || !retry.Wait()) {
      break;
    }
  }
  if (maybe_stored) {
    if (std::optional<Sent> sent = Look(core, flight)) {
      return *std::move(sent);
    }
  }
  return {.outcome = maybe_stored ? Sent::Outcome::kUnknown : Sent::Outcome::kFailed,
          .error = std::move(error)};
}

}  // namespace stator::events
