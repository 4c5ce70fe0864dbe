// Moments as people and programs write them: in the header x-stator-as-of and on the command line.

#pragma once

#include <optional>
#include <string_view>

#include "stator/base/clock.h"

namespace stator::wire {

// The forms that there are, for a sentence.
inline constexpr std::string_view kMomentForms =
    "seconds since 1970 or a time like 2026-11-17T08:00:00Z, each with at most six decimals, or "
    "\"latest\"";

// Nothing when it is none of them. The latest is TimePoint::max().
std::optional<TimePoint> ParseMoment(std::string_view text);

}  // namespace stator::wire
