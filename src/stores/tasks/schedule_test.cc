#include "stator/stores/tasks/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stator/base/random.h"
#include "stores/tasks/cron_line.h"
#include "stores/tasks/timestamps.h"

namespace stator::tasks {
namespace {

using testing::HasSubstr;

TimePoint At(std::string_view text) {
  return ParseTimestamp(text).value();
}

std::string After(const std::string& line, std::string_view time) {
  const Result<CronLine> parsed = CronLine::Parse(line);
  EXPECT_TRUE(parsed) << parsed.error().message;
  const auto next = parsed ? parsed->After(At(time)) : std::nullopt;
  return next ? ToExactText(*next) : "never";
}

TEST(CronLine, HasTheNextMinuteThatFits) {
  constexpr std::string_view kTuesday = "2026-11-17T13:58:30Z";
  EXPECT_EQ(After("* * * * *", kTuesday), "2026-11-17T13:59:00.000Z");
  EXPECT_EQ(After("58 13 * * *", kTuesday), "2026-11-18T13:58:00.000Z");
  EXPECT_EQ(After("*/15 * * * *", kTuesday), "2026-11-17T14:00:00.000Z");
  EXPECT_EQ(After("5/20 9-17/4 * * *", kTuesday), "2026-11-17T17:05:00.000Z");
  EXPECT_EQ(After("30 2 * * mon-fri", "2026-11-20T02:30:00Z"), "2026-11-23T02:30:00.000Z");
  EXPECT_EQ(After("0 0 * * 7", kTuesday), "2026-11-22T00:00:00.000Z");
  EXPECT_EQ(After("0 0 * * Sun,WED", kTuesday), "2026-11-18T00:00:00.000Z");
  EXPECT_EQ(After("0 12 1 jan *", kTuesday), "2027-01-01T12:00:00.000Z");
  EXPECT_EQ(After("  0   0  31 *  * ", kTuesday), "2026-12-31T00:00:00.000Z");
  // One of both days suffices, unless one of them is a star.
  EXPECT_EQ(After("0 0 13 * fri", kTuesday), "2026-11-20T00:00:00.000Z");
  EXPECT_EQ(After("0 0 29 2 *", "2096-03-01T00:00:00Z"), "2104-02-29T00:00:00.000Z");
  EXPECT_EQ(After("0 0 29 2 */7", "2088-03-01T00:00:00Z"), "2128-02-29T00:00:00.000Z");
  EXPECT_EQ(After("0 0 30 2 *", kTuesday), "never");
}

TEST(CronLine, IsRefusedWithTheFieldThatIsWrong) {
  const auto problem = [](std::string_view line) {
    const Result<CronLine> parsed = CronLine::Parse(line);
    return parsed ? "" : parsed.error().message;
  };
  EXPECT_THAT(problem(""), HasSubstr("five fields"));
  EXPECT_THAT(problem("* * * *"), HasSubstr("five fields"));
  EXPECT_THAT(problem("* * * * * *"), HasSubstr("five fields"));
  EXPECT_THAT(problem("60 * * * *"), HasSubstr("minute"));
  EXPECT_THAT(problem("* 24 * * *"), HasSubstr("hour"));
  EXPECT_THAT(problem("* * 0 * *"), HasSubstr("day of the month"));
  EXPECT_THAT(problem("* * * 13 *"), HasSubstr("month"));
  EXPECT_THAT(problem("* * * * 8"), HasSubstr("day of the week"));
  for (const std::string_view minute : {"5-1", "*/0", "*/x", "1-2-3", "1/2/3", ",", "-1", "mon",
                                        "99999999999999999999", "1,", "/5"}) {
    EXPECT_THAT(problem(std::string(minute) + " * * * *"), HasSubstr("minute")) << minute;
  }
}

// The same, by looking at every minute.
TEST(CronLine, AgreesWithLookingAtEveryMinute) {
  SeededRandom random(24);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(random.Below(below)); };
  for (int round = 0; round < 50; ++round) {
    const int minute = number(60);
    const int hour = number(24);
    const int weekday = number(7);
    const std::string line =
        std::to_string(minute) + " " + std::to_string(hour) + " * * " + std::to_string(weekday);
    const TimePoint start = At("2026-02-20T00:00:00Z") + std::chrono::minutes(number(600'000));
    TimePoint expected = std::chrono::floor<std::chrono::minutes>(start);
    const auto fits = [&] {
      const auto day = std::chrono::floor<std::chrono::days>(expected);
      return std::chrono::weekday(day).c_encoding() == static_cast<unsigned>(weekday) &&
             expected - day == std::chrono::hours(hour) + std::chrono::minutes(minute);
    };
    do {
      expected += std::chrono::minutes(1);
    } while (!fits());
    EXPECT_EQ(CronLine::Parse(line)->After(start), expected) << line;
  }
}

Schedule Of(Json json) {
  Result<Schedule> schedule = Schedule::FromJson(json);
  EXPECT_TRUE(schedule) << schedule.error().message;
  return *std::move(schedule);
}

TEST(Schedules, GoOnInSteps) {
  const TimePoint begin = At("2026-11-17T12:00:00.5Z");
  const Schedule schedule = Of(JsonObject{{"every", "15m"}});
  EXPECT_EQ(schedule.ToText(), "every 15m");
  const TimePoint first = schedule.First(begin);
  EXPECT_EQ(first, begin + std::chrono::minutes(15));
  EXPECT_EQ(schedule.After(first, first), first + std::chrono::minutes(15));
  EXPECT_EQ(schedule.After(first, first + std::chrono::minutes(14)),
            first + std::chrono::minutes(15));
  // What was missed is one, and the steps stay where they were.
  EXPECT_EQ(schedule.After(first, first + std::chrono::minutes(31)),
            first + std::chrono::minutes(45));
  EXPECT_EQ(schedule.After(first, first + std::chrono::minutes(30)),
            first + std::chrono::minutes(45));
  const Schedule all = Of(JsonObject{{"every", "15m"}, {"missed", "all"}});
  EXPECT_EQ(all.After(first, first + std::chrono::hours(9)), first + std::chrono::minutes(15));
}

TEST(Schedules, GoOnByCron) {
  const Schedule one = Of(JsonObject{{"cron", "0 * * * *"}});
  const Schedule all = Of(JsonObject{{"cron", "0 * * * *"}, {"missed", "all"}});
  const TimePoint due = At("2026-11-17T12:00:00Z");
  EXPECT_EQ(one.First(due), At("2026-11-17T13:00:00Z"));
  EXPECT_EQ(one.After(due, due + std::chrono::minutes(150)), At("2026-11-17T15:00:00Z"));
  EXPECT_EQ(all.After(due, due + std::chrono::minutes(150)), At("2026-11-17T13:00:00Z"));
  EXPECT_EQ(Json(all.ToJson()).ToText(), R"({"cron":"0 * * * *","missed":"all"})");
  EXPECT_EQ(Of(all.ToJson()).After(due, due + std::chrono::minutes(150)),
            At("2026-11-17T13:00:00Z"));
}

TEST(Schedules, AreRefusedWhenTheyAreNone) {
  const std::vector<Json> wrong = {
      Json(),
      "15m",
      JsonObject(),
      JsonObject{{"every", "15m"}, {"cron", "* * * * *"}},
      JsonObject{{"every", 15}},
      JsonObject{{"every", "15"}},
      JsonObject{{"every", "0s"}},
      JsonObject{{"every", "-5m"}},
      JsonObject{{"every", "367d"}},
      JsonObject{{"every", "15 m"}},
      JsonObject{{"every", "99999999999999999999s"}},
      JsonObject{{"every", "9223372036854775807d"}},
      JsonObject{{"every", "15m"}, {"missed", "some"}},
      JsonObject{{"every", "15m"}, {"evry", "1h"}},
      JsonObject{{"cron", "0 0 30 2 *"}},
      JsonObject{{"cron", "often"}},
  };
  for (const Json& json : wrong) {
    const auto parsed = Schedule::FromJson(json);
    ASSERT_FALSE(parsed) << json.ToText();
    EXPECT_EQ(parsed.error().code, ErrorCode::kValidation);
    EXPECT_FALSE(parsed.error().message.empty());
  }
}

}  // namespace
}  // namespace stator::tasks
