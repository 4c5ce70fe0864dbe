#include "stator/stores/tasks/schedule.h"

#include <charconv>

#include "base/check.h"
#include "base/try.h"
#include "stores/tasks/cron_line.h"

namespace stator::tasks {
namespace {

constexpr Duration kLongest = std::chrono::days(366);

Result<Duration> ParseEvery(std::string_view text) {
  std::int64_t number = 0;
  const auto [unit, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest(unit, static_cast<std::size_t>(text.data() + text.size() - unit));
  const Duration one = rest == "s"   ? std::chrono::seconds(1)
                       : rest == "m" ? std::chrono::minutes(1)
                       : rest == "h" ? std::chrono::hours(1)
                       : rest == "d" ? Duration(std::chrono::days(1))
                                     : Duration();
  if (error != std::errc() || one == Duration() || number < 1 || number > kLongest / one) {
    return Invalid("\"every\" is a number and s, m, h or d, from 1s to 366d, as in 15m; it is \"" +
                   std::string(text) + "\"");
  }
  return number * one;
}

}  // namespace

Result<Schedule> Schedule::FromJson(const Json& json) {
  const auto* const members = json.If<JsonObject>();
  if (members == nullptr) {
    return Invalid("a schedule is an object with \"every\" or \"cron\"");
  }
  for (const auto& [name, value] : *members) {
    if ((name != "every" && name != "cron" && name != "missed") || !value.Is<std::string>()) {
      return Invalid("a schedule has \"every\" or \"cron\", and \"missed\", which are texts; \"" +
                     name + "\" is not");
    }
  }
  const std::optional<std::string> every = json.TextOf("every");
  const std::optional<std::string> cron = json.TextOf("cron");
  const std::string missed = json.TextOf("missed").value_or("one");
  if (every.has_value() == cron.has_value()) {
    return Invalid("a schedule has either \"every\" or \"cron\"");
  }
  if (missed != "one" && missed != "all") {
    return Invalid("\"missed\" is \"one\" or \"all\"");
  }
  Schedule schedule;
  schedule.text_ = every ? *every : *cron;
  schedule.makes_up_ = missed == "all";
  if (every) {
    schedule.every_ = TRY(ParseEvery(*every));
  } else if (!TRY(CronLine::Parse(*cron)).After(TimePoint())) {
    return Invalid("no day fits the cron line \"" + *cron + "\"");
  }
  return schedule;
}

JsonObject Schedule::ToJson() const {
  return {{every_ == Duration() ? "cron" : "every", text_}, {"missed", makes_up_ ? "all" : "one"}};
}

std::string Schedule::ToText() const {
  return (every_ == Duration() ? "cron " : "every ") + text_;
}

TimePoint Schedule::First(TimePoint now) const {
  return After(now, now);
}

TimePoint Schedule::After(TimePoint due, TimePoint now) const {
  const TimePoint from = makes_up_ ? due : std::max(due, now);
  if (every_ != Duration()) {
    return due + ((from - due) / every_ + 1) * every_;
  }
  const Result<CronLine> line = CronLine::Parse(text_);
  CHECK(line.has_value());
  const std::optional<TimePoint> next = line->After(from);
  CHECK(next.has_value());  // What fits a day fits another one day.
  return *next;
}

}  // namespace stator::tasks
