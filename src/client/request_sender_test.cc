// Which failures are repeated, how often, after how long, and what a call says when it gives up; on
// a fake transport and a clock that only sleeping moves.

#include "client/request_sender.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "client/body_coding.h"
#include "client/client.h"
#include "client/fake_transport.h"

namespace stator::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kNow{seconds(1'794'744'000)};  // 2026-11-15T12:00:00Z

std::string ErrorOfType(const std::string& type) {
  return R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + type + R"(","message":"words"})";
}

class RequestSenderTest : public testing::Test {
 protected:
  Database& client() {
    if (client_ == nullptr) {
      RequestSender::Parts parts{.endpoints = {.dynamodb_url = "https://d.example",
                                               .streams_url = "https://s.example",
                                               .region = "eu-central-1"},
                                 .options = options_,
                                 .transport = transport_,
                                 .clock = &clock_,
                                 .random = &random_};
      parts.credentials = std::make_unique<StaticCredentials>(
          Credentials{.key = {.access_key_id = "AKID", .secret_access_key = "secret"}});
      client_ = std::make_unique<Client>(std::move(parts));
    }
    return *client_;
  }
  FakeTransport& transport() { return *transport_; }

  Result<GetItemOutput> Get() {
    return client().GetItem({.table_name = "things", .key = {{"pk", "a"}}});
  }
  Result<PutItemOutput> Put() {
    return client().PutItem({.table_name = "things", .item = {{"pk", "a"}}});
  }
  Result<UpdateItemOutput> Update() {
    return client().UpdateItem({.table_name = "things", .key = {{"pk", "a"}}});
  }
  Result<TransactWriteItemsOutput> Transact() {
    return client().TransactWriteItems(
        {.transact_items = {TransactPut{.table_name = "things", .item = {{"pk", "a"}}}}});
  }
  template <class Output>
  static ErrorCode CodeOf(const Result<Output>& result) {
    EXPECT_FALSE(result);
    return result ? ErrorCode::kInternal : result.error().code;
  }

  ClientOptions options_;
  ManualClock clock_{kNow};

 private:
  SeededRandom random_{1};
  std::shared_ptr<FakeTransport> transport_ = std::make_shared<FakeTransport>();
  std::unique_ptr<Client> client_;
};

TEST_F(RequestSenderTest, ARequestIsSignedAndCounted) {
  transport().Play(200, "{}");
  ASSERT_TRUE(Get());
  const FakeTransport::Sent& sent = transport().sent.at(0);
  EXPECT_EQ(sent.url, "https://d.example");
  EXPECT_EQ(sent.body, R"({"TableName":"things","Key":{"pk":{"S":"a"}}})");
  EXPECT_EQ(sent.Field("x-amz-target"), "DynamoDB_20120810.GetItem");
  EXPECT_EQ(sent.Field("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(sent.Field("amz-sdk-request"), "attempt=1; max=4");
  EXPECT_EQ(sent.Field("amz-sdk-invocation-id").size(), 36U);
  EXPECT_EQ(sent.Field("x-amz-date"), "20261115T120000Z");
  EXPECT_TRUE(sent.Field("authorization")
                  .starts_with("AWS4-HMAC-SHA256 Credential=AKID/20261115/eu-central-1/dynamodb/"
                               "aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;"
                               "content-type;host;x-amz-date;x-amz-target, Signature="))
      << sent.Field("authorization");
}

TEST_F(RequestSenderTest, StreamsHaveTheirOwnEndpoint) {
  transport().Play(200, R"({"Streams":[]})");
  ASSERT_TRUE(client().ListStreams({}));
  EXPECT_EQ(transport().sent.at(0).url, "https://s.example");
}

TEST_F(RequestSenderTest, APassingFailureIsRepeatedUnderOneInvocation) {
  for (const char* type : {"InternalServerError", "ThrottlingException"}) {
    transport().Play(std::string(type).starts_with("I") ? 500 : 400, ErrorOfType(type));
  }
  transport().PlayError(ErrorCode::kUnavailable);
  transport().Play(200, R"({"Item":{"pk":{"S":"a"}}})");
  const auto read = Get();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->item, (Item{{"pk", "a"}}));
  ASSERT_EQ(transport().sent.size(), 4U);
  EXPECT_EQ(transport().sent[3].Field("amz-sdk-request"), "attempt=4; max=4");
  EXPECT_EQ(transport().sent[3].Field("amz-sdk-invocation-id"),
            transport().sent[0].Field("amz-sdk-invocation-id"));
}

TEST_F(RequestSenderTest, ARefusalIsNotRepeated) {
  for (const char* type : {"ValidationException", "ConditionalCheckFailedException",
                           "ResourceNotFoundException", "TransactionCanceledException"}) {
    transport().Forget();
    transport().Play(400, ErrorOfType(type));
    EXPECT_FALSE(Put()) << type;
    EXPECT_EQ(transport().sent.size(), 1U) << type;
  }
}

TEST_F(RequestSenderTest, AttemptsAreBounded) {
  transport().PlayError(ErrorCode::kUnavailable);
  EXPECT_EQ(CodeOf(Get()), ErrorCode::kUnavailable);
  EXPECT_EQ(transport().sent.size(), 4U);
}

TEST_F(RequestSenderTest, ACallEndsWhenItsTimeIsOver) {
  options_.attempts_max = 1000;
  options_.call_timeout = seconds(10);
  transport().Play(400, ErrorOfType("ThrottlingException"));
  EXPECT_EQ(CodeOf(Get()), ErrorCode::kThrottled);
  EXPECT_LE(clock_.Elapsed(), seconds(10));
  EXPECT_LT(transport().sent.size(), 30U);
}

TEST_F(RequestSenderTest, AnAttemptHasNoMoreTimeThanTheCall) {
  options_.call_timeout = seconds(3);
  options_.attempt_timeout = seconds(5);
  transport().Play(200, "{}");
  ASSERT_TRUE(Get());
  EXPECT_EQ(transport().sent.at(0).timeout, seconds(3));
}

TEST_F(RequestSenderTest, TheQuotaEndsRepetitionsOfManyCalls) {
  options_.call_timeout = minutes(600);
  transport().PlayError(ErrorCode::kUnavailable);
  for (int call = 0; call < 100; ++call) {
    (void)Get();
  }
  EXPECT_EQ(transport().sent.size(), 100U + 500 / 14);
}

TEST_F(RequestSenderTest, ALostAnswerOfAnIdempotentWriteIsRepeated) {
  transport().PlayError(ErrorCode::kIo);
  transport().Play(200, "{}");
  EXPECT_TRUE(Put());
  EXPECT_EQ(transport().sent.size(), 2U);
}

TEST_F(RequestSenderTest, ALostAnswerOfAnUpdateIsAmbiguousAtOnce) {
  for (const ErrorCode lost : {ErrorCode::kIo, ErrorCode::kTimeout}) {
    transport().Forget();
    transport().PlayError(lost);
    EXPECT_EQ(CodeOf(Update()), ErrorCode::kAmbiguous);
    EXPECT_EQ(transport().sent.size(), 1U);
  }
}

TEST_F(RequestSenderTest, AnUpdateThatWasNotReceivedIsRepeated) {
  transport().PlayError(ErrorCode::kUnavailable);
  transport().Play(400, ErrorOfType("ProvisionedThroughputExceededException"));
  transport().Play(200, "{}");
  EXPECT_TRUE(Update());
  EXPECT_EQ(transport().sent.size(), 3U);
}

TEST_F(RequestSenderTest, AnInternalErrorOfAnUpdateIsAmbiguous) {
  transport().Play(500, ErrorOfType("InternalServerError"));
  EXPECT_EQ(CodeOf(Update()), ErrorCode::kAmbiguous);
}

TEST_F(RequestSenderTest, AWriteThatReturnsTheOldItemIsNotRepeated) {
  transport().PlayError(ErrorCode::kIo);
  EXPECT_EQ(
      CodeOf(client().PutItem(
          {.table_name = "things", .item = {{"pk", "a"}}, .return_values = ReturnValues::kAllOld})),
      ErrorCode::kAmbiguous);
  EXPECT_EQ(transport().sent.size(), 1U);
}

TEST_F(RequestSenderTest, AConditionThatFailsAfterALostAnswerIsAmbiguousAndShowsTheItem) {
  transport().PlayError(ErrorCode::kIo);
  transport().Play(400, R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
                        R"(ConditionalCheckFailedException","message":"The conditional request )"
                        R"(failed","Item":{"pk":{"S":"a"},"write_id":{"S":"w"}}})");
  const auto written = Put();
  EXPECT_EQ(CodeOf(written), ErrorCode::kAmbiguous);
  const auto* detail = dynamic_cast<const ConditionFailedDetail*>(written.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->item, (Item{{"pk", "a"}, {"write_id", "w"}}));
}

TEST_F(RequestSenderTest, ATransactionGetsATokenAndIsRepeatedWithIt) {
  transport().PlayError(ErrorCode::kIo);
  transport().Play(200, "{}");
  ASSERT_TRUE(Transact());
  ASSERT_EQ(transport().sent.size(), 2U);
  EXPECT_TRUE(transport().sent[0].body.contains(R"("ClientRequestToken":")"));
  EXPECT_EQ(transport().sent[0].body, transport().sent[1].body);
}

TEST_F(RequestSenderTest, ATransactionCanceledAfterALostAnswerWasNotDone) {
  transport().PlayError(ErrorCode::kIo);
  transport().Play(400, R"({"__type":"x#TransactionCanceledException","Message":"canceled",)"
                        R"("CancellationReasons":[{"Code":"ConditionalCheckFailed"}]})");
  const auto written = Transact();
  EXPECT_EQ(CodeOf(written), ErrorCode::kTransactionCanceled);
  const auto* detail = dynamic_cast<const TransactionCanceledDetail*>(written.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->cancellation_reasons.at(0).code, "ConditionalCheckFailed");
}

TEST_F(RequestSenderTest, ATransactionWhoseAnswersAreAllLostIsAmbiguous) {
  transport().PlayError(ErrorCode::kIo);
  EXPECT_EQ(CodeOf(Transact()), ErrorCode::kAmbiguous);
  EXPECT_EQ(transport().sent.size(), 4U);
}

TEST_F(RequestSenderTest, AmbiguousWritesAreRepeatedOnDemand) {
  options_.repeats_ambiguous_writes = true;
  transport().PlayError(ErrorCode::kIo);
  transport().Play(400, ErrorOfType("ConditionalCheckFailedException"));
  EXPECT_EQ(CodeOf(Update()), ErrorCode::kConditionFailed);
  EXPECT_EQ(transport().sent.size(), 2U);
}

TEST_F(RequestSenderTest, AnAnswerWithAWrongChecksumIsLost) {
  const std::string body = R"({"Item":{"pk":{"S":"a"}}})";
  transport().Play(200, body, {{"x-amz-crc32", std::to_string(Crc32(body) ^ 1U)}});
  transport().Play(200, body, {{"x-amz-crc32", std::to_string(Crc32(body))}});
  EXPECT_TRUE(Get());
  EXPECT_EQ(transport().sent.size(), 2U);
}

TEST_F(RequestSenderTest, AnAnswerThatIsNoJsonIsLost) {
  transport().Play(200, "<html>");
  EXPECT_EQ(CodeOf(Get()), ErrorCode::kIo);
  transport().Forget();
  transport().Play(200, R"({"Item":[]})");
  EXPECT_EQ(CodeOf(Get()), ErrorCode::kIo);
}

TEST_F(RequestSenderTest, AClockThatIsWrongIsCorrected) {
  transport().Play(400, R"({"__type":"com.amazon.coral.service#InvalidSignatureException"})",
                   {{"date", "Sun, 15 Nov 2026 13:00:00 GMT"}});
  transport().Play(200, "{}");
  EXPECT_TRUE(Get());
  EXPECT_TRUE(transport().sent.at(1).Field("x-amz-date").starts_with("20261115T1300"));
}

TEST_F(RequestSenderTest, AWrongSignatureAtTheRightTimeIsNotRepeated) {
  transport().Play(400, R"({"__type":"com.amazon.coral.service#InvalidSignatureException"})",
                   {{"date", "Sun, 15 Nov 2026 12:00:30 GMT"}});
  EXPECT_EQ(CodeOf(Get()), ErrorCode::kInvalidSignature);
  EXPECT_EQ(transport().sent.size(), 1U);
}

TEST_F(RequestSenderTest, LargeBodiesAreCompressedOnDemand) {
  options_.gzip_bytes_min = 1000;
  transport().Play(200, "{}");
  ASSERT_TRUE(Put());
  EXPECT_EQ(transport().sent.back().Field("content-encoding"), "");
  ASSERT_TRUE(client().PutItem(
      {.table_name = "things", .item = {{"pk", "a"}, {"text", std::string(5000, 'x')}}}));
  EXPECT_EQ(transport().sent.back().Field("content-encoding"), "gzip");
  EXPECT_LT(transport().sent.back().body.size(), 200U);
  EXPECT_TRUE(transport().sent.back().body.starts_with("\x1f\x8b"));
}

TEST_F(RequestSenderTest, EachCallIsReported) {
  std::vector<std::string> reports;
  options_.on_call = [&reports](const ClientCall& call) {
    reports.push_back(std::string(call.operation) + " " + std::to_string(call.attempts) + " " +
                      std::string(call.error ? NameOf(*call.error) : "good") + " " +
                      std::string(call.request_id));
  };
  transport().PlayError(ErrorCode::kUnavailable);
  transport().Play(200, "{}", {{"x-amzn-requestid", "R1"}});
  ASSERT_TRUE(Get());
  transport().Play(400, ErrorOfType("ResourceNotFoundException"));
  ASSERT_TRUE(Put());
  ASSERT_FALSE(Put());
  EXPECT_EQ(reports, (std::vector<std::string>{"GetItem 2 good R1", "PutItem 1 good R1",
                                               "PutItem 1 TableNotFound "}));
}

TEST_F(RequestSenderTest, TextThatIsNotUtf8IsNotSent) {
  transport().Play(200, "{}");
  EXPECT_EQ(CodeOf(client().PutItem({.table_name = "things", .item = {{"pk", "\xff"}}})),
            ErrorCode::kValidation);
  EXPECT_TRUE(transport().sent.empty());
}

}  // namespace
}  // namespace stator::client
