#include "transport/retry.h"

#include <algorithm>

#include "stator/base/backoff.h"

namespace stator::transport {
namespace {

constexpr int kTransientCost = 14;
constexpr int kThrottledCost = 5;
constexpr int kFirstAttemptRefund = 1;
constexpr Duration kAskedForMax = std::chrono::seconds(5);

}  // namespace

Duration BackoffBefore(int repetition, Failure failure, std::optional<Duration> asked_for,
                       const BackoffOptions& options, Random& random) {
  const Duration base = failure == Failure::kThrottled ? options.throttled_base : options.base;
  const Duration jittered = stator::BackoffBefore(repetition, base, options.longest, random);
  return asked_for ? std::max(jittered, std::min(*asked_for, jittered + kAskedForMax)) : jittered;
}

std::optional<int> RetryQuota::Take(Failure failure) {
  const int cost = failure == Failure::kThrottled ? kThrottledCost : kTransientCost;
  const MutexLock lock(mutex_);
  if (tokens_ < cost) {
    return std::nullopt;
  }
  tokens_ -= cost;
  return cost;
}

void RetryQuota::Refund(std::optional<int> taken) {
  const MutexLock lock(mutex_);
  tokens_ = std::min(capacity_, tokens_ + taken.value_or(kFirstAttemptRefund));
}

int RetryQuota::tokens() const {
  const MutexLock lock(mutex_);
  return tokens_;
}

}  // namespace stator::transport
