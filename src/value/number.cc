#include "stator/value/number.h"

#include <limits>

#include "base/try.h"
#include "value/number_parts.h"

namespace stator {

using value::DigitCount;
using value::HighHalf;
using value::JoinHalves;
using value::kPowersOfTen;
using value::LowHalf;
using value::Uint128;

namespace {

// A sum before it is known to fit.
struct Decimal {
  bool negative = false;
  Uint128 coefficient = 0;
  int exponent = 0;
};

Uint128 CoefficientOf(const Number& number) {
  return JoinHalves(number.coefficient_high(), number.coefficient_low());
}

// The power of ten of the first digit. REQUIRES: not zero.
int LeadingExponent(const Number& number) {
  return number.exponent() + DigitCount(CoefficientOf(number)) - 1;
}

void StripTrailingZeros(Decimal& decimal) {
  while (HighHalf(decimal.coefficient) != 0 && decimal.coefficient % 10 == 0) {
    decimal.coefficient /= 10;
    ++decimal.exponent;
  }
  if (HighHalf(decimal.coefficient) != 0) {
    return;
  }
  // Most coefficients are here from the start; 64-bit division is far cheaper.
  std::uint64_t low = LowHalf(decimal.coefficient);
  while (low != 0 && low % 10 == 0) {
    low /= 10;
    ++decimal.exponent;
  }
  decimal.coefficient = low;
}

std::strong_ordering CompareMagnitudes(const Number& left, const Number& right) {
  if (left.exponent() == right.exponent()) {
    return CoefficientOf(left) <=> CoefficientOf(right);
  }
  if (left.exponent() < right.exponent()) {
    return 0 <=> CompareMagnitudes(right, left);
  }
  const auto apart = static_cast<std::size_t>(left.exponent() - right.exponent());
  // A 64-bit coefficient times 10^19 stays below 2^128, so common numbers need no digit counts.
  constexpr std::size_t kSafeShift = 19;
  if (left.coefficient_high() != 0 || apart > kSafeShift) {
    const int left_leading = LeadingExponent(left);
    const int right_leading = LeadingExponent(right);
    if (left_leading != right_leading) {
      return left_leading <=> right_leading;
    }
  }
  // Here both have their first digit in the same place, or the product is small: it fits.
  return CoefficientOf(left) * kPowersOfTen[apart] <=> CoefficientOf(right);
}

}  // namespace

Number Number::FromInteger(bool negative, std::uint64_t magnitude) {
  int exponent = 0;
  while (magnitude != 0 && magnitude % 10 == 0) {
    magnitude /= 10;
    ++exponent;
  }
  return {negative, 0, magnitude, exponent};
}

Result<Number> Number::FromParts(bool negative, std::uint64_t high, std::uint64_t low,
                                 int exponent) {
  const Uint128 coefficient = JoinHalves(high, low);
  if (coefficient == 0) {
    if (negative || exponent != 0) {
      return Fail(ErrorCode::kCorruption, "a zero with a sign or an exponent");
    }
    return Number();
  }
  // 128-bit division is far dearer, and hardly ever needed.
  if (high == 0 ? low % 10 == 0 : coefficient % 10 == 0) {
    return Fail(ErrorCode::kCorruption, "a number with trailing zeros in its coefficient");
  }
  const std::int64_t digits = DigitCount(coefficient);
  if (!value::CheckFits(digits, exponent + digits - 1)) {
    return Fail(ErrorCode::kCorruption, "a number beyond DynamoDB's range");
  }
  return Number(negative, high, low, exponent);
}

Result<Number> Number::Add(const Number& left, const Number& right) {
  if (left.exponent_ < right.exponent_) {
    return Add(right, left);
  }
  if (left.is_zero()) {
    return right;
  }
  if (right.is_zero()) {
    return left;
  }
  // The sum keeps the last digit of `right` when the exponents differ. If the scaled left
  // coefficient reaches 2 * 10^38, no right one can bring the result below 10^38; if it does not,
  // everything here fits into 128 bits.
  const auto apart = static_cast<std::size_t>(left.exponent_ - right.exponent_);
  constexpr Uint128 kScaledLimit = 2 * kPowersOfTen.back();
  if (apart >= kPowersOfTen.size() || CoefficientOf(left) >= kScaledLimit / kPowersOfTen[apart]) {
    return value::Overflow();
  }
  const Uint128 scaled = CoefficientOf(left) * kPowersOfTen[apart];
  const Uint128 other = CoefficientOf(right);
  Decimal sum{.negative = left.negative_, .coefficient = 0, .exponent = right.exponent_};
  if (left.negative_ == right.negative_) {
    sum.coefficient = scaled + other;
  } else if (scaled >= other) {
    sum.coefficient = scaled - other;
  } else {
    sum.coefficient = other - scaled;
    sum.negative = right.negative_;
  }
  if (sum.coefficient == 0) {
    return Number();
  }
  StripTrailingZeros(sum);
  const int digits = DigitCount(sum.coefficient);
  if (digits > value::kDigitsMax) {
    return value::Overflow();
  }
  TRY_VOID(value::CheckFits(digits, sum.exponent + digits - 1));
  return Number(sum.negative, HighHalf(sum.coefficient), LowHalf(sum.coefficient), sum.exponent);
}

Result<Number> Number::Subtract(const Number& left, const Number& right) {
  return Add(left, right.Negated());
}

Number Number::Negated() const {
  return {!negative_ && !is_zero(), coefficient_high_, coefficient_low_, exponent_};
}

Result<std::int64_t> Number::ToInt64() const {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  constexpr int kShiftMax = 18;
  const std::uint64_t limit = kMax + (negative_ ? 1 : 0);
  if (coefficient_high_ != 0 || exponent_ < 0 || exponent_ > kShiftMax) {
    return Invalid("Not an integer of 64 bits: " + ToString());
  }
  const auto power = LowHalf(kPowersOfTen[static_cast<std::size_t>(exponent_)]);
  if (coefficient_low_ > limit / power) {
    return Invalid("Not an integer of 64 bits: " + ToString());
  }
  const std::uint64_t magnitude = coefficient_low_ * power;
  return static_cast<std::int64_t>(negative_ ? ~magnitude + 1 : magnitude);
}

std::strong_ordering Number::Compare(const Number& left, const Number& right) {
  // Zero has no magnitude to compare: its exponent says nothing.
  if (left.is_zero() || right.is_zero() || left.negative_ != right.negative_) {
    const int left_sign = left.is_zero() ? 0 : left.negative_ ? -1 : 1;
    const int right_sign = right.is_zero() ? 0 : right.negative_ ? -1 : 1;
    return left_sign <=> right_sign;
  }
  return left.negative_ ? CompareMagnitudes(right, left) : CompareMagnitudes(left, right);
}

}  // namespace stator
