// The part of the safe window that follows what is observed.

#include "stores/events/lag_window.h"

#include <gtest/gtest.h>

#include <chrono>

namespace stator::events {
namespace {

using std::chrono::seconds;

TEST(LagWindows, FollowTheGreatestLagAndForgetItSlowly) {
  LagWindow window(seconds(30));
  EXPECT_EQ(window.Current(seconds(0)), Duration(0));
  window.Observe(seconds(10), seconds(0));
  EXPECT_EQ(window.Current(seconds(0)), seconds(10));
  const Duration later = window.Current(seconds(1));
  EXPECT_NEAR(static_cast<double>(later.count()), 9.8e6, 1);
  EXPECT_LT(window.Current(seconds(200)), seconds(3));
}

TEST(LagWindows, AreAtLeastTheAverage) {
  LagWindow window(seconds(30));
  for (int number = 0; number < 50; ++number) {
    window.Observe(seconds(4), seconds(number));
  }
  EXPECT_NEAR(static_cast<double>(window.Current(seconds(1000)).count()), 4e6, 1e4);
}

TEST(LagWindows, AreBounded) {
  LagWindow window(seconds(30));
  window.Observe(seconds(1000), seconds(0));
  EXPECT_EQ(window.Current(seconds(0)), seconds(30));
  window.Observe(seconds(-5), seconds(1));
  EXPECT_LE(window.Current(seconds(1)), seconds(30));
  LagWindow off(seconds(0));
  off.Observe(seconds(1000), seconds(0));
  EXPECT_EQ(off.Current(seconds(0)), Duration(0));
}

}  // namespace
}  // namespace stator::events
