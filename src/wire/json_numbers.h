// Numbers in answers, as DynamoDB writes them.

#pragma once

#include <cstdint>
#include <string>

#include "stator/base/clock.h"

namespace stator::wire {

void AppendInteger(std::int64_t value, std::string& out);

// With a fraction even if it is zero: capacity units are 1.0 and 0.5. REQUIRES: finite.
void AppendDouble(double value, std::string& out);

// Seconds since 1970 with three digits behind the point: 1733000000.123.
void AppendEpochSeconds(TimePoint time, std::string& out);

}  // namespace stator::wire
