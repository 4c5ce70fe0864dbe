// Which services share the tables of a store, and which projectors keep states in it.

#pragma once

#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_store.h"

namespace stator::events {

// Those that ever opened a store for writing in the same tables, sorted; not those of another system.
Result<std::vector<std::string>> ListServices(EventStore& store);

// Those of the service that ever saved a state or said that they run, sorted.
Result<std::vector<std::string>> ListProjectors(EventStore& store);

}  // namespace stator::events
