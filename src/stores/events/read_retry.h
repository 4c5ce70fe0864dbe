// Reads are repeated while the database says that it may work later.

#pragma once

#include "stator/patterns/retry.h"
#include "stores/events/event_store_core.h"

namespace stator::events {

template <class Read>
auto RetryRead(EventStoreCore& core, const Read& read) -> decltype(read()) {
  return patterns::RetryTransient(core.options.retry, core.environment, read);
}

}  // namespace stator::events
