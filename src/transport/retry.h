// When to send a request again, and after how long: the standard mode of the AWS SDKs, with the
// numbers that they use for DynamoDB since November 2026.
//
//   wait      a random part of min(base * 2^n, 20 s) before the n-th repetition, counted from 0,
//             where base is 25 ms, and 1 s after a throttled attempt; an endpoint that names a time
//             with x-amz-retry-after gets it, within 5 s
//   quota     500 tokens, shared by all calls: a repetition takes 14, or 5 after a throttled
//             attempt, and gives them back when it succeeds; a first attempt that succeeds
//             brings 1. When tokens run out, failures are reported at once: an endpoint that is
//             down is not kept down by its clients

#pragma once

#include <chrono>
#include <optional>

#include "stator/base/clock.h"
#include "stator/base/mutex.h"
#include "stator/base/random.h"

namespace stator::transport {

enum class Failure : bool { kTransient, kThrottled };

struct BackoffOptions {
  Duration base = std::chrono::milliseconds(25);
  Duration throttled_base = std::chrono::seconds(1);
  Duration longest = std::chrono::seconds(20);
};

// `repetition` counts from 0; `asked_for` is what the endpoint wants, if it said so.
Duration BackoffBefore(int repetition, Failure failure, std::optional<Duration> asked_for,
                       const BackoffOptions& options, Random& random);

// THREADS: may be used from many threads.
class RetryQuota {
 public:
  static constexpr int kCapacity = 500;

  explicit RetryQuota(int capacity = kCapacity) : capacity_(capacity), tokens_(capacity) {}

  // Takes the tokens for one repetition and says how many, or nothing when there are too few.
  std::optional<int> Take(Failure failure);

  // After a success: `taken` is what the last repetition of the call took, nothing when there was
  // no repetition.
  void Refund(std::optional<int> taken);

  [[nodiscard]] int tokens() const;

 private:
  const int capacity_;
  mutable Mutex mutex_;
  int tokens_ STATOR_GUARDED_BY(mutex_);
};

}  // namespace stator::transport
