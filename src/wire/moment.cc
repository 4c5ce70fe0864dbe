#include "wire/moment.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stator::wire {
namespace {

constexpr std::size_t kDecimalsMax = 6;
constexpr std::size_t kSecondsDigitsMax = 12;

// So many digits and nothing else.
std::optional<std::int64_t> Digits(std::string_view text) {
  std::int64_t number = 0;
  if (text.empty() || text.size() > kSecondsDigitsMax ||
      text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// ".25" as microseconds; nothing is none.
std::optional<std::int64_t> Decimals(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  const std::optional<std::int64_t> digits = Digits(text.substr(1));
  if (text[0] != '.' || text.size() - 1 > kDecimalsMax || !digits) {
    return std::nullopt;
  }
  std::int64_t micros = *digits;
  for (std::size_t size = text.size() - 1; size < kDecimalsMax; ++size) {
    micros *= 10;
  }
  return micros;
}

// "2026-11-17T08:00:00" as seconds since 1970.
std::optional<std::int64_t> Seconds(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.size() != kForm.size()) {
    return std::nullopt;
  }
  for (std::size_t at = 0; at < kForm.size(); ++at) {
    const bool is_digit = text[at] >= '0' && text[at] <= '9';
    if (kForm[at] == '0' ? !is_digit : text[at] != kForm[at]) {
      return std::nullopt;
    }
  }
  const auto part = [&](std::size_t at, std::size_t size) {
    return static_cast<int>(*Digits(text.substr(at, size)));
  };
  const std::chrono::year_month_day date(std::chrono::year(part(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2))));
  const int hour = part(11, 2);
  const int minute = part(14, 2);
  const int second = part(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::seconds(days).count() + hour * 3600 + minute * 60 + second;
}

}  // namespace

std::optional<TimePoint> ParseMoment(std::string_view text) {
  if (text == "latest") {
    return TimePoint::max();
  }
  const bool is_date = text.ends_with('Z');
  if (is_date) {
    text.remove_suffix(1);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::optional<std::int64_t> since_1970 = is_date ? Seconds(whole) : Digits(whole);
  const std::optional<std::int64_t> micros = Decimals(text.substr(point));
  if (!since_1970 || !micros) {
    return std::nullopt;
  }
  return TimePoint(std::chrono::seconds(*since_1970) + std::chrono::microseconds(*micros));
}

}  // namespace stator::wire
