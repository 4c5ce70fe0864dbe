// Reads are repeated while the database says that it may work later.

#pragma once

#include "stator/patterns/environment.h"
#include "stores/events/core.h"

namespace stator::events {

template <class Read>
auto RetryRead(Core& core, const Read& read) -> decltype(read()) {
  for (int attempt = 1;; ++attempt) {
    auto result = read();
    if (result || attempt >= core.options.max_retry_attempts ||
        !patterns::IsTransient(result.error().code)) {
      return result;
    }
    core.environment.clock->SleepFor(
        core.MakeBackoff().Jitter(attempt - 1, *core.environment.random));
  }
}

}  // namespace stator::events
