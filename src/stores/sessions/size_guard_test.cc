// The guard is exact, and says what is large.

#include "stores/sessions/size_guard.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace stator::sessions {
namespace {

TEST(SizeGuard, TheLastByteThatFitsFits) {
  const std::size_t name = 1;
  EXPECT_TRUE(CheckSize({{"a", std::string(limits::kItemBytesMax - name, 'x')}}, 0));
  EXPECT_FALSE(CheckSize({{"a", std::string(limits::kItemBytesMax - name + 1, 'x')}}, 0));
  EXPECT_TRUE(CheckSize({{"a", std::string(limits::kItemBytesMax - name - 10, 'x')}}, 10));
  EXPECT_FALSE(CheckSize({{"a", std::string(limits::kItemBytesMax - name - 10, 'x')}}, 11));
}

TEST(SizeGuard, FollowsWhatIsLargeToItsPlace) {
  const std::string large(1000, 'x');
  EXPECT_EQ(PathOfLargest({{"a", 1}, {"b", large}}), "b");
  EXPECT_EQ(PathOfLargest({{"items", List{Map{{"n", 1}}, Map{{"text", large}}}}}), "items[1].text");
  // Many of equal size: none of them is to blame.
  EXPECT_EQ(PathOfLargest({{"items", List{large, large, large}}}), "items");
  EXPECT_EQ(PathOfLargest({}), "");
}

TEST(SizeGuard, TheRefusalHasEverything) {
  const Result<void> refused =
      CheckSize({{"history", List{std::string(limits::kItemBytesMax, 'x')}}}, 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(FactsOf(refused.error()).path, "history[0]");
  EXPECT_EQ(FactsOf(refused.error()).bytes, limits::kItemBytesMax + 7 + 3 + 1);
}

}  // namespace
}  // namespace stator::sessions
