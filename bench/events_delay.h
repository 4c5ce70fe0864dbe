// How soon followers learn of appends.

#pragma once

#include "stator/stores/events/event_store.h"

namespace stator::events {

// Appends for some seconds through one store, now and then, and follows through another, or the
// same. Prints the median and the slowest of a hundred of the time from before the append to the event.
void PrintFollowerDelay(const char* name, EventStore& writer, EventStore& reader, bool use_stream,
                        double seconds);

}  // namespace stator::events
