// Options of an event store from a file and the environment, below those that flags give.

#pragma once

#include "stator/stores/events/options.h"

namespace CLI {
class App;
}

namespace stator::cli {

// Adds --options FILE (or the variable STATOR_EVENTS_OPTIONS), and lets STATOR_EVENTS_SERVICE_ID and
// its like set single options. What a flag says counts more than the environment, and that more than
// the file. REQUIRES: the flags are added behind it.
void AddStoreOptions(CLI::App& command, events::EventStoreOptions& options);

}  // namespace stator::cli
