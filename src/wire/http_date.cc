#include "wire/http_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace stator::wire {
namespace {

using std::chrono::floor;
using std::chrono::hh_mm_ss;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// A moment taken apart, as numbers for printing.
struct Parts {
  unsigned year;
  unsigned month;
  unsigned day;
  unsigned weekday;
  unsigned hour;
  unsigned minute;
  unsigned second;
};

Parts PartsOf(TimePoint time) {
  const auto day = floor<std::chrono::days>(time);
  const year_month_day date(day);
  const hh_mm_ss<seconds> clock(floor<seconds>(time - day));
  return {.year = static_cast<unsigned>(static_cast<int>(date.year())),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .weekday = std::chrono::weekday(day).c_encoding(),
          .hour = static_cast<unsigned>(clock.hours().count()),
          .minute = static_cast<unsigned>(clock.minutes().count()),
          .second = static_cast<unsigned>(clock.seconds().count())};
}

void AppendDigits(unsigned value, std::size_t count, std::string& text) {
  text.append(count, '0');
  for (std::size_t place = text.size(); count > 0; --count, value /= 10) {
    text[--place] = static_cast<char>('0' + value % 10);
  }
}

// Takes `count` decimal digits off the front; nothing when there are not that many.
std::optional<int> TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) {
    return std::nullopt;
  }
  int value = 0;
  for (const char digit : text.substr(0, count)) {
    if (digit < '0' || digit > '9') {
      return std::nullopt;
    }
    value = value * 10 + (digit - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool TakeText(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) {
    return false;
  }
  text.remove_prefix(expected.size());
  return true;
}

std::optional<TimePoint> Assemble(std::optional<int> year, std::optional<int> month,
                                  std::optional<int> day, std::optional<int> hour,
                                  std::optional<int> minute, std::optional<int> second) {
  if (!year || !month || !day || !hour || !minute || !second) {
    return std::nullopt;
  }
  const year_month_day date(std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  return sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
         seconds(*second);
}

}  // namespace

std::string FormatHttpDate(TimePoint time) {
  const Parts parts = PartsOf(time);
  std::string text(kDays[parts.weekday]);
  AppendDigits(parts.day, 2, text.append(", "));
  text.append(" ").append(kMonths[parts.month - 1]);
  AppendDigits(parts.year, 4, text.append(" "));
  AppendDigits(parts.hour, 2, text.append(" "));
  AppendDigits(parts.minute, 2, text.append(":"));
  AppendDigits(parts.second, 2, text.append(":"));
  return text.append(" GMT");
}

std::string FormatBasicDate(TimePoint time) {
  const Parts parts = PartsOf(time);
  std::string text;
  text.reserve(16);
  AppendDigits(parts.year, 4, text);
  AppendDigits(parts.month, 2, text);
  AppendDigits(parts.day, 2, text);
  AppendDigits(parts.hour, 2, text.append("T"));
  AppendDigits(parts.minute, 2, text);
  AppendDigits(parts.second, 2, text);
  return text.append("Z");
}

std::optional<TimePoint> ParseHttpDate(std::string_view text) {
  if (text.size() != 29 || std::ranges::find(kDays, text.substr(0, 3)) == kDays.end()) {
    return std::nullopt;
  }
  text.remove_prefix(3);
  if (!TakeText(text, ", ")) {
    return std::nullopt;
  }
  const auto day = TakeDigits(text, 2);
  if (!TakeText(text, " ")) {
    return std::nullopt;
  }
  const auto* month = std::ranges::find(kMonths, text.substr(0, 3));
  if (month == kMonths.end()) {
    return std::nullopt;
  }
  text.remove_prefix(3);
  if (!TakeText(text, " ")) {
    return std::nullopt;
  }
  const auto year = TakeDigits(text, 4);
  if (!TakeText(text, " ")) {
    return std::nullopt;
  }
  const auto hour = TakeDigits(text, 2);
  if (!TakeText(text, ":")) {
    return std::nullopt;
  }
  const auto minute = TakeDigits(text, 2);
  if (!TakeText(text, ":")) {
    return std::nullopt;
  }
  const auto second = TakeDigits(text, 2);
  if (text != " GMT") {
    return std::nullopt;
  }
  return Assemble(year, static_cast<int>(month - kMonths.begin()) + 1, day, hour, minute, second);
}

std::optional<TimePoint> ParseBasicDate(std::string_view text) {
  const auto year = TakeDigits(text, 4);
  const auto month = TakeDigits(text, 2);
  const auto day = TakeDigits(text, 2);
  if (!TakeText(text, "T")) {
    return std::nullopt;
  }
  const auto hour = TakeDigits(text, 2);
  const auto minute = TakeDigits(text, 2);
  const auto second = TakeDigits(text, 2);
  if (text != "Z") {
    return std::nullopt;
  }
  return Assemble(year, month, day, hour, minute, second);
}

}  // namespace stator::wire
