// What shard_iterator.h promises: a position survives its text, and foreign text is refused.

#include "engine/shard_iterator.h"

#include <gtest/gtest.h>

namespace stator::engine {
namespace {

TEST(ShardIterator, SurvivesItsText) {
  const ShardIterator iterator{.stream_arn = "arn:aws:dynamodb:us-east-1:0:table/t/stream/s",
                               .shard_opened_at = TimePoint(std::chrono::hours(77)),
                               .sequence = 1234567890123456789ULL,
                               .given_at = TimePoint(std::chrono::microseconds(1794782798775000))};
  const auto decoded = DecodeShardIterator(EncodeShardIterator(iterator));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->stream_arn, iterator.stream_arn);
  EXPECT_EQ(decoded->shard_opened_at, iterator.shard_opened_at);
  EXPECT_EQ(decoded->sequence, iterator.sequence);
  EXPECT_EQ(decoded->given_at, iterator.given_at);
}

TEST(ShardIterator, RefusesWhatItDidNotWrite) {
  for (const char* text : {"", "x", "arn|1|", "arn|1|!!!!", "arn|3|AAAA", "arn|1|AQA="}) {
    const auto decoded = DecodeShardIterator(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kValidation) << text;
  }
}

}  // namespace
}  // namespace stator::engine
