// What seen_keys.h promises: a key is new once, whatever was added before it.

#include "engine/seen_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::engine {
namespace {

TEST(SeenKeys, AKeyIsNewOnce) {
  SeenKeys seen;
  for (int number = 0; number < 100; ++number) {
    EXPECT_TRUE(seen.Add("key " + std::to_string(number))) << number;
  }
  for (int number = 0; number < 100; ++number) {
    EXPECT_FALSE(seen.Add("key " + std::to_string(number))) << number;
  }
}

TEST(SeenKeys, KeysMayBeginWithEachOther) {
  SeenKeys seen;
  EXPECT_TRUE(seen.Add("a"));
  EXPECT_TRUE(seen.Add("ab"));
  EXPECT_TRUE(seen.Add(""));
  EXPECT_TRUE(seen.Add("b"));
  EXPECT_FALSE(seen.Add("ab"));
  EXPECT_FALSE(seen.Add(""));
}

}  // namespace
}  // namespace stator::engine
