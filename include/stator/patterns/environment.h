// What the patterns need of the world besides a database: time, sleep and chance.

#pragma once

#include <stop_token>

#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::patterns {

// Both must outlive whoever holds an Environment. Cheap to copy.
struct Environment {
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
};

// Sleeps in short steps and returns early, with false, when the caller asked to stop.
bool SleepUnlessStopped(Clock& clock, Duration duration, const std::stop_token& stop);

// Whether the same request may succeed later: throttling, conflicts, a service that is away.
bool IsTransient(ErrorCode code);

// Whether a write that failed so may have been done nevertheless.
bool MayHaveHappened(ErrorCode code);

}  // namespace stator::patterns
