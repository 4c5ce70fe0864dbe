// The size of a number (value/size.h), from its parts.

#pragma once

#include <algorithm>
#include <cstddef>

#include "value/number_parts.h"

namespace stator::value {

// Of a number of so many digits (none for zero), an exponent and a sign (stator/value/number.h).
inline std::size_t SizeOfNumber(int digits, int exponent, bool negative) {
  if (digits == 0) {
    return 1;
  }
  const auto digit_bytes = [](int count) {  // two digits share a byte
    return static_cast<std::size_t>(count + 1) / 2;
  };
  if (exponent >= 0) [[likely]] {
    return 1 + digit_bytes(digits) + (negative ? 1 : 0);
  }
  // Digits before and behind the point are packed apart.
  const int fraction = std::min(-exponent, digits);
  return 1 + digit_bytes(digits - fraction) + digit_bytes(fraction) + (negative ? 1 : 0);
}

}  // namespace stator::value
