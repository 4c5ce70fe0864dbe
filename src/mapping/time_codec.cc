#include "stator/mapping/detail/time_codec.h"

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>

namespace stator::mapping {
namespace {

constexpr std::int64_t kSecondsPerDay = 24 * 60 * 60;
constexpr std::int64_t kYearMax = 9999;  // four digits
constexpr std::string_view kDateExample = "2026-11-16";

// Units of a number in that format, in the sense of UnitsPerSecond.
std::int64_t UnitsOf(TimeFormat format, UnitsPerSecond units) {
  switch (format) {
    case TimeFormat::kSeconds:
      return 1;
    case TimeFormat::kMilliseconds:
      return 1'000;
    case TimeFormat::kMicroseconds:
      return 1'000'000;
    default:
      return units;
  }
}

std::int64_t FloorDivide(std::int64_t dividend, std::int64_t divisor) {
  return (dividend / divisor) - (dividend % divisor < 0 ? 1 : 0);
}

int DigitsOf(UnitsPerSecond units) {
  int digits = 0;
  for (; units >= 10; units /= 10) {
    ++digits;
  }
  return digits;
}

void AppendPadded(std::int64_t number, int width, std::string& out) {
  const std::string text = std::to_string(number);
  out.append(static_cast<std::size_t>(width) - std::min<std::size_t>(text.size(), width), '0');
  out.append(text);
}

bool AppendDate(std::int64_t days, std::string& out) {
  if (days < -kYearMax * 366 || days > kYearMax * 366) {
    return false;
  }
  const std::chrono::year_month_day date(
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days))));
  const int year = static_cast<int>(date.year());
  if (year < 0 || year > kYearMax) {
    return false;
  }
  AppendPadded(year, 4, out);
  out.push_back('-');
  AppendPadded(static_cast<unsigned>(date.month()), 2, out);
  out.push_back('-');
  AppendPadded(static_cast<unsigned>(date.day()), 2, out);
  return true;
}

bool AppendIso(std::int64_t count, UnitsPerSecond units, std::string& out) {
  if (units == kDays) {
    return AppendDate(count, out);
  }
  const std::int64_t seconds = FloorDivide(count, units);
  const std::int64_t days = FloorDivide(seconds, kSecondsPerDay);
  if (!AppendDate(days, out)) {
    return false;
  }
  const std::int64_t of_day = seconds - (days * kSecondsPerDay);
  out.push_back('T');
  AppendPadded(of_day / 3600, 2, out);
  out.push_back(':');
  AppendPadded(of_day / 60 % 60, 2, out);
  out.push_back(':');
  AppendPadded(of_day % 60, 2, out);
  if (units > 1) {
    out.push_back('.');
    AppendPadded(count - (seconds * units), DigitsOf(units), out);
  }
  out.push_back('Z');
  return true;
}

// Takes exactly `width` digits.
bool TakeDigits(std::string_view& text, std::size_t width, int& out) {
  if (text.size() < width) {
    return false;
  }
  int number = 0;
  for (const char digit : text.substr(0, width)) {
    if (digit < '0' || digit > '9') {
      return false;
    }
    number = (number * 10) + (digit - '0');
  }
  text.remove_prefix(width);
  out = number;
  return true;
}

bool TakeOneOf(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

bool TakeDate(std::string_view& text, std::int64_t& days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!TakeDigits(text, 4, year) || !TakeOneOf(text, "-") || !TakeDigits(text, 2, month) ||
      !TakeOneOf(text, "-") || !TakeDigits(text, 2, day)) {
    return false;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  days = std::chrono::sys_days(date).time_since_epoch().count();
  return date.ok();
}

bool TakeClock(std::string_view& text, std::int64_t& seconds) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!TakeDigits(text, 2, hour) || !TakeOneOf(text, ":") || !TakeDigits(text, 2, minute) ||
      !TakeOneOf(text, ":") || !TakeDigits(text, 2, second)) {
    return false;
  }
  seconds = (hour * 3600) + (minute * 60) + second;
  return hour < 24 && minute < 60 && second < 60;
}

// The digits behind the second, in `units`. False when digits would be lost.
bool TakeFraction(std::string_view& text, UnitsPerSecond units, std::int64_t& fraction) {
  fraction = 0;
  if (!TakeOneOf(text, ".")) {
    return true;
  }
  std::int64_t place = units;
  std::size_t length = 0;
  for (int digit = 0; TakeDigits(text, 1, digit); ++length) {
    place /= 10;
    if (place == 0 && digit != 0) {
      return false;
    }
    fraction += digit * place;
  }
  return length != 0;
}

bool TakeOffset(std::string_view& text, std::int64_t& seconds) {
  if (TakeOneOf(text, "Zz")) {
    seconds = 0;
    return true;
  }
  const bool behind = text.starts_with('-');
  int hours = 0;
  int minutes = 0;
  if (!TakeOneOf(text, "+-") || !TakeDigits(text, 2, hours) || !TakeOneOf(text, ":") ||
      !TakeDigits(text, 2, minutes) || hours > 23 || minutes > 59) {
    return false;
  }
  const int distance = (hours * 3600) + (minutes * 60);
  seconds = behind ? -distance : distance;
  return true;
}

bool ParseIso(std::string_view text, UnitsPerSecond units, std::int64_t& count) {
  std::int64_t days = 0;
  if (!TakeDate(text, days)) {
    return false;
  }
  if (units == kDays) {
    count = days;
    return text.empty();
  }
  std::int64_t clock = 0;
  std::int64_t fraction = 0;
  std::int64_t offset = 0;
  if (!TakeOneOf(text, "Tt") || !TakeClock(text, clock) || !TakeFraction(text, units, fraction) ||
      !TakeOffset(text, offset) || !text.empty()) {
    return false;
  }
  const std::int64_t seconds = (days * kSecondsPerDay) + clock - offset;
  return !__builtin_mul_overflow(seconds, units, &count) &&
         !__builtin_add_overflow(count, fraction, &count);
}

std::string IsoExample(UnitsPerSecond units) {
  if (units == kDays) {
    return "S, a date like " + std::string(kDateExample);
  }
  std::string example = "S, a time like " + std::string(kDateExample) + "T01:02:03";
  if (units > 1) {
    example.append(".").append("456789012", static_cast<std::size_t>(DigitsOf(units)));
  }
  return example + "Z";
}

// `count`, of `from` units per second, in `to` units; a finer one is rounded down. False when the
// result does not fit.
bool Convert(std::int64_t count, std::int64_t from, std::int64_t to, std::int64_t& out) {
  if (from == to) {
    out = count;
    return true;
  }
  if (from == kDays) {
    return !__builtin_mul_overflow(count, kSecondsPerDay * to, &out);
  }
  if (to == kDays) {
    out = FloorDivide(count, kSecondsPerDay * from);
    return true;
  }
  if (to > from) {
    return !__builtin_mul_overflow(count, to / from, &out);
  }
  out = FloorDivide(count, from / to);
  return true;
}

std::string_view NameOfUnits(UnitsPerSecond units) {
  switch (units) {
    case kDays:
      return "days";
    case 1:
      return "seconds";
    case 1'000:
      return "milliseconds";
    case 1'000'000:
      return "microseconds";
    case 1'000'000'000:
      return "nanoseconds";
    default:
      return "parts of a second";
  }
}

}  // namespace

bool EncodeTime(std::int64_t count, UnitsPerSecond units, TimeFormat format, AttributeValue& out,
                Problem& problem) {
  if (TypeOfTime(units, format) == Type::kString) {
    std::string text;
    if (!AppendIso(count, units, text)) {
      return problem.Expected("a year from 0000 to 9999", "another");
    }
    out = AttributeValue(std::move(text));
    return true;
  }
  std::int64_t converted = 0;
  if (!Convert(count, units, UnitsOf(format, units), converted)) {
    return problem.Expected("a time that fits 64 bits", "one that does not");
  }
  out = AttributeValue(converted);
  return true;
}

bool DecodeTime(const AttributeValue& from, UnitsPerSecond units, TimeFormat format,
                std::int64_t& count, Problem& problem) {
  if (TypeOfTime(units, format) == Type::kString) {
    const auto* text = from.If<std::string>();
    if (text == nullptr) {
      return problem.WrongType(IsoExample(units), from);
    }
    return ParseIso(*text, units, count) || problem.Expected(IsoExample(units), "S that is not");
  }
  const std::int64_t stored_units = UnitsOf(format, units);
  Integer integer;
  if (!DecodeInteger(from, std::numeric_limits<std::int64_t>::min(),
                     std::numeric_limits<std::int64_t>::max(), integer, problem)) {
    return false;
  }
  const auto stored =
      static_cast<std::int64_t>(integer.negative ? ~integer.magnitude + 1 : integer.magnitude);
  std::int64_t back = 0;
  if (!Convert(stored, stored_units, units, count) || !Convert(count, units, stored_units, back) ||
      back != stored) {
    return problem.Expected("N, a time in whole " + std::string(NameOfUnits(units)) +
                                ", counted in " + std::string(NameOfUnits(stored_units)),
                            std::to_string(stored));
  }
  return true;
}

Map SchemaOfTime(UnitsPerSecond units, TimeFormat format) {
  if (TypeOfTime(units, format) == Type::kNumber) {
    return SchemaOfFormat("integer", "epoch-" + std::string(NameOfUnits(UnitsOf(format, units))));
  }
  if (units == kDays) {
    return SchemaOfFormat("string", "date");
  }
  std::string pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}";
  if (units > 1) {
    pattern.append("\\.[0-9]{").append(std::to_string(DigitsOf(units))).append("}");
  }
  Map schema = SchemaOfFormat("string", "date-time");
  schema.Set("pattern", AttributeValue(pattern + "Z$"));
  return schema;
}

}  // namespace stator::mapping
