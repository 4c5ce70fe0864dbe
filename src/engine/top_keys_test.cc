// What top_keys.h promises: the most used keys are found among many, and counts err in one direction.

#include "engine/top_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "stator/base/random.h"

namespace stator::engine {
namespace {

TEST(TopKeys, CountsExactlyWhatFits) {
  TopKeys keys;
  for (int round = 0; round < 3; ++round) {
    keys.Add("often", 2.5);
  }
  keys.Add("once", 1);
  keys.Add("also once", 1);
  const auto most = keys.Most(10);
  ASSERT_EQ(most.size(), 3U);
  EXPECT_EQ(most[0].key, "often");
  EXPECT_EQ(most[0].count, 7.5);
  EXPECT_EQ(most[0].error, 0);
  EXPECT_EQ(most[1].key, "also once");  // equal ones by their names
  EXPECT_EQ(keys.Most(1).size(), 1U);
  EXPECT_TRUE(TopKeys().Most(5).empty());
}

TEST(TopKeys, FindsTheMostUsedAmongVeryMany) {
  SeededRandom random(7);
  TopKeys keys;
  std::map<std::string, double> uses;
  constexpr int kUses = 50'000;
  for (int use = 0; use < kUses; ++use) {
    // Every tenth use is of one of five keys, the others are of a key of their own.
    const std::string key = random.Below(10) == 0 ? "hot" + std::to_string(random.Below(5))
                                                  : "cold" + std::to_string(use);
    keys.Add(key, 1);
    uses[key] += 1;
  }
  const auto most = keys.Most(5);
  ASSERT_EQ(most.size(), 5U);
  for (const TopKeys::Counted& counted : most) {
    EXPECT_TRUE(counted.key.starts_with("hot")) << counted.key;
  }
  for (const TopKeys::Counted& counted : keys.Most(TopKeys::kKeysMax)) {
    EXPECT_LE(uses[counted.key], counted.count) << counted.key;
    EXPECT_GE(uses[counted.key], counted.count - counted.error) << counted.key;
  }
  EXPECT_EQ(keys.Most(kUses).size(), TopKeys::kKeysMax);
}

}  // namespace
}  // namespace stator::engine
