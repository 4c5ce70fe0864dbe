// What an append has to know of the index before it is decided: what is below the mark does not
// change, so it is looked at once, in the caller's thread, and the rest against the tail.

#pragma once

#include <optional>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/append.h"
#include "stores/events/event_log.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

// An append that is in the log.
struct LandedAppend {
  SlotPointer slot;
  std::size_t append = 0;

  [[nodiscard]] const LoggedAppend& logged() const { return slot->appends[append]; }
};

// By its append id, or by the id of an event that keeps its own.
Result<std::optional<LandedAppend>> FindLanded(EventStoreCore& core, const Ticket& ticket,
                                               const Mark& mark);

// The first event up to the mark that is in the way of one of the conditions.
Result<std::optional<Error>> FindConflictBelow(EventStoreCore& core, const Conditions& conditions,
                                               const Mark& mark);

}  // namespace stator::events
