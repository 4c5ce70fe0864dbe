// The two spellings of a moment that HTTP and AWS's signatures use.
//
//   Sun, 15 Nov 2026 22:44:16 GMT    IMF-fixdate of RFC 9110: the Date header
//   20261115T224416Z                 ISO 8601 basic format: X-Amz-Date and the string to sign

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stator/base/clock.h"

namespace stator::wire {

std::string FormatHttpDate(TimePoint time);
std::string FormatBasicDate(TimePoint time);

// Exactly the forms above; nothing for anything else, impossible dates included.
std::optional<TimePoint> ParseHttpDate(std::string_view text);
std::optional<TimePoint> ParseBasicDate(std::string_view text);

}  // namespace stator::wire
