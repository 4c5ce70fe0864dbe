// So many at once, and then so many in a second.

#include "grpc/reset_meter.h"

#include <gtest/gtest.h>

namespace stator::grpc {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ResetMeter, SoManyAtOnceAreNotTooMany) {
  ResetMeter meter(3, 10, seconds(5));
  EXPECT_FALSE(meter.Count(seconds(5)));
  EXPECT_FALSE(meter.Count(seconds(5)));
  EXPECT_FALSE(meter.Count(seconds(5)));
  EXPECT_TRUE(meter.Count(seconds(5)));
}

TEST(ResetMeter, WhatTheRateAllowsGoesOnForEver) {
  ResetMeter meter(2, 10, Duration::zero());
  for (int number = 0; number < 1000; ++number) {
    ASSERT_FALSE(meter.Count(milliseconds(100) * number)) << number;
  }
  // A long rest does not make up for more than is allowed at once.
  EXPECT_FALSE(meter.Count(seconds(10'000)));
  EXPECT_FALSE(meter.Count(seconds(10'000)));
  EXPECT_TRUE(meter.Count(seconds(10'000)));
}

}  // namespace
}  // namespace stator::grpc
