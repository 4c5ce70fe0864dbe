// The two date formats: fixed examples, refusal of near misses, and the way there and back.

#include "wire/http_date.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <string>

namespace stator::wire {
namespace {

using std::chrono::seconds;

constexpr TimePoint kTime(seconds(1440938160));  // 2015-08-30T12:36:00Z

TEST(HttpDate, FormatsAreFixed) {
  EXPECT_EQ(FormatHttpDate(kTime), "Sun, 30 Aug 2015 12:36:00 GMT");
  EXPECT_EQ(FormatBasicDate(kTime), "20150830T123600Z");
  EXPECT_EQ(FormatHttpDate(TimePoint()), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDate, RefusesWhatIsNotExactlyADate) {
  for (const char* text : {"", "20150830", "20150830T1236", "20150830T123600", "2015083oT123600Z",
                           "20150230T123600Z", "20150830T243600Z", "20150830T123600Z "}) {
    EXPECT_FALSE(ParseBasicDate(text).has_value()) << text;
  }
  for (const char* text : {"", "Sun, 30 Aug 2015 12:36:00 UTC", "Xxx, 30 Aug 2015 12:36:00 GMT",
                           "Sun, 31 Feb 2015 12:36:00 GMT", "Sun; 30 Aug 2015 12:36:00 GMT",
                           "Sun, 30 Aug 2015 12:3x:00 GMT", "Sunday, 30-Aug-15 12:36:00 GMT"}) {
    EXPECT_FALSE(ParseHttpDate(text).has_value()) << text;
  }
}

RC_GTEST_PROP(HttpDate, ParsingUndoesFormatting, ()) {
  // Up to the end of year 9999, the last that fits the formats.
  const TimePoint time(seconds(*rc::gen::inRange<std::int64_t>(0, 253402300800)));
  RC_ASSERT(ParseHttpDate(FormatHttpDate(time)) == time);
  RC_ASSERT(ParseBasicDate(FormatBasicDate(time)) == time);
}

}  // namespace
}  // namespace stator::wire
