// Moments with all their digits, for Stator's own operations; those of the service have milliseconds.
//
//   Exact moment(input.rewind_date_time);
//   visit.Required("RewindDateTime", moment);

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "stator/base/clock.h"
#include "wire/codec.h"

namespace stator::wire {

template <class Time>
struct Exact {
  explicit Exact(Time& given) : time(given) {}
  Time& time;
};

// Seconds since 1970 with six decimals. A double keeps them until the year 2242.
inline void AppendExactSeconds(TimePoint time, std::string& out) {
  constexpr std::uint64_t kMicrosecondsPerSecond = 1'000'000;
  const std::int64_t microseconds =
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
  const std::uint64_t magnitude = microseconds < 0 ? 0 - static_cast<std::uint64_t>(microseconds)
                                                   : static_cast<std::uint64_t>(microseconds);
  out += microseconds < 0 ? "-" : "";
  out += std::to_string(magnitude / kMicrosecondsPerSecond);
  out += '.';
  out.append(std::to_string(magnitude % kMicrosecondsPerSecond + kMicrosecondsPerSecond), 1);
}

template <class Time>
struct Codec<Exact<Time>> {
  static void Read(JsonElement json, const MemberPath& /*path*/, Decoding& decoding,
                   Exact<Time>& value) {
    value.time = EpochSecondsFrom(json, decoding);
  }
  static void Append(const Exact<Time>& value, std::string& out) {
    AppendExactSeconds(value.time, out);
  }
};

}  // namespace stator::wire
