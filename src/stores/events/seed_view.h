// The rows that the original system has, one for each event and one for each of its tags, as a view
// of the log: for its programs, which read them, and for people who look. Nothing here reads them.
// Written when there is time; a mark of its own says how far.

#pragma once

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_slot.h"

namespace stator::events {

// Some more of it. Whether there may be more to write.
Result<bool> WriteView(EventStoreCore& core);

}  // namespace stator::events
