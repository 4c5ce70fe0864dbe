// What expiry.h promises without a database.

#include "stator/patterns/expiry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <type_traits>

namespace stator::patterns {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int64_t kNow = 1'794'700'800;  // 2026-11-15T00:00:00Z

Item ExpiringAt(AttributeValue value) {
  return {{"pk", "x"}, {"expires_at", std::move(value)}};
}

template <class Moment>
concept CanExpireAt = requires(Moment moment) { Expiry::At(moment); };

TEST(Expiry, CannotBeMadeOfMilliseconds) {
  static_assert(CanExpireAt<std::chrono::sys_seconds>);
  static_assert(!CanExpireAt<std::chrono::sys_time<milliseconds>>);
  static_assert(!CanExpireAt<TimePoint>);
  static_assert(!CanExpireAt<std::int64_t>);
  EXPECT_FALSE(Expiry::FromSeconds(kNow * 1000));
  EXPECT_EQ(Expiry::FromSeconds(kNow)->seconds(), kNow);
  EXPECT_EQ(Expiry::At(std::chrono::sys_seconds(seconds(kNow)))->seconds(), kNow);
}

TEST(Expiry, CannotBeZeroWhichDynamoDbNeverSweeps) {
  EXPECT_FALSE(Expiry::FromSeconds(0));
  EXPECT_FALSE(Expiry::FromSeconds(-1));
  EXPECT_FALSE(Expiry::At(std::chrono::sys_seconds(seconds(0))));
}

TEST(Expiry, IsNeverEarlierThanAskedFor) {
  const ManualClock clock(TimePoint(seconds(kNow) + milliseconds(1)));
  EXPECT_EQ(Expiry::After(clock, seconds(10)).seconds(), kNow + 11);
  EXPECT_EQ(Expiry::Now(clock).seconds(), kNow);
}

TEST(Expiry, IsANumberOfSecondsInTheItem) {
  const ManualClock clock{TimePoint(seconds(kNow))};
  EXPECT_EQ(Expiry::After(clock, seconds(5)).ToValue(), AttributeValue(kNow + 5));
  EXPECT_EQ(Expiry::Of(ExpiringAt(kNow), "expires_at")->seconds(), kNow);
  EXPECT_FALSE(Expiry::Of(ExpiringAt(std::to_string(kNow)), "expires_at"));
  EXPECT_FALSE(Expiry::Of(ExpiringAt(kNow * 1000), "expires_at"));
  EXPECT_FALSE(Expiry::Of({{"pk", "x"}}, "expires_at"));
}

TEST(Expiry, BeginsInTheSecondThatTheItemNames) {
  const TimePoint now{seconds(kNow)};
  EXPECT_TRUE(IsExpired(ExpiringAt(kNow), "expires_at", now));
  EXPECT_TRUE(IsExpired(ExpiringAt(kNow - 1), "expires_at", now));
  EXPECT_FALSE(IsExpired(ExpiringAt(kNow + 1), "expires_at", now));
  EXPECT_FALSE(IsExpired(ExpiringAt(kNow), "expires_at", now - milliseconds(1)));
}

TEST(Expiry, HoldsForAnyPastValueZeroIncluded) {
  const TimePoint now{seconds(kNow)};
  EXPECT_TRUE(IsExpired(ExpiringAt(0), "expires_at", now));
  EXPECT_TRUE(IsExpired(ExpiringAt(1), "expires_at", now));
}

TEST(Expiry, NeverComesWithoutANumber) {
  const TimePoint now{seconds(kNow)};
  EXPECT_FALSE(IsExpired({{"pk", "x"}}, "expires_at", now));
  EXPECT_FALSE(IsExpired(ExpiringAt("1"), "expires_at", now));
  EXPECT_FALSE(IsExpired(ExpiringAt(Map{{"seconds", 1}}), "expires_at", now));
  EXPECT_FALSE(IsExpired(ExpiringAt(1), TableLayout{"table", {"pk"}}, now));
}

}  // namespace
}  // namespace stator::patterns
