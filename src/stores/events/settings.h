// What is recorded once for a service.

#pragma once

#include <optional>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

Result<std::optional<Recorded>> ReadSettings(EventStoreCore& core);

// Reads the settings, recording them first if there are none, and fills core.recorded and
// core.genesis. Fails with kValidation when the tables have events of the service in another layout,
// or that another system wrote.
Result<void> LoadSettings(EventStoreCore& core);

}  // namespace stator::events
