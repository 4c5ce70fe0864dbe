// What the patterns need of the world besides a database: time, sleep and chance. And how long to
// wait before trying again.

#pragma once

#include <chrono>
#include <cstdint>
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

// Exponential backoff with full jitter: before the n-th repetition, anything between no time and
// min(cap, base * 2^n). Spread over the whole span, because those who collided once should not meet
// again.
struct Backoff {
  std::chrono::milliseconds base{50};
  std::chrono::milliseconds cap{5000};

  // `repetition` counts from 0.
  [[nodiscard]] Duration Jitter(int repetition, Random& random) const;
};

// Sleeps in short steps and returns early, with false, when the caller asked to stop.
bool SleepUnlessStopped(Clock& clock, Duration duration, const std::stop_token& stop);

// Whether the same request may succeed later: throttling, conflicts, a service that is away.
bool IsTransient(ErrorCode code);

// Whether a write that failed so may have been done nevertheless.
bool MayHaveHappened(ErrorCode code);

}  // namespace stator::patterns
