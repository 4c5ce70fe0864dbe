#include "stores/tasks/cron_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <vector>

#include "base/try.h"

namespace stator::tasks {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

// Between two leap days that are the same day of the week there are forty years at most.
constexpr int kDaysMax = 41 * 366;

constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};
constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};

struct Field {
  std::string_view name;
  int first;
  int last;
  std::span<const std::string_view> names = {};  // of the numbers from `first` on
};

constexpr std::array<Field, 5> kFields = {
    Field{.name = "minute", .first = 0, .last = 59}, Field{.name = "hour", .first = 0, .last = 23},
    Field{.name = "day of the month", .first = 1, .last = 31},
    Field{.name = "month", .first = 1, .last = 12, .names = kMonths},
    // Sunday is 0 and 7.
    Field{.name = "day of the week", .first = 0, .last = 7, .names = kWeekdays}};

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::unexpected<Error> BadField(const Field& field, std::string_view part) {
  return Invalid("the " + std::string(field.name) + " of a cron line is *, or numbers from " +
                 std::to_string(field.first) + " to " + std::to_string(field.last) +
                 " as in 1,5 or 2-8 or */3; \"" + std::string(part) + "\" is none of them");
}

std::optional<int> NumberIn(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

// A number of the field, or one of its names, in whatever case.
std::optional<int> ValueIn(const Field& field, std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const auto name = std::ranges::find(field.names, lower);
  if (name != field.names.end()) {
    return field.first + static_cast<int>(name - field.names.begin());
  }
  const std::optional<int> number = NumberIn(text);
  return number && *number >= field.first && *number <= field.last ? number : std::nullopt;
}

// "*", "5", "1-5", each perhaps with "/step".
template <std::size_t Size>
Result<void> AddPart(const Field& field, std::string_view part, std::bitset<Size>& set) {
  const std::vector<std::string_view> halves = Split(part, '/');
  const std::vector<std::string_view> ends = Split(halves[0], '-');
  const bool is_star = halves[0] == "*";
  const auto first = is_star ? std::optional(field.first) : ValueIn(field, ends[0]);
  const auto last = is_star            ? std::optional(field.last)
                    : ends.size() == 2 ? ValueIn(field, ends[1])
                    // "5/10" means from 5 on.
                    : halves.size() == 2 ? std::optional(field.last)
                                         : first;
  const auto step = halves.size() == 2 ? NumberIn(halves[1]) : std::optional(1);
  if (!first || !last || !step || *step == 0 || *first > *last || halves.size() > 2 ||
      ends.size() > 2) {
    return BadField(field, part);
  }
  for (int value = *first; value <= *last; value += *step) {
    // Only the days of the week have one number too many, for Sunday.
    set.set(static_cast<std::size_t>(value) == Size ? 0 : static_cast<std::size_t>(value));
  }
  return {};
}

template <std::size_t Size>
Result<void> ReadField(const Field& field, std::string_view text, std::bitset<Size>& set) {
  for (const std::string_view part : Split(text, ',')) {
    TRY_VOID(AddPart(field, part, set));
  }
  return {};
}

}  // namespace

Result<CronLine> CronLine::Parse(std::string_view text) {
  std::vector<std::string_view> fields = Split(text, ' ');
  std::erase(fields, std::string_view());
  if (fields.size() != kFields.size()) {
    return Invalid(
        "a cron line has five fields: minute, hour, day of the month, month, day of the "
        "week, as in \"30 2 * * mon-fri\"");
  }
  CronLine line;
  TRY_VOID(ReadField(kFields[0], fields[0], line.minutes_));
  TRY_VOID(ReadField(kFields[1], fields[1], line.hours_));
  TRY_VOID(ReadField(kFields[2], fields[2], line.days_));
  TRY_VOID(ReadField(kFields[3], fields[3], line.months_));
  TRY_VOID(ReadField(kFields[4], fields[4], line.weekdays_));
  line.any_day_ = fields[2].starts_with('*');
  line.any_weekday_ = fields[4].starts_with('*');
  return line;
}

bool CronLine::HasDay(std::chrono::sys_days day) const {
  const std::chrono::year_month_day date(day);
  if (!months_.test(static_cast<unsigned>(date.month()))) {
    return false;
  }
  const bool by_date = days_.test(static_cast<unsigned>(date.day()));
  const bool by_weekday = weekdays_.test(std::chrono::weekday(day).c_encoding());
  return any_day_ || any_weekday_ ? by_date && by_weekday : by_date || by_weekday;
}

std::optional<TimePoint> CronLine::After(TimePoint time) const {
  const auto begin = std::chrono::floor<minutes>(time) + minutes(1);
  auto day = std::chrono::floor<days>(begin);
  for (int count = 0; count < kDaysMax; ++count, day += days(1)) {
    if (!HasDay(day)) {
      continue;
    }
    for (std::size_t hour = 0; hour < hours_.size(); ++hour) {
      for (std::size_t minute = 0; hours_.test(hour) && minute < minutes_.size(); ++minute) {
        const auto moment = day + hours(hour) + minutes(minute);
        if (minutes_.test(minute) && moment >= begin) {
          return TimePoint(moment);
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace stator::tasks
