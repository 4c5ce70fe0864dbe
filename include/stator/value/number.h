// DynamoDB's number: a decimal of up to 38 significant digits with a magnitude from 1E-130 to
// 9.9999999999999999999999999999999999999E+125, or zero. Exact: nothing is ever rounded.
//
// INVARIANTS
//
//   (1) A number has one representation: the coefficient has no trailing decimal zeros, zero is
//       coefficient 0, exponent 0, not negative. So equality is equality of the parts.
//   (2) The coefficient is below 10^38, hence below 2^127.

#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "stator/base/result.h"

namespace stator {

// Integers that convert to a Number; characters and bool mean something else.
template <class T>
concept NumberLike = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                     !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                     !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

// Cheap to copy (24 bytes, no allocation).
class Number {
 public:
  Number() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): an integer is a number.
  Number(NumberLike auto value) : Number(FromInteger(value < 0, Magnitude(value))) {}

  // Reads a decimal with optional sign, fraction and exponent ("-1.5e3", "+.5", "007"), without
  // white space. Fails with kValidation and DynamoDB's own words for text that is no number, for
  // more than 38 significant digits (leading and trailing zeros do not count), and for a magnitude
  // out of range. Takes time linear in the text, whatever its exponent says.
  static Result<Number> Parse(std::string_view text);

  // Exact sums; fail like Parse when the result does not fit.
  static Result<Number> Add(const Number& left, const Number& right);
  static Result<Number> Subtract(const Number& left, const Number& right);

  [[nodiscard]] Number Negated() const;

  [[nodiscard]] bool is_zero() const { return coefficient_high_ == 0 && coefficient_low_ == 0; }
  [[nodiscard]] bool is_negative() const { return negative_; }

  // value = (-1)^negative * (high * 2^64 + low) * 10^exponent; see the invariants.
  [[nodiscard]] std::uint64_t coefficient_high() const { return coefficient_high_; }
  [[nodiscard]] std::uint64_t coefficient_low() const { return coefficient_low_; }
  [[nodiscard]] int exponent() const { return exponent_; }

  // From the parts, as the codec on disk stored them. Fails with kCorruption when they break the
  // invariants.
  static Result<Number> FromParts(bool negative, std::uint64_t high, std::uint64_t low,
                                  int exponent);

  // The value if it is an integer that fits, for callers that count.
  [[nodiscard]] Result<std::int64_t> ToInt64() const;

  // The text as DynamoDB returns it: no leading or trailing zeros, no exponent.
  [[nodiscard]] std::string ToString() const;
  void AppendTo(std::string& out) const;

  // The same into a buffer; returns the end. REQUIRES: room for kTextBytesMax.
  char* WriteTo(char* to) const;
  static constexpr int kTextBytesMax = 170;  // "-0.", 129 zeros, 38 digits

  // The nearest double; for display and arithmetic outside of the database.
  [[nodiscard]] double ToDouble() const;

  friend bool operator==(const Number&, const Number&) = default;
  friend std::strong_ordering operator<=>(const Number& left, const Number& right) {
    // Most numbers that get compared are small and of one kind.
    if (left.exponent_ == right.exponent_ && !left.negative_ && !right.negative_ &&
        left.coefficient_high_ == right.coefficient_high_) {
      return left.coefficient_low_ <=> right.coefficient_low_;
    }
    return Compare(left, right);
  }

 private:
  Number(bool negative, std::uint64_t high, std::uint64_t low, int exponent)
      : coefficient_high_(high),
        coefficient_low_(low),
        exponent_(static_cast<std::int16_t>(exponent)),
        negative_(negative) {}

  static constexpr std::uint64_t Magnitude(NumberLike auto value) {
    const auto bits = static_cast<std::uint64_t>(value);  // NOLINT(bugprone-signed-char-misuse)
    return value < 0 ? ~bits + 1 : bits;
  }
  static std::strong_ordering Compare(const Number& left, const Number& right);
  static Result<Number> ParseDecimal(std::string_view text);
  static Number FromInteger(bool negative, std::uint64_t magnitude);

  std::uint64_t coefficient_high_ = 0;
  std::uint64_t coefficient_low_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

}  // namespace stator
