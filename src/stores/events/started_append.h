// An append for which nobody waits: whoever it is for is told.

#pragma once

#include <vector>

#include "stator/api/database_interface.h"
#include "stator/stores/events/append.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

// Looks into the index in the thread of the caller. `done` is called once, always by a thread of the log
// and never within this call, so that one that appends again adds nothing to the stack.
void StartAppendEvents(EventStoreCore& core, std::vector<NewEvent> events, AppendOptions options,
                       Completion<Appended> done);

}  // namespace stator::events
