#include "hosting/places.h"

#include <gtest/gtest.h>

namespace stator::hosting {
namespace {

using Place = Places::Place;

TEST(Places, AnOwnerHasItsNumberAndTheNextOneFollows) {
  Places places({.running = 8, .owner_running = 2});
  auto first = std::make_unique<Place>(places, "ada", "t", 0);
  const Place second(places, "ada", "t", 0);
  const Place third(places, "ada", "t", 0);
  const Place other(places, "bob", "t", 0);
  EXPECT_TRUE(first->IsGranted() && second.IsGranted() && other.IsGranted());
  EXPECT_FALSE(third.IsGranted());
  EXPECT_FALSE(third.signal()->Take());
  first.reset();
  EXPECT_TRUE(third.IsGranted());
  EXPECT_TRUE(third.signal()->Take());
}

TEST(Places, TheLastQuarterIsForOwnersWithoutOne) {
  Places places({.running = 4, .owner_running = 4});
  std::vector<std::unique_ptr<Place>> crowd;
  for (int number = 0; number < 4; ++number) {
    crowd.push_back(std::make_unique<Place>(places, "crowd", "t", 0));
  }
  EXPECT_FALSE(crowd.back()->IsGranted());
  const auto stranger = std::make_unique<Place>(places, "stranger", "t", 0);
  EXPECT_TRUE(stranger->IsGranted());
  const Place late(places, "late", "t", 0);
  EXPECT_FALSE(late.IsGranted());
  crowd.front().reset();
  EXPECT_FALSE(crowd.back()->IsGranted()) << "the quarter is not the crowd's";
  EXPECT_TRUE(late.IsGranted());
}

TEST(Places, AToolHasItsNumberAndAWishCanBeTakenBack) {
  Places places({.running = 8, .owner_running = 8});
  auto first = std::make_unique<Place>(places, "ada", "slow", 1);
  auto second = std::make_unique<Place>(places, "ada", "slow", 1);
  const Place third(places, "bob", "slow", 1);
  const Place other(places, "ada", "quick", 1);
  EXPECT_TRUE(first->IsGranted() && other.IsGranted());
  EXPECT_FALSE(second->IsGranted() || third.IsGranted());
  second.reset();
  first.reset();
  EXPECT_TRUE(third.IsGranted());
}

}  // namespace
}  // namespace stator::hosting
