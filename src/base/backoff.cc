#include "stator/base/backoff.h"

#include <algorithm>
#include <cstdint>

namespace stator {

Duration BackoffBefore(int repetition, Duration first, Duration longest, Random& random) {
  constexpr int kDoublingsMax = 30;  // beyond every limit that makes sense
  const Duration::rep factor = Duration::rep{1} << std::clamp(repetition, 0, kDoublingsMax);
  const Duration::rep begin = std::max<Duration::rep>(first.count(), 0);
  const Duration::rep most = std::max<Duration::rep>(longest.count(), 0);
  const Duration::rep bound = most / factor < begin ? most : begin * factor;
  return Duration(static_cast<Duration::rep>(random.Below(static_cast<std::uint64_t>(bound) + 1)));
}

}  // namespace stator
