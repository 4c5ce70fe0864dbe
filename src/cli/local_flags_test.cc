// What local_flags.h promises.

#include "cli/local_flags.h"

#include <gtest/gtest.h>

namespace stator::cli {
namespace {

using Arguments = std::vector<std::string>;

TEST(LocalFlags, BareFlagsMeanServe) {
  EXPECT_EQ(TranslateLocalFlags({"-inMemory", "-sharedDb", "-port", "9000"}),
            (Arguments{"serve", "--memory", "--like-dynamodb-local", "--port", "9000"}));
  EXPECT_EQ(TranslateLocalFlags({"-sharedDb", "--like-dynamodb-local"}),
            (Arguments{"serve", "--like-dynamodb-local"}));
}

TEST(LocalFlags, TheyMayStandBehindServe) {
  EXPECT_EQ(TranslateLocalFlags({"serve", "-dbPath", "data", "-disableTelemetry"}),
            (Arguments{"serve", "--data", "data/stator-data", "--separate-tables"}));
  EXPECT_EQ(TranslateLocalFlags({"-delayTransientStatuses"}),
            (Arguments{"serve", "--transient-states"}));
  EXPECT_EQ(TranslateLocalFlags({"-dbPath"}), (Arguments{"serve", "--data", "--separate-tables"}));
}

TEST(LocalFlags, TablesAreEachCallersOwnUnlessTheyAreShared) {
  EXPECT_EQ(TranslateLocalFlags({"-inMemory"}),
            (Arguments{"serve", "--memory", "--like-dynamodb-local", "--separate-tables"}));
  EXPECT_EQ(TranslateLocalFlags({"-inMemory", "-sharedDb"}),
            (Arguments{"serve", "--memory", "--like-dynamodb-local"}));
  EXPECT_EQ(TranslateLocalFlags({"-sharedDb", "-dbPath", "data"}),
            (Arguments{"serve", "--like-dynamodb-local", "--data", "data/stator-data"}));
  EXPECT_EQ(TranslateLocalFlags({"-port", "1"}), (Arguments{"serve", "--port", "1"}));
}

TEST(LocalFlags, OursAreLeftAlone) {
  EXPECT_EQ(TranslateLocalFlags({"serve", "--port", "1", "-h"}),
            (Arguments{"serve", "--port", "1", "-h"}));
  EXPECT_TRUE(TranslateLocalFlags({}).empty());
}

}  // namespace
}  // namespace stator::cli
