// How late events have come lately, to wait as long for those that come next. Grows at once with
// what is seen and gets smaller slowly.

#pragma once

#include "stator/base/clock.h"

namespace stator::events {

// THREADS: one at a time.
class LagWindow {
 public:
  // Never more than `most`; always nothing when that is nothing.
  explicit LagWindow(Duration most) : most_(most) {}

  // An event was seen so long after it was made.
  void Observe(Duration lag, Duration now);

  // The larger one of the average, which weighs a new lag with a fifth, and of the greatest lag,
  // which loses a fiftieth of itself per second.
  [[nodiscard]] Duration Current(Duration now) const;

 private:
  [[nodiscard]] double Greatest(Duration now) const;

  Duration most_;
  double average_ = 0;   // microseconds, as all below
  double greatest_ = 0;  // when it was last observed
  Duration observed_at_{};
};

}  // namespace stator::events
