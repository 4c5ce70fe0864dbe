#include "blobs/s3_bucket.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "blobs/fake_s3.h"

namespace stator::blobs {
namespace {

class S3BucketTest : public testing::Test {
 protected:
  S3BucketTest()
      : bucket_(
            {.bucket = "b",
             .endpoint = "http://127.0.0.1:1",
             .credentials =
                 [] { return S3Credentials{.access_key_id = "id", .secret_access_key = "secret"}; },
             .clock = &clock_,
             .random = &random_},
            s3_) {}

  ManualClock clock_{TimePoint(std::chrono::seconds{1'794'744'000})};
  SeededRandom random_{1};
  std::shared_ptr<FakeS3> s3_ = std::make_shared<FakeS3>(clock_);
  S3Bucket bucket_;
};

TEST_F(S3BucketTest, WhatIsPutIsReadInPartsAndListed) {
  ASSERT_TRUE(bucket_.Put("a/x y", "12345").has_value());
  ASSERT_TRUE(bucket_.Put("a/x y", "123456").has_value());
  ASSERT_TRUE(bucket_.Put("b", "").has_value());
  EXPECT_EQ(bucket_.Read("a/x y", 0, 4).value(), "1234");
  EXPECT_EQ(bucket_.Read("a/x y", 4, 4).value(), "56");
  EXPECT_EQ(bucket_.Read("a/x y", 6, 4).value(), "");
  EXPECT_EQ(bucket_.Read("nowhere", 0, 4).error().code, ErrorCode::kResourceNotFound);
  const std::vector<bulk::Object> listed = bucket_.List("a/", 10).value();
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0], (bulk::Object{"a/x y", 6}));
  EXPECT_EQ(bucket_.List("", 1).error().code, ErrorCode::kLimitExceeded);
}

TEST_F(S3BucketTest, RefusalsAreTold) {
  s3_->BreakWith(404, "NoSuchBucket");
  EXPECT_EQ(bucket_.List("", 10).error().code, ErrorCode::kResourceNotFound);
  s3_->BreakWith(403, "AccessDenied");
  EXPECT_EQ(bucket_.Put("a", "b").error().code, ErrorCode::kAccessDenied);
  // What passes is tried again.
  s3_->BreakWith(503, "SlowDown");
  EXPECT_TRUE(bucket_.Put("a", "b").has_value());
}

}  // namespace
}  // namespace stator::blobs
