// Counts calls that were broken off. Beginning and resetting calls costs a client nothing and a server
// the work of each (CVE-2023-44487), so a connection may do it so often at once, and then so often in a
// second.

#pragma once

#include <algorithm>
#include <cstddef>

#include "stator/base/clock.h"

namespace stator::grpc {

class ResetMeter {
 public:
  ResetMeter(std::size_t at_once, std::size_t per_second, Duration now)
      : at_once_(static_cast<double>(at_once)),
        per_second_(static_cast<double>(per_second)),
        left_(at_once_),
        counted_at_(now) {}

  // Whether that one was too many.
  bool Count(Duration now) {
    const double seconds = std::chrono::duration<double>(now - counted_at_).count();
    counted_at_ = now;
    left_ = std::min(at_once_, left_ + seconds * per_second_) - 1;
    return left_ < 0;
  }

 private:
  double at_once_;
  double per_second_;
  double left_;
  Duration counted_at_;
};

}  // namespace stator::grpc
