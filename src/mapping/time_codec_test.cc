// What time_codec.h promises: times as numbers in the unit of their type or the one asked for, or
// as ISO 8601 text that sorts as the times do; nothing finer is lost when reading.

#include "stator/mapping/detail/time_codec.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>
#include <string>

#include "base/property.h"
#include "stator/base/clock.h"
#include "stator/mapping/mapping.h"
#include "value/dynamodb_json.h"

namespace stator::mapping {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Milliseconds = std::chrono::sys_time<milliseconds>;
using Nanoseconds = std::chrono::sys_time<nanoseconds>;

struct Times {
  std::chrono::sys_seconds expires;
  Milliseconds created;
  TimePoint in_seconds;
  TimePoint in_milliseconds;
  std::chrono::sys_seconds in_microseconds;
  std::chrono::sys_seconds iso_seconds;
  Milliseconds iso_milliseconds;
  Nanoseconds iso_nanoseconds;
  std::chrono::sys_days day;
  std::set<std::chrono::sys_seconds> history;
  std::chrono::minutes lasts{0};
};
BOOST_DESCRIBE_STRUCT(Times, (),
                      (expires, created, in_seconds, in_milliseconds, in_microseconds, iso_seconds,
                       iso_milliseconds, iso_nanoseconds, day, history, lasts))

}  // namespace
}  // namespace stator::mapping

template <>
struct stator::Mapping<stator::mapping::Times> {
  using Times = stator::mapping::Times;
  static constexpr bool kRequired = false;
  static constexpr std::tuple kFields = {
      Field<&Times::in_seconds>({.time = TimeFormat::kSeconds}),
      Field<&Times::in_milliseconds>({.time = TimeFormat::kMilliseconds}),
      Field<&Times::in_microseconds>({.time = TimeFormat::kMicroseconds}),
      Field<&Times::iso_seconds>({.time = TimeFormat::kIso}),
      Field<&Times::iso_milliseconds>({.time = TimeFormat::kIso}),
      Field<&Times::iso_nanoseconds>({.time = TimeFormat::kIso}),
      Field<&Times::history>({.time = TimeFormat::kIso}),
  };
};

namespace stator::mapping {
namespace {

// 2026-11-16T01:02:03Z
constexpr std::chrono::sys_seconds kMoment(seconds(1'794'790'923));

Times Moment() {
  return {.expires = kMoment,
          .created = kMoment + milliseconds(456),
          .in_seconds = kMoment + milliseconds(999),
          .in_milliseconds = kMoment + std::chrono::microseconds(456'789),
          .in_microseconds = kMoment,
          .iso_seconds = kMoment,
          .iso_milliseconds = kMoment + milliseconds(7),
          .iso_nanoseconds = kMoment + nanoseconds(7),
          .day = std::chrono::floor<days>(kMoment),
          .history = {kMoment, kMoment - seconds(1)},
          .lasts = std::chrono::hours(1)};
}

Result<Times> Read(std::string_view name, AttributeValue value) {
  return FromItem<Times>(Item{{std::string(name), std::move(value)}});
}

std::string Refusal(std::string_view name, AttributeValue value) {
  const Result<Times> times = Read(name, std::move(value));
  return times ? "accepted" : times.error().message;
}

TEST(TimeCodec, StoresTimesAsAskedFor) {
  EXPECT_EQ(value::ToDynamoDbJson(ToItem(Moment()).value()),
            R"({"created":{"N":"1794790923456"},)"
            R"("day":{"S":"2026-11-16"},)"
            R"("expires":{"N":"1794790923"},)"
            R"("history":{"SS":["2026-11-16T01:02:02Z","2026-11-16T01:02:03Z"]},)"
            R"("in_microseconds":{"N":"1794790923000000"},)"
            R"("in_milliseconds":{"N":"1794790923456"},)"
            R"("in_seconds":{"N":"1794790923"},)"
            R"("iso_milliseconds":{"S":"2026-11-16T01:02:03.007Z"},)"
            R"("iso_nanoseconds":{"S":"2026-11-16T01:02:03.000000007Z"},)"
            R"("iso_seconds":{"S":"2026-11-16T01:02:03Z"},)"
            R"("lasts":{"N":"60"}})");
}

TEST(TimeCodec, ReadsWhatItWrote) {
  const Times back = FromItem<Times>(ToItem(Moment()).value()).value();
  EXPECT_EQ(back.expires, kMoment);
  EXPECT_EQ(back.created, Moment().created);
  EXPECT_EQ(back.in_seconds, kMoment);  // rounded down when written
  EXPECT_EQ(back.in_milliseconds, kMoment + milliseconds(456));
  EXPECT_EQ(back.in_microseconds, kMoment);
  EXPECT_EQ(back.iso_seconds, kMoment);
  EXPECT_EQ(back.iso_milliseconds, Moment().iso_milliseconds);
  EXPECT_EQ(back.iso_nanoseconds, Moment().iso_nanoseconds);
  EXPECT_EQ(back.day, Moment().day);
  EXPECT_EQ(back.history, Moment().history);
  EXPECT_EQ(back.lasts, Moment().lasts);
}

TEST(TimeCodec, RoundsDownBefore1970Too) {
  Times times;
  times.in_seconds = TimePoint(std::chrono::microseconds(-1));
  times.iso_milliseconds = Milliseconds(milliseconds(-1));
  const Item item = ToItem(times).value();
  EXPECT_EQ(item.at("in_seconds"), AttributeValue(-1));
  EXPECT_EQ(item.at("iso_milliseconds"), AttributeValue("1969-12-31T23:59:59.999Z"));
  EXPECT_EQ(FromItem<Times>(item)->iso_milliseconds, times.iso_milliseconds);
}

TEST(TimeCodec, ReadsOtherWaysToWriteTheSameTime) {
  for (const auto* text :
       {"2026-11-16T01:02:03Z", "2026-11-16t01:02:03z", "2026-11-16T01:02:03.000000000Z",
        "2026-11-16T03:02:03+02:00", "2026-11-15T20:32:03-04:30", "2026-11-16T01:02:03-00:00"}) {
    const Result<Times> read = Read("iso_seconds", text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->iso_seconds, kMoment) << text;
  }
  EXPECT_EQ(Read("iso_milliseconds", "2026-11-16T01:02:03.5Z")->iso_milliseconds,
            kMoment + milliseconds(500));
}

TEST(TimeCodec, RefusesTextThatIsNoTime) {
  for (const auto* text :
       {"", "2026-11-16", "2026-11-16T01:02:03", "2026-11-16 01:02:03Z", "2026-11-16T01:02Z",
        "2026-13-16T01:02:03Z", "2026-02-29T01:02:03Z", "2026-11-16T24:00:00Z",
        "2026-11-16T01:60:03Z", "2026-11-16T01:02:60Z", "2026-11-16T01:02:03.Z",
        "2026-11-16T01:02:03Zx", "2026-11-16T01:02:03+2:00", "2026-11-16T01:02:03+24:00",
        "2026-11-16T01:02:03+02:60", "+026-11-16T01:02:03Z", "26-11-16T01:02:03Z"}) {
    EXPECT_EQ(Refusal("iso_seconds", text),
              "Times.iso_seconds: expected S, a time like 2026-11-16T01:02:03Z, found S that is "
              "not")
        << text;
  }
  EXPECT_EQ(Refusal("day", "2026-11-16T01:02:03Z"),
            "Times.day: expected S, a date like 2026-11-16, found S that is not");
  EXPECT_EQ(Refusal("iso_milliseconds", 5),
            "Times.iso_milliseconds: expected S, a time like 2026-11-16T01:02:03.456Z, found N");
}

TEST(TimeCodec, RefusesWhatIsFinerThanTheType) {
  EXPECT_EQ(Refusal("iso_seconds", "2026-11-16T01:02:03.001Z"),
            "Times.iso_seconds: expected S, a time like 2026-11-16T01:02:03Z, found S that is not");
  EXPECT_EQ(Refusal("in_microseconds", 1'000'001),
            "Times.in_microseconds: expected N, a time in whole seconds, counted in microseconds, "
            "found 1000001");
  EXPECT_EQ(Refusal("expires", Number::Parse("1.5").value()),
            "Times.expires: expected N, an integer from -9223372036854775808 to "
            "9223372036854775807, found 1.5");
}

TEST(TimeCodec, RefusesWhatDoesNotFit) {
  Times times;
  times.in_microseconds = std::chrono::sys_seconds::max();
  EXPECT_EQ(ToItem(times).error().message,
            "Times.in_microseconds: expected a time that fits 64 bits, found one that does not");
  times = {};
  times.iso_seconds = std::chrono::sys_days(std::chrono::year(10'000) / 1 / 1);
  EXPECT_EQ(ToItem(times).error().message,
            "Times.iso_seconds: expected a year from 0000 to 9999, found another");
  times.iso_seconds -= seconds(1);
  EXPECT_EQ(ToItem(times)->at("iso_seconds"), AttributeValue("9999-12-31T23:59:59Z"));
  EXPECT_NE(Refusal("iso_nanoseconds", "2300-01-01T00:00:00Z"), "accepted");
  EXPECT_NE(Refusal("in_seconds", std::numeric_limits<std::int64_t>::max()), "accepted");
}

TEST(TimeCodec, TextSortsAsTimesDo) {
  base::CheckProperty(500, [](std::int32_t left, std::int32_t right) {
    const auto text = [](std::int32_t number) {
      Times times;
      times.iso_milliseconds = Milliseconds(milliseconds(std::int64_t{number} * 86'400'123));
      const Item item = ToItem(times).value();
      return *item.at("iso_milliseconds").If<std::string>();
    };
    const std::int32_t first = left / 1000;
    const std::int32_t second = right / 1000;
    const auto both = [](std::int32_t number) { return number < -700'000 || number > 2'900'000; };
    RC_PRE((!both(first) && !both(second)));
    RC_ASSERT((first < second) == (text(first) < text(second)));
  });
}

}  // namespace
}  // namespace stator::mapping
