// CHECK: silent while the condition holds, otherwise says where and why and ends the process.

#include "base/check.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::base {
namespace {

TEST(Check, EvaluatesTheConditionOnceAndTheExplanationNever) {
  int conditions = 0;
  int explanations = 0;
  const auto explain = [&] {
    ++explanations;
    return std::string("why");
  };
  CHECK(++conditions == 1);
  CHECK_THAT(++conditions == 2, explain());
  EXPECT_EQ(conditions, 2);
  EXPECT_EQ(explanations, 0);
}

TEST(CheckDeathTest, SaysWhereAndWhatAndStops) {
  const int rows = 3;
  EXPECT_DEATH(CHECK(rows == 4), "check_test.cc:[0-9]+: CHECK failed: rows == 4");
  EXPECT_DEATH(CHECK_THAT(rows == 4, "table " + std::string("music")),
               "CHECK failed: rows == 4 table music");
}

}  // namespace
}  // namespace stator::base
