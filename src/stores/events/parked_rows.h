// Rows of parked events, in the table of states.

#pragma once

#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"
#include "stator/stores/events/parked_event.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

// At the key; now. Writing it again does no harm.
Result<void> WriteParked(EventStore& store, Item key, const ParkedEvent& event);
// Whose sort keys are the prefix and a position.
Result<std::vector<ParkedEvent>> ReadParked(EventStore& store, const std::string& partition,
                                            const std::string& prefix);
// Fails with kNotFound when it is not there.
Result<void> RemoveParked(EventStore& store, const Item& key, std::uint64_t position);

// What can be kept of a reason: the first 500 bytes of UTF-8.
std::string ShortReason(std::string reason);

}  // namespace stator::events
