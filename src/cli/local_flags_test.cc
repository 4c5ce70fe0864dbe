// What local_flags.h promises.

#include "cli/local_flags.h"

#include <gtest/gtest.h>

namespace stator::cli {
namespace {

using Arguments = std::vector<std::string>;

TEST(LocalFlags, BareFlagsMeanServe) {
  EXPECT_EQ(TranslateLocalFlags({"-inMemory", "-sharedDb", "-port", "9000"}),
            (Arguments{"serve", "--memory", "--port", "9000"}));
}

TEST(LocalFlags, TheyMayStandBehindServe) {
  EXPECT_EQ(TranslateLocalFlags({"serve", "-dbPath", "data", "-disableTelemetry"}),
            (Arguments{"serve", "--data", "data/stator-data"}));
  EXPECT_EQ(TranslateLocalFlags({"-delayTransientStatuses"}),
            (Arguments{"serve", "--transient-states"}));
  EXPECT_EQ(TranslateLocalFlags({"-dbPath"}), (Arguments{"serve", "--data"}));
}

TEST(LocalFlags, OursAreLeftAlone) {
  EXPECT_EQ(TranslateLocalFlags({"serve", "--port", "1", "-h"}),
            (Arguments{"serve", "--port", "1", "-h"}));
  EXPECT_TRUE(TranslateLocalFlags({}).empty());
}

}  // namespace
}  // namespace stator::cli
