#include "stores/tasks/timestamps.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace stator::tasks {
namespace {

// REQUIRES: `digits` is 3 or 6.
std::string ToText(TimePoint time, int digits) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const auto micros = static_cast<long>(clock.subseconds().count());
  std::array<char, 64> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02ld:%02ld:%02ld.%0*ldZ",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<long>(clock.hours().count()),
      static_cast<long>(clock.minutes().count()), static_cast<long>(clock.seconds().count()),
      digits, digits == 3 ? micros / 1000 : micros);
  return std::string(text.data(), static_cast<std::size_t>(size));
}

// Takes exactly `digits` digits from the front.
std::optional<int> TakeNumber(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || text.substr(0, digits).find_first_not_of("0123456789") != text.npos) {
    return std::nullopt;
  }
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value;
}

bool TakeCharacter(std::string_view& text, std::string_view allowed) {
  if (text.empty() || !allowed.contains(text.front())) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

std::optional<TimePoint> TakeDate(std::string_view& text) {
  const std::optional<int> year = TakeNumber(text, 4);
  if (!year || !TakeCharacter(text, "-")) {
    return std::nullopt;
  }
  const std::optional<int> month = TakeNumber(text, 2);
  if (!month || !TakeCharacter(text, "-")) {
    return std::nullopt;
  }
  const std::optional<int> day = TakeNumber(text, 2);
  if (!day) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)});
  return date.ok() ? std::optional<TimePoint>(std::chrono::sys_days(date)) : std::nullopt;
}

std::optional<Duration> TakeHoursAndMinutes(std::string_view& text) {
  const std::optional<int> hours = TakeNumber(text, 2);
  if (!hours || *hours > 23 || !TakeCharacter(text, ":")) {
    return std::nullopt;
  }
  const std::optional<int> minutes = TakeNumber(text, 2);
  if (!minutes || *minutes > 59) {
    return std::nullopt;
  }
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

std::optional<Duration> TakeSeconds(std::string_view& text) {
  const std::optional<int> seconds = TakeNumber(text, 2);
  if (!seconds || *seconds > 60) {
    return std::nullopt;
  }
  Duration result = std::chrono::seconds(*seconds);
  if (!TakeCharacter(text, ".")) {
    return result;
  }
  long unit = 100'000;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    result += std::chrono::microseconds((text[digits] - '0') * unit);
    unit /= 10;
  }
  text.remove_prefix(digits);
  return digits > 0 ? std::optional(result) : std::nullopt;
}

}  // namespace

std::string ToMillisecondText(TimePoint time) {
  return ToText(time, 3);
}

std::string ToExactText(TimePoint time) {
  return ToText(time, time.time_since_epoch().count() % 1000 == 0 ? 3 : 6);
}

std::optional<TimePoint> ParseTimestamp(std::string_view text) {
  const std::optional<TimePoint> date = TakeDate(text);
  if (!date || !TakeCharacter(text, "Tt ")) {
    return std::nullopt;
  }
  const std::optional<Duration> minutes = TakeHoursAndMinutes(text);
  if (!minutes || !TakeCharacter(text, ":")) {
    return std::nullopt;
  }
  const std::optional<Duration> seconds = TakeSeconds(text);
  if (!seconds) {
    return std::nullopt;
  }
  TimePoint time = *date + *minutes + *seconds;
  if (!TakeCharacter(text, "Zz")) {
    const bool east = text.starts_with('+');
    if (!TakeCharacter(text, "+-")) {
      return std::nullopt;
    }
    const std::optional<Duration> offset = TakeHoursAndMinutes(text);
    if (!offset) {
      return std::nullopt;
    }
    time = east ? time - *offset : time + *offset;
  }
  return text.empty() ? std::optional(time) : std::nullopt;
}

std::int64_t EpochMilliseconds(TimePoint time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

}  // namespace stator::tasks
