// Numbers as answers write them.

#include "wire/json_numbers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace stator::wire {
namespace {

std::string Double(double value) {
  std::string out;
  AppendDouble(value, out);
  return out;
}

std::string Seconds(std::int64_t microseconds) {
  std::string out;
  AppendEpochSeconds(TimePoint(std::chrono::microseconds(microseconds)), out);
  return out;
}

TEST(JsonNumbers, CapacityAlwaysHasAFraction) {
  EXPECT_EQ(Double(0), "0.0");
  EXPECT_EQ(Double(1), "1.0");
  EXPECT_EQ(Double(0.5), "0.5");
  EXPECT_EQ(Double(12.25), "12.25");
  EXPECT_EQ(Double(1e15), "1000000000000000.0");
  EXPECT_GT(Double(std::numeric_limits<double>::max()).size(), 300U);
}

TEST(JsonNumbers, TimesAreSecondsWithThreeDigits) {
  EXPECT_EQ(Seconds(0), "0.000");
  EXPECT_EQ(Seconds(1'733'000'000'123'456), "1733000000.123");
  EXPECT_EQ(Seconds(1'733'000'000'007'999), "1733000000.007");
  EXPECT_EQ(Seconds(-1'500'000), "-1.500");
  EXPECT_EQ(Seconds(-1), "-0.001");
}

TEST(JsonNumbers, IntegersHaveAllTheirDigits) {
  std::string out;
  AppendInteger(std::numeric_limits<std::int64_t>::min(), out);
  EXPECT_EQ(out, "-9223372036854775808");
}

}  // namespace
}  // namespace stator::wire
