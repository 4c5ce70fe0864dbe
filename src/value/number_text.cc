// Numbers as text.
//
// FORMAT
//
//   number := ["+" | "-"] digits [("e" | "E") ["+" | "-"] digit+]
//   digits := digit* with at most one "." anywhere, and at least one digit

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>

#include "base/check.h"
#include "base/try.h"
#include "stator/value/number.h"
#include "value/number_parts.h"

namespace stator {

using value::HighHalf;
using value::JoinHalves;
using value::LowHalf;
using value::NumberParts;
using value::Uint128;

namespace {

constexpr bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

// Any value of so many digits fits into 64 bits.
constexpr std::size_t kFastDigitsMax = 18;

// The grammar's pieces, with positions instead of values: a text may be megabytes long.
struct Pieces {
  bool negative = false;
  std::string_view digits;    // with the point, if there is one
  std::size_t point = 0;      // where it stands in `digits`, or digits.size()
  std::int64_t exponent = 0;  // as written, clamped to what no text can bring back into range
};

// The exponent behind the "e". Nothing if it is malformed or beyond 64 bits, which the service does
// not take for a number either.
std::optional<std::int64_t> ParseExponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  // Far more than any text has digits, far less than what overflows when positions are added.
  constexpr std::int64_t kClamp = 1'000'000'000'000'000;
  return std::clamp(exponent, -kClamp, kClamp);
}

std::optional<Pieces> Split(std::string_view text) {
  Pieces pieces;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    pieces.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::size_t end = 0;
  std::size_t points = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) {
    if (text[end] == '.') {
      pieces.point = end;
      ++points;
    }
    ++end;
  }
  if (points > 1 || end == points) {
    return std::nullopt;
  }
  if (points == 0) {
    pieces.point = end;
  }
  pieces.digits = text.substr(0, end);
  text.remove_prefix(end);
  if (!text.empty()) {
    if (text.front() != 'e' && text.front() != 'E') {
      return std::nullopt;
    }
    const auto exponent = ParseExponent(text.substr(1));
    if (!exponent) {
      return std::nullopt;
    }
    pieces.exponent = *exponent;
  }
  return pieces;
}

constexpr int kDigitsOfWord = 8;
constexpr std::uint64_t kBeyondWord = 100'000'000;

// The eight digits of a number as text, the first one in the lowest byte. Halves, quarters and eighths
// of them are divided all at once, by multiplications that are exact for so few digits.
// REQUIRES: less than kBeyondWord.
constexpr std::uint64_t EightDigits(std::uint64_t number) {
  const std::uint64_t fours = number / 10'000 | (number % 10'000) << 32U;
  const std::uint64_t hundreds = (fours * 10'486 >> 20U) & 0x0000'007F'0000'007F;
  const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16U;
  const std::uint64_t tens = (twos * 103 >> 10U) & 0x000F'000F'000F'000F;
  return (tens | (twos - tens * 10) << 8U) + 0x3030'3030'3030'3030;
}
static_assert(EightDigits(12'345'678) == 0x3837'3635'3433'3231);

char* WriteLongDigits(std::uint64_t coefficient, int digits, char* to);

// Writes `coefficient` as so many digits and returns their end. REQUIRES: it has no more, and at least
// one; behind them there is room for kDigitsOfWord bytes.
inline char* WriteDigits(std::uint64_t coefficient, int digits, char* to) {
  static_assert(std::endian::native == std::endian::little);
  if (digits > kDigitsOfWord) {
    return WriteLongDigits(coefficient, digits, to);
  }
  const auto missing = static_cast<unsigned>(kDigitsOfWord - digits);
  const std::uint64_t text = EightDigits(coefficient) >> (8U * missing);
  std::memcpy(to, &text, sizeof(text));
  return to + digits;
}

[[gnu::noinline]] char* WriteLongDigits(std::uint64_t coefficient, int digits, char* to) {
  to = WriteDigits(coefficient / kBeyondWord, digits - kDigitsOfWord, to);
  return WriteDigits(coefficient % kBeyondWord, kDigitsOfWord, to);
}

char* WriteDigits(const NumberParts& number, char* to) {
  constexpr int kLowDigits = 19;
  if (number.high == 0) [[likely]] {
    return WriteDigits(number.low, number.digits, to);
  }
  const Uint128 coefficient = JoinHalves(number.high, number.low);
  const Uint128 power = value::kPowersOfTen[kLowDigits];
  to = WriteDigits(LowHalf(coefficient / power), number.digits - kLowDigits, to);
  return WriteDigits(LowHalf(coefficient % power), kLowDigits, to);
}

// Moves what is between two places one byte on. REQUIRES: room for sixteen bytes behind them.
void MoveOn(char* begin, const char* end) {
  std::array<char, 16> few;
  if (end - begin <= static_cast<std::ptrdiff_t>(few.size())) {  // as hardly any has more
    std::memcpy(few.data(), begin, few.size());
    std::memcpy(begin + 1, few.data(), few.size());
  } else {
    std::memmove(begin + 1, begin, static_cast<std::size_t>(end - begin));
  }
}

}  // namespace

Result<Number> Number::Parse(std::string_view text) {
  const bool minus = text.starts_with('-');
  const std::string_view digits = text.substr(minus ? 1 : 0);
  if (digits.empty() || digits.size() > kFastDigitsMax) {
    return ParseDecimal(text);
  }
  // Integers and fractions as people write them. Zeros at the end go into the exponent before
  // anything is multiplied that would have to be divided again.
  std::size_t end = digits.size();
  while (end > 0 && digits[end - 1] == '0') {
    --end;
  }
  std::uint64_t coefficient = 0;
  std::size_t whole_end = digits.size();  // with the point
  bool has_point = false;
  for (std::size_t at = 0; at < end; ++at) {
    if (IsDigit(digits[at])) {
      coefficient = coefficient * 10 + static_cast<std::uint64_t>(digits[at] - '0');
    } else if (digits[at] == '.' && !has_point && at + 1 < end) {
      has_point = true;
      whole_end = at + 1;
    } else {
      return ParseDecimal(text);
    }
  }
  if (coefficient == 0) {
    return Number();
  }
  return Number(minus, 0, coefficient, static_cast<int>(whole_end) - static_cast<int>(end));
}

Result<Number> Number::ParseDecimal(std::string_view text) {
  const std::optional<Pieces> pieces = Split(text);
  if (!pieces) {
    return Invalid("The parameter cannot be converted to a numeric value: " + std::string(text));
  }
  // The power of ten of the digit at a position.
  const auto place = [&](std::size_t at) {
    const auto distance = static_cast<std::int64_t>(pieces->point) - static_cast<std::int64_t>(at);
    return (distance > 0 ? distance - 1 : distance) + pieces->exponent;
  };
  const std::size_t first = pieces->digits.find_first_not_of("0.");
  if (first == std::string_view::npos) {
    // Zero has no magnitude, but the service holds even its last written place to the range.
    TRY_VOID(value::CheckFits(1, place(pieces->digits.find_last_not_of('.'))));
    return Number();
  }
  const std::size_t last = pieces->digits.find_last_not_of("0.");
  const std::int64_t leading = place(first);
  const std::int64_t exponent = place(last);
  TRY_VOID(value::CheckFits(leading - exponent + 1, leading));
  Uint128 coefficient = 0;
  for (const char character : pieces->digits.substr(first, last - first + 1)) {
    if (character != '.') {
      coefficient = coefficient * 10 + static_cast<unsigned>(character - '0');
    }
  }
  return Number(pieces->negative, HighHalf(coefficient), LowHalf(coefficient),
                static_cast<int>(exponent));
}

std::string Number::ToString() const {
  std::string text;
  AppendTo(text);
  return text;
}

void Number::AppendTo(std::string& out) const {
  std::array<char, kTextBytesMax> buffer;
  const char* const end = WriteTo(buffer.data());
  out.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

char* Number::WriteTo(char* to) const {
  return value::WriteNumber(value::PartsOf(*this), to);
}

char* value::WriteNumber(const NumberParts& number, char* to) {
  if (number.digits == 0) {
    *to = '0';
    return to + 1;
  }
  if (number.negative) {
    *to++ = '-';
  }
  if (number.exponent >= 0) {
    to = WriteDigits(number, to);
    if (number.exponent <= kDigitsOfWord) {
      const std::uint64_t zeros = EightDigits(0);
      std::memcpy(to, &zeros, sizeof(zeros));
      return to + number.exponent;
    }
    return std::fill_n(to, number.exponent, '0');
  }
  const int integer_digits = number.digits + number.exponent;
  if (integer_digits > 0) {
    char* const end = WriteDigits(number, to);
    char* const point = to + integer_digits;
    MoveOn(point, end);
    *point = '.';
    return end + 1;
  }
  *to++ = '0';
  *to++ = '.';
  to = std::fill_n(to, -integer_digits, '0');
  return WriteDigits(number, to);
}

double Number::ToDouble() const {
  if (is_zero()) {
    return 0;
  }
  std::array<char, value::kDigitsMax + 16> buffer;
  char* end = buffer.data();
  if (negative_) {
    *end++ = '-';
  }
  end = WriteDigits(value::PartsOf(*this), end);
  *end++ = 'e';
  end = std::to_chars(end, buffer.data() + buffer.size(), exponent_).ptr;
  double result = 0;
  const auto read = std::from_chars(buffer.data(), end, result);
  CHECK(read.ec == std::errc());
  return result;
}

}  // namespace stator
