// A line of cron: at which minutes something is due. FORMAT: stator/stores/tasks/schedule.h.

#pragma once

#include <bitset>
#include <optional>
#include <string_view>

#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::tasks {

class CronLine {
 public:
  // Fails with kValidation, and says which field is wrong.
  static Result<CronLine> Parse(std::string_view text);

  // The first minute behind `time`; nothing when there is none, as of February 30.
  [[nodiscard]] std::optional<TimePoint> After(TimePoint time) const;

 private:
  CronLine() = default;
  [[nodiscard]] bool HasDay(std::chrono::sys_days day) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;  // of the month
  std::bitset<13> months_;
  std::bitset<7> weekdays_;  // from Sunday
  bool any_day_ = false;     // the field is a star
  bool any_weekday_ = false;
};

}  // namespace stator::tasks
