#include "stator/patterns/environment.h"

#include <algorithm>

namespace stator::patterns {

bool SleepUnlessStopped(Clock& clock, Duration duration, const std::stop_token& stop) {
  constexpr Duration kStep = std::chrono::milliseconds(50);
  while (duration > Duration::zero() && !stop.stop_requested()) {
    const Duration step = stop.stop_possible() ? std::min(duration, kStep) : duration;
    clock.SleepFor(step);
    duration -= step;
  }
  return !stop.stop_requested();
}

bool IsTransient(ErrorCode code) {
  switch (code) {
    case ErrorCode::kTransactionConflict:
    case ErrorCode::kTransactionInProgress:
    case ErrorCode::kThroughputExceeded:
    case ErrorCode::kThrottled:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kInternal:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimeout:
    case ErrorCode::kAmbiguous:
      return true;
    default:
      return false;
  }
}

bool MayHaveHappened(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
    case ErrorCode::kTimeout:
    case ErrorCode::kIo:
    case ErrorCode::kAmbiguous:
      return true;
    default:
      return false;
  }
}

}  // namespace stator::patterns
