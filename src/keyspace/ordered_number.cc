#include "keyspace/ordered_number.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/limits.h"
#include "value/number_parts.h"

namespace stator::keyspace {
namespace {

using value::Uint128;

// On disk. Negative numbers before zero before positive ones.
constexpr unsigned char kNegative = 0x40;
constexpr unsigned char kZero = 0x80;
constexpr unsigned char kPositive = 0xC0;

// Added to the exponent of the leading digit, which then fills a byte exactly.
constexpr int kExponentBias = -limits::kNumberExponentMin;
static_assert(limits::kNumberExponentMax + kExponentBias == 0xFF);

constexpr std::size_t kPairsMax = limits::kNumberDigitsMax / 2;
static_assert(limits::kNumberDigitsMax % 2 == 0);

// Nine pairs of digits fit 64 bits.
constexpr std::uint64_t kNinePairs = 1'000'000'000'000'000'000;

constexpr unsigned char kMore = 1;  // the lowest bit of a pair's byte: another one follows

// Writes the lowest pairs of `digits` to the bytes before `end`.
void WritePairs(std::uint64_t digits, std::size_t pairs, unsigned char* end) {
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    *--end = static_cast<unsigned char>(digits % 100 * 2 + kMore);
    digits /= 100;
  }
}

}  // namespace

void AppendOrderedNumber(const Number& number, std::string& key) {
  if (number.is_zero()) {
    key.push_back(static_cast<char>(kZero));
    return;
  }
  Uint128 rest = value::JoinHalves(number.coefficient_high(), number.coefficient_low());
  const int digits = value::DigitCount(rest);
  if (digits % 2 != 0) {
    rest *= 10;
  }
  std::array<unsigned char, 2 + kPairsMax> bytes{};
  const auto pairs = static_cast<std::size_t>(digits + 1) / 2;
  CHECK(digits > 0 && pairs <= kPairsMax);
  CHECK_THAT(number.exponent() + digits - 1 + kExponentBias >= 0 &&
                 number.exponent() + digits - 1 + kExponentBias <= 0xFF,
             "a leading digit out of range");
  bytes[0] = kPositive;
  bytes[1] = static_cast<unsigned char>(number.exponent() + digits - 1 + kExponentBias);
  std::size_t left = pairs;
  while (value::HighHalf(rest) != 0) {
    CHECK(left >= 9);
    WritePairs(static_cast<std::uint64_t>(rest % kNinePairs), 9, bytes.data() + 2 + left);
    rest /= kNinePairs;
    left -= 9;
  }
  WritePairs(value::LowHalf(rest), left, bytes.data() + 2 + left);
  bytes[1 + pairs] -= kMore;
  if (number.is_negative()) {
    bytes[0] = kNegative;
    for (std::size_t at = 1; at < 2 + pairs; ++at) {
      bytes[at] = static_cast<unsigned char>(~bytes[at]);
    }
  }
  key.append(reinterpret_cast<const char*>(bytes.data()), 2 + pairs);
}

bool TakeOrderedNumber(std::string_view& key, Number& number) {
  if (key.empty()) {
    return false;
  }
  const auto sign = static_cast<unsigned char>(key[0]);
  if (sign == kZero) {
    key.remove_prefix(1);
    number = Number();
    return true;
  }
  if ((sign != kPositive && sign != kNegative) || key.size() < 3) {
    return false;
  }
  const unsigned char invert = sign == kNegative ? 0xFF : 0x00;
  const auto byte_at = [&](std::size_t at) {
    return static_cast<unsigned char>(static_cast<unsigned char>(key[at]) ^ invert);
  };
  const int leading = byte_at(1) - kExponentBias;
  Uint128 coefficient = 0;
  std::size_t at = 2;
  unsigned char byte = kMore;
  while ((byte & kMore) != 0) {
    if (at == key.size() || at == 2 + kPairsMax) {
      return false;
    }
    byte = byte_at(at++);
    coefficient = coefficient * 100 + byte / 2;
    if (byte / 2 > 99 || coefficient < 10) {  // too large; or a leading zero
      return false;
    }
  }
  int digits = static_cast<int>(at - 2) * 2;
  if (byte / 2 % 10 == 0) {  // the zero that filled up the last pair
    coefficient /= 10;
    --digits;
  }
  // FromParts refuses what is not in its normal form, such as a last pair of 00.
  const Result<Number> taken =
      Number::FromParts(invert != 0, value::HighHalf(coefficient), value::LowHalf(coefficient),
                        leading - (digits - 1));
  if (!taken) {
    return false;
  }
  number = *taken;
  key.remove_prefix(at);
  return true;
}

}  // namespace stator::keyspace
