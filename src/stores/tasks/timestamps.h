// Moments as text: RFC 3339 in UTC.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/base/clock.h"

namespace stator::tasks {

// 2026-02-23T12:34:56.789Z, always with milliseconds, so that texts sort like moments.
// REQUIRES: years 0 to 9999.
std::string ToMillisecondText(TimePoint time);

// 2026-02-23T12:34:56.789012Z, with three or six digits, as many as it takes.
std::string ToExactText(TimePoint time);

// With any number of digits behind the second, of which six count, and any offset from UTC.
std::optional<TimePoint> ParseTimestamp(std::string_view text);

// The last moment that has four digits for the year.
inline constexpr TimePoint kLatestTimestamp =
    std::chrono::sys_days(std::chrono::year(10000) / 1 / 1) - std::chrono::microseconds(1);

std::int64_t EpochMilliseconds(TimePoint time);

}  // namespace stator::tasks
