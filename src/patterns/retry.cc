#include "stator/patterns/retry.h"

#include <algorithm>

#include "stator/base/backoff.h"

namespace stator::patterns {

bool Retry::Wait() {
  constexpr Duration kShortest = std::chrono::milliseconds(1);
  Clock& clock = *environment_.clock;
  const Duration now = clock.Elapsed();
  if (!deadline_) {
    deadline_ = now + options_.budget;
  }
  // A clock that stands still does not make it wait for ever.
  const Duration left = std::min(*deadline_ - now, options_.budget - waited_);
  if (left <= Duration::zero() || stop_.stop_requested()) {
    return false;
  }
  const Duration chosen = std::max(
      kShortest,
      BackoffBefore(repetitions_++, options_.wait_first, options_.wait_max, *environment_.random));
  // The last attempt is at the end of the time, rather than not at all.
  const Duration wait = std::min(chosen, std::max(kShortest, left));
  waited_ += wait;
  return SleepUnlessStopped(clock, wait, stop_);
}

void Retry::Reset() {
  deadline_.reset();
  waited_ = Duration::zero();
  repetitions_ = 0;
}

bool IsOvertaken(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConflict:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kNotFound:
    case ErrorCode::kExpired:
    case ErrorCode::kConditionFailed:
    case ErrorCode::kTransactionConflict:
      return true;
    default:
      return false;
  }
}

}  // namespace stator::patterns
