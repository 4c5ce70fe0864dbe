// For the list of projectors (listings.h).

#pragma once

#include <string>

#include "stator/stores/events/event_store.h"

namespace stator::events {

// That there is such a projector. What fails is tried again with its next state: a list is not worth
// the failure of a save.
void NoteProjector(const EventStore& store, const std::string& name);

}  // namespace stator::events
