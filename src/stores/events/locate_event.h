// An event in its slot, found by its id.

#pragma once

#include <cstddef>
#include <string_view>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_slot.h"

namespace stator::events {

struct LocatedEvent {
  SlotPointer slot = {};  // null: there is none
  std::size_t index = 0;

  [[nodiscard]] const Event& event() const { return slot->events[index]; }
};

// Of those that Refresh found. Its payload is as the log has it: sealed, elsewhere, or blank.
Result<LocatedEvent> LocateEvent(EventStoreCore& core, std::string_view id, bool consistent);

}  // namespace stator::events
