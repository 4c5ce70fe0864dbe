// The checker itself: it accepts what one order explains and refuses what none does.

#include <gtest/gtest.h>

#include "concurrency/history.h"

namespace stator::concurrency {
namespace {

// A register: a write, or a read of a value.
struct Access {
  bool is_write;
  int value;
};
using Accesses = std::vector<Event<Access>>;

std::optional<int> Apply(int state, const Access& access) {
  if (access.is_write) {
    return access.value;
  }
  return access.value == state ? std::optional(state) : std::nullopt;
}

bool Explains(const Accesses& events) {
  return HasAnOrder(events, 0, Apply);
}

TEST(HistoryChecker, AcceptsOperationsOneAfterAnother) {
  EXPECT_TRUE(Explains({}));
  EXPECT_TRUE(Explains({{{true, 1}, 1, 2}, {{false, 1}, 3, 4}}));
}

TEST(HistoryChecker, AcceptsEitherOrderOfOverlappingOnes) {
  EXPECT_TRUE(Explains({{{true, 1}, 1, 4}, {{false, 0}, 2, 3}}));
  EXPECT_TRUE(Explains({{{true, 1}, 1, 4}, {{false, 1}, 2, 3}}));
}

TEST(HistoryChecker, RefusesAStaleRead) {
  EXPECT_FALSE(Explains({{{true, 1}, 1, 2}, {{false, 0}, 3, 4}}));
}

TEST(HistoryChecker, RefusesAValueThatComesBack) {
  EXPECT_FALSE(
      Explains({{{true, 1}, 1, 2}, {{true, 2}, 3, 10}, {{false, 2}, 4, 5}, {{false, 1}, 6, 7}}));
}

TEST(HistoryChecker, RefusesAValueThatNobodyWrote) {
  EXPECT_FALSE(Explains({{{true, 1}, 1, 9}, {{false, 7}, 2, 3}}));
}

}  // namespace
}  // namespace stator::concurrency
