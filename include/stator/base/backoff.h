// How long to wait before trying again: the one formula.

#pragma once

#include "stator/base/clock.h"
#include "stator/base/random.h"

namespace stator {

// Exponential backoff with full jitter: before the n-th repetition, counted from 0, anything
// between no time and min(longest, first * 2^n). Spread over the whole span, because those who
// collided once should not meet again. Negative spans count as none.
Duration BackoffBefore(int repetition, Duration first, Duration longest, Random& random);

}  // namespace stator
