// What is sent to Kinesis and what its answers mean; on a fake transport.

#include "client/kinesis_streams.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "client/fake_transport.h"

namespace stator::client {
namespace {

constexpr char kArn[] = "arn:aws:kinesis:eu-central-1:000000000000:stream/changes";

class KinesisStreamsTest : public testing::Test {
 protected:
  KinesisStreamsTest() {
    access_.region = "eu-central-1";
    access_.credentials = std::make_shared<CredentialsCache>(
        std::make_unique<StaticCredentials>(
            Credentials{.key = {.access_key_id = "AKID", .secret_access_key = "secret"}}),
        clock_);
  }
  KinesisStreams Streams() { return {access_, transport_, clock_}; }
  Result<std::vector<bool>> PutTwo() {
    return Streams().Put(
        kArn, {{.partition_key = "a", .data = "{}"}, {.partition_key = "\"", .data = "one\ntwo"}});
  }

  ManualClock clock_{TimePoint(std::chrono::seconds(1'794'744'000))};
  std::shared_ptr<FakeTransport> transport_ = std::make_shared<FakeTransport>();
  ServiceAccess access_;
};

TEST_F(KinesisStreamsTest, RecordsAreSentSignedInOneCall) {
  transport_->Play(200, R"({"FailedRecordCount":0,"Records":[{"SequenceNumber":"1","ShardId":"s"},)"
                        R"({"SequenceNumber":"2","ShardId":"s"}]})");
  const Result<std::vector<bool>> taken = PutTwo();
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(*taken, (std::vector<bool>{true, true}));
  const FakeTransport::Sent& sent = transport_->sent.at(0);
  EXPECT_EQ(sent.url, "https://kinesis.eu-central-1.amazonaws.com");
  EXPECT_EQ(sent.Field("x-amz-target"), "Kinesis_20131202.PutRecords");
  EXPECT_EQ(sent.Field("content-type"), "application/x-amz-json-1.1");
  EXPECT_TRUE(sent.Field("authorization").contains("/eu-central-1/kinesis/aws4_request"));
  EXPECT_EQ(sent.body, R"({"StreamARN":"arn:aws:kinesis:eu-central-1:000000000000:stream/changes",)"
                       R"("StreamName":"changes","Records":[{"Data":"e30=","PartitionKey":"a"},)"
                       R"({"Data":"b25lCnR3bw==","PartitionKey":"\""}]})");
}

TEST_F(KinesisStreamsTest, SaysWhichRecordsWereTaken) {
  transport_->Play(200, R"({"FailedRecordCount":1,"Records":[{"ErrorCode":"InternalFailure",)"
                        R"("ErrorMessage":"m"},{"SequenceNumber":"2","ShardId":"s"}]})");
  EXPECT_EQ(PutTwo().value(), (std::vector<bool>{false, true}));
}

TEST_F(KinesisStreamsTest, AnAnswerThatIsNoneIsAFailureThatMayPass) {
  for (const char* body : {"", "{}", "[]", R"({"Records":[{"SequenceNumber":"1"}]})", "<html>"}) {
    transport_->Forget();
    transport_->Play(200, body);
    const Result<std::vector<bool>> taken = PutTwo();
    ASSERT_FALSE(taken) << body;
    EXPECT_NE(taken.error().code, ErrorCode::kValidation) << body;
  }
}

TEST_F(KinesisStreamsTest, RefusalsHaveTheirCodes) {
  const auto code_of = [&](int status, const std::string& type) {
    transport_->Forget();
    transport_->Play(status, R"({"__type":")" + type + R"(","message":"words"})");
    return PutTwo().error().code;
  };
  EXPECT_EQ(code_of(400, "ResourceNotFoundException"), ErrorCode::kResourceNotFound);
  EXPECT_EQ(code_of(400, "AccessDeniedException"), ErrorCode::kAccessDenied);
  EXPECT_EQ(code_of(400, "ValidationException"), ErrorCode::kValidation);
  EXPECT_EQ(code_of(400, "InvalidArgumentException"), ErrorCode::kValidation);
  EXPECT_EQ(code_of(400, "ProvisionedThroughputExceededException"), ErrorCode::kThroughputExceeded);
  EXPECT_EQ(code_of(404, "none"), ErrorCode::kUnavailable);
  EXPECT_EQ(code_of(500, "InternalFailure"), ErrorCode::kInternal);
}

TEST_F(KinesisStreamsTest, AStreamIsActiveWhenItTakesRecords) {
  const auto is_active = [&](const std::string& status) {
    transport_->Forget();
    transport_->Play(200, R"({"StreamDescriptionSummary":{"StreamStatus":")" + status + R"("}})");
    return Streams().IsActive(kArn).value();
  };
  EXPECT_TRUE(is_active("ACTIVE"));
  EXPECT_TRUE(is_active("UPDATING"));
  EXPECT_FALSE(is_active("CREATING"));
  EXPECT_FALSE(is_active("DELETING"));
  EXPECT_EQ(transport_->sent.at(0).Field("x-amz-target"), "Kinesis_20131202.DescribeStreamSummary");
}

TEST(OpenKinesisStreams, NeedsAUrl) {
  const auto refused = OpenKinesisStreams("not a url", "us-east-1");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.contains("'not a url': give a URL"));
  EXPECT_TRUE(OpenKinesisStreams("http://127.0.0.1:4567", "us-east-1"));
  EXPECT_TRUE(OpenKinesisStreams("", "us-east-1"));
}

}  // namespace
}  // namespace stator::client
