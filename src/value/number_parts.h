// What the two halves of Number's implementation (arithmetic, text) share with those who have numbers
// in parts: 128-bit coefficients, powers of ten, and DynamoDB's words for numbers that it refuses.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/limits.h"
#include "stator/base/result.h"
#include "stator/value/number.h"

namespace stator::value {

__extension__ typedef unsigned __int128 Uint128;

inline constexpr int kDigitsMax = limits::kNumberDigitsMax;

// 10^0 to 10^38: all that a coefficient can be compared with or scaled by.
inline constexpr std::array<Uint128, kDigitsMax + 1> kPowersOfTen = [] {
  std::array<Uint128, kDigitsMax + 1> powers{};
  Uint128 power = 1;
  for (Uint128& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}();

// 10^0 to 10^19, those that fit 64 bits.
inline constexpr std::array<std::uint64_t, 20> kSmallPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{};
  for (std::size_t at = 0; at < powers.size(); ++at) {
    powers[at] = static_cast<std::uint64_t>(kPowersOfTen[at]);
  }
  return powers;
}();

constexpr Uint128 JoinHalves(std::uint64_t high, std::uint64_t low) {
  return static_cast<Uint128>(high) << 64U | low;
}
constexpr std::uint64_t HighHalf(Uint128 value) {
  return static_cast<std::uint64_t>(value >> 64U);
}
constexpr std::uint64_t LowHalf(Uint128 value) {
  return static_cast<std::uint64_t>(value);
}

// How many decimal digits `value` has; none for zero.
constexpr int DigitCount(Uint128 value) {
  const auto bits = static_cast<std::size_t>(
      HighHalf(value) != 0 ? 64 + std::bit_width(HighHalf(value)) : std::bit_width(LowHalf(value)));
  // 1233 / 4096 is log10(2), close enough for 128 bits: the guess is right or one too few.
  const std::size_t guess = bits * 1233U >> 12U;
  return static_cast<int>(guess) + (value >= kPowersOfTen[guess] ? 1 : 0);
}

// The same for those that fit 64 bits, as nearly all do.
constexpr int DigitCount(std::uint64_t value) {
  const std::size_t guess = static_cast<std::size_t>(std::bit_width(value)) * 1233U >> 12U;
  return static_cast<int>(guess) + (value >= kSmallPowersOfTen[guess] ? 1 : 0);
}

// What a Number is made of; its invariants hold.
struct NumberParts {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  int exponent = 0;
  int digits = 0;  // of the coefficient; none for zero
  bool negative = false;
};

inline NumberParts PartsOf(const Number& number) {
  NumberParts parts = {.high = number.coefficient_high(),
                       .low = number.coefficient_low(),
                       .exponent = number.exponent(),
                       .negative = number.is_negative()};
  parts.digits = DigitCount(JoinHalves(parts.high, parts.low));
  return parts;
}

// Number::WriteTo.
char* WriteNumber(const NumberParts& number, char* to);

inline std::unexpected<Error> TooManyDigits() {
  return Invalid("Attempting to store more than 38 significant digits in a Number");
}

// Also what the service calls a sum with more digits than it stores.
inline std::unexpected<Error> Overflow() {
  return Invalid(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

// Whether `digits` significant digits, the first of them worth 10^leading, make a number that
// DynamoDB stores.
inline Result<void> CheckFits(std::int64_t digits, std::int64_t leading) {
  if (leading > limits::kNumberExponentMax) {
    return Overflow();
  }
  if (leading < limits::kNumberExponentMin) {
    return Invalid(
        "Number underflow. Attempting to store a number with magnitude smaller than supported "
        "range");
  }
  if (digits > kDigitsMax) {
    return TooManyDigits();
  }
  return {};
}

}  // namespace stator::value
