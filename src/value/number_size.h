// The size of a number (value/size.h), from its parts.

#pragma once

#include <algorithm>
#include <cstddef>

#include "value/number_parts.h"

namespace stator::value {

// Of a coefficient, an exponent and a sign (stator/value/number.h).
inline std::size_t SizeOfNumber(Uint128 coefficient, int exponent, bool negative) {
  if (coefficient == 0) {
    return 1;
  }
  const auto digit_bytes = [](int digits) {  // two digits share a byte
    return static_cast<std::size_t>(digits + 1) / 2;
  };
  const int digits = DigitCount(coefficient);
  // Digits before and behind the point are packed apart.
  const int fraction = std::clamp(-exponent, 0, digits);
  return 1 + digit_bytes(digits - fraction) + digit_bytes(fraction) + (negative ? 1 : 0);
}

}  // namespace stator::value
