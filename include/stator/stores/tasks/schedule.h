// When something is done again and again: every so often, or by a line of cron. Times are UTC.
//
//   Result<Schedule> nightly = Schedule::FromJson(JsonObject{{"cron", "30 2 * * mon-fri"}});
//   Result<Schedule> often = Schedule::FromJson(JsonObject{{"every", "15m"}});
//
// FORMAT: {"every": "15m"} with s, m, h or d, at least a second, at most 366 days; or {"cron": "30 2
// * * mon-fri"}, which has minute, hour, day of the month, month, day of the week, each *, numbers,
// names of months and days, ranges, lists and steps (*/5, 9-17/2). If both days are restricted, one
// of them suffices, as cron has it. "missed" says what becomes of times that passed while nobody was
// there: "one" (the default) task for all of them together, or "all", a task for each.

#pragma once

#include <optional>
#include <string>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/tasks/json.h"

namespace stator::tasks {

class Schedule {
 public:
  // Fails with kValidation, and says what is wrong, also for one that is never due.
  static Result<Schedule> FromJson(const Json& json);

  // What FromJson takes.
  [[nodiscard]] JsonObject ToJson() const;
  // "every 15m", "cron 30 2 * * mon-fri": for people.
  [[nodiscard]] std::string ToText() const;

  // The first due time, of one that begins now.
  [[nodiscard]] TimePoint First(TimePoint now) const;
  // The due time behind `due`, which has come by `now`. With "one" it is not before now.
  [[nodiscard]] TimePoint After(TimePoint due, TimePoint now) const;

 private:
  Schedule() = default;

  Duration every_ = {};  // zero: by cron
  std::string text_;     // as it was given
  bool makes_up_ = false;
};

}  // namespace stator::tasks
