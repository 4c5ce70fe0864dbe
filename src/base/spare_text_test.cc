#include "base/spare_text.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>

namespace stator::base {
namespace {

TEST(SpareText, IsEmptyAndHasTheRoomOfTheLast) {
  std::string text(5000, 'x');
  const char* const memory = text.data();
  KeepSpareText(std::move(text));
  std::string next = TakeSpareText();
  EXPECT_TRUE(next.empty());
  EXPECT_GE(next.capacity(), 5000U);
  EXPECT_EQ(next.data(), memory);
  EXPECT_LT(TakeSpareText().capacity(), 5000U) << "it was taken";
  KeepSpareText(std::move(next));
  KeepSpareText(std::string(100, 'y'));
  EXPECT_GE(TakeSpareText().capacity(), 5000U) << "the larger one is kept";
}

TEST(SpareText, KeepsNothingVeryLargeAndNothingOfOtherThreads) {
  KeepSpareText(std::string(1 << 20, 'x'));
  EXPECT_LT(TakeSpareText().capacity(), 1U << 20U);
  KeepSpareText(std::string(5000, 'x'));
  std::thread([] { EXPECT_LT(TakeSpareText().capacity(), 5000U); }).join();
  EXPECT_GE(TakeSpareText().capacity(), 5000U);
}

}  // namespace
}  // namespace stator::base
