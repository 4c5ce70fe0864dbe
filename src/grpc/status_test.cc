// A status as trailers.

#include "grpc/status.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace stator::grpc {
namespace {

using Trailers = std::vector<std::pair<std::string, std::string>>;

TEST(GrpcStatus, MessagesArePercentEncoded) {
  EXPECT_EQ(PercentEncoded("a b~"), "a b~");
  EXPECT_EQ(PercentEncoded("100% \xC3\xBC\n\x7F"), "100%25 %C3%BC%0A%7F");
}

TEST(GrpcStatus, TrailersHaveWhatThereIs) {
  EXPECT_EQ(TrailersOf({}), (Trailers{{"grpc-status", "0"}}));
  EXPECT_EQ(
      TrailersOf({StatusCode::kFailedPrecondition, "no", "\xFF"}),
      (Trailers{
          {"grpc-status", "9"}, {"grpc-message", "no"}, {"grpc-status-details-bin", "/w=="}}));
}

TEST(GrpcStatus, LongMessagesEndWithWholeCharacters) {
  const std::string fits(kStatusMessageBytesMax, 'x');
  EXPECT_EQ(ShortMessage(fits), fits);
  std::string wide;
  while (wide.size() <= kStatusMessageBytesMax) {
    wide += "\xE2\x82\xAC";
  }
  const std::string cut = ShortMessage(wide);
  EXPECT_LE(cut.size(), kStatusMessageBytesMax);
  EXPECT_GT(cut.size(), kStatusMessageBytesMax - 10);
  EXPECT_TRUE(cut.ends_with("..."));
  EXPECT_EQ((cut.size() - 3) % 3, 0U);
}

}  // namespace
}  // namespace stator::grpc
