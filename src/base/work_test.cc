#include "base/work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace stator::base {
namespace {

TEST(Work, HasNoBoundsOutsideOfAScope) {
  EXPECT_TRUE(SpendWork(1ULL << 60U));
  EXPECT_TRUE(AskToWait());
  EXPECT_FALSE(HasWorkShare());
}

TEST(Work, EndsWithTheShareAndAsksForThePool) {
  const WorkScope scope({.share = 1000});
  EXPECT_TRUE(HasWorkShare());
  EXPECT_TRUE(SpendWork(600));
  EXPECT_TRUE(SpendWork(400));
  EXPECT_FALSE(scope.wanted_threads());
  EXPECT_FALSE(SpendWork(1));
  EXPECT_EQ(scope.wanted_threads(), Threads::kPool);
}

TEST(Work, WorkThatDoesNotFitIsNotBegun) {
  const WorkScope scope({.share = 1000});
  EXPECT_FALSE(SpendWork(1001));
  EXPECT_FALSE(SpendWork(1));  // Who was told to go must not go on.
  EXPECT_EQ(scope.wanted_threads(), Threads::kPool);
}

TEST(Work, WaitingAsksForTheControlThread) {
  const WorkScope scope({.may_wait = false});
  EXPECT_TRUE(SpendWork(1ULL << 40U));
  EXPECT_FALSE(AskToWait());
  EXPECT_EQ(scope.wanted_threads(), Threads::kControl);
}

TEST(Work, EndsWhenNobodyWantsTheAnswer) {
  std::atomic<bool> gone = false;
  const WorkScope scope({.gone = &gone});
  EXPECT_TRUE(SpendWork(1));
  EXPECT_FALSE(HasWorkShare());
  gone = true;
  EXPECT_FALSE(SpendWork(1));
  EXPECT_FALSE(scope.wanted_threads());
}

TEST(Work, ScopesNestAndBelongToTheirThread) {
  const WorkScope outer({.share = 10});
  {
    const WorkScope inner({.share = 100});
    EXPECT_TRUE(SpendWork(50));
    std::thread([] { EXPECT_TRUE(SpendWork(1000)); }).join();
  }
  EXPECT_TRUE(SpendWork(10));
  EXPECT_FALSE(SpendWork(1));
}

}  // namespace
}  // namespace stator::base
