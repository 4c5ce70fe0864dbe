#include "wire/moment.h"

#include <gtest/gtest.h>

namespace stator::wire {
namespace {

TEST(Moment, IsSecondsOrADate) {
  const auto at = [](std::int64_t micros) { return std::optional(TimePoint(Duration(micros))); };
  EXPECT_EQ(ParseMoment("0"), at(0));
  EXPECT_EQ(ParseMoment("1794700800"), at(1'794'700'800'000'000));
  EXPECT_EQ(ParseMoment("1794700800.25"), at(1'794'700'800'250'000));
  EXPECT_EQ(ParseMoment("1794700800.000001"), at(1'794'700'800'000'001));
  EXPECT_EQ(ParseMoment("2026-11-15T00:00:00Z"), at(1'794'700'800'000'000));
  EXPECT_EQ(ParseMoment("2026-11-15T00:00:00.5Z"), at(1'794'700'800'500'000));
  EXPECT_EQ(ParseMoment("latest"), TimePoint::max());
}

TEST(Moment, IsNothingElse) {
  for (const char* text :
       {"", "-1", "1.", ".5", "1.0000001", "1e9", "1 ", "Z", "now", "2026-11-15", "1.-5",
        "2026-11-15T00:00:00", "2026-02-30T00:00:00Z", "2026-11-15T24:00:00Z",
        "2026-11-15 00:00:00Z", "2026-11-15T00:00:00.Z", "99999999999999999999"}) {
    EXPECT_FALSE(ParseMoment(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace stator::wire
