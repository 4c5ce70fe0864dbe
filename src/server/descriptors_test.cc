// How descriptors are shared: nobody gets more than there is, and the store always something.

#include "server/descriptors.h"

#include <gtest/gtest.h>

#include "base/property.h"

namespace stator::server {
namespace {

TEST(Descriptors, PlentyMeansNoLimitForTheStore) {
  const auto shares = ShareDescriptors(1'048'576, 4096);
  ASSERT_TRUE(shares.has_value());
  EXPECT_EQ(shares->connections, 4096);
  EXPECT_EQ(shares->store, 0);
}

TEST(Descriptors, TheUsualThousandIsHalved) {
  const auto shares = ShareDescriptors(1024, 4096);
  ASSERT_TRUE(shares.has_value());
  EXPECT_EQ(shares->connections, 416);
  EXPECT_EQ(shares->store, 416);
}

TEST(Descriptors, TooFewAreRefusedInWords) {
  const auto shares = ShareDescriptors(128, 4096);
  ASSERT_FALSE(shares.has_value());
  EXPECT_EQ(shares.error().code, ErrorCode::kValidation);
  EXPECT_TRUE(shares.error().message.contains("only 128 files")) << shares.error().message;
}

TEST(Descriptors, SharesNeverExceedTheLimit) {
  base::CheckProperty(2000, [] {
    const auto limit = *rc::gen::inRange<std::size_t>(0, 20'000);
    const auto wanted = *rc::gen::inRange<std::size_t>(1, 20'000);
    const auto shares = ShareDescriptors(limit, wanted);
    if (shares) {
      RC_ASSERT((shares->connections >= 1U && shares->connections <= wanted));
      RC_ASSERT(shares->connections + shares->store + kTurnedAwayMax < limit);
      RC_ASSERT((shares->store == 0U || shares->store >= 64U));
    } else {
      RC_ASSERT(limit < 1024U);
    }
  });
}

}  // namespace
}  // namespace stator::server
