#include "stores/events/locate_event.h"

#include <string>

#include "base/try.h"
#include "stator/api/database.h"
#include "stores/events/event_log.h"
#include "stores/events/item_fields.h"
#include "stores/events/log_places.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

constexpr std::size_t kIdBytesMax = 256;

// Nothing when there is another event at the position.
Result<LocatedEvent> LookAt(EventStoreCore& core, std::uint64_t position, std::string_view id,
                            bool consistent) {
  LocatedEvent located{.slot = TRY(ReadSlotAt(core, position, consistent))};
  if (located.slot != nullptr) {
    located.index = position - located.slot->first_position;
    if (located.event().id != id) {
      located.slot = nullptr;
    }
  }
  return located;
}

}  // namespace

Result<LocatedEvent> LocateEvent(EventStoreCore& core, std::string_view id, bool consistent) {
  if (id.empty() || id.size() > kIdBytesMax) {
    return LocatedEvent();
  }
  LocatedEvent located = TRY(LookAt(core, PositionOfId(id), id, consistent));
  if (located.slot != nullptr) {
    return located;
  }
  const auto kept =
      core.log.LookAtTail([&](const Tail& tail) { return tail.FindKeptId(std::string(id)); });
  for (std::size_t index = 0; kept && !kept->pending && index < kept->slot->events.size();
       ++index) {
    if (kept->slot->events[index].id == id) {
      return LocatedEvent{.slot = kept->slot, .index = index};
    }
  }
  const GetItemOutput row = TRY(RetryRead(core, [&] {
    return core.database->GetItem({.table_name = core.options.events_table_name,
                                   .key = core.keys.KeptId(id),
                                   .consistent_read = consistent});
  }));
  return row.item ? LookAt(core, TRY(CountField(*row.item, "position")), id, consistent)
                  : LocatedEvent();
}

}  // namespace stator::events
