// The names of errors on the wire, by example of each of the prefixes and message keys; what some
// errors carry; and that no error tells what it should not.

#include "wire/error_names.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "stator/api/error_details.h"

namespace stator::wire {
namespace {

TEST(ErrorNames, BodiesHaveTheTypeAndTheMessageInTheRightSpelling) {
  EXPECT_EQ(ErrorBody({.code = ErrorCode::kValidation, .message = "no \"key\""}),
            R"({"__type":"com.amazon.coral.validate#ValidationException",)"
            R"("message":"no \"key\""})");
  EXPECT_EQ(ErrorBody({.code = ErrorCode::kAccessDenied, .message = "no"}),
            R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"})");
  EXPECT_EQ(ErrorBody({.code = ErrorCode::kConditionFailed, .message = "no"}),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("message":"no"})");
}

TEST(ErrorNames, AnEmptyMessageIsLeftOut) {
  EXPECT_EQ(ErrorBody({.code = ErrorCode::kUnknownOperation, .message = ""}),
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
}

TEST(ErrorNames, AnswersCarryStatusAndShortName) {
  const Answer answer = AnswerFor({.code = ErrorCode::kUnavailable, .message = "later"});
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.error, "ServiceUnavailableException");
  EXPECT_EQ(AnswerFor({.code = ErrorCode::kIo, .message = "disk"}).status, 500);
}

TEST(ErrorNames, AFailedConditionCarriesTheItemIfItWasWanted) {
  auto detail = std::make_shared<ConditionFailedDetail>();
  const Error error = {ErrorCode::kConditionFailed, "The conditional request failed", detail};
  const std::string start =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
      R"("message":"The conditional request failed")";
  EXPECT_EQ(ErrorBody(error), start + "}");
  detail->item = Item{{"pk", "a"}};
  EXPECT_EQ(ErrorBody(error), start + R"(,"Item":{"pk":{"S":"a"}}})");
}

TEST(ErrorNames, ACanceledTransactionCarriesAReasonForEachAction) {
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->cancellation_reasons = {{},
                                  {.code = "ConditionalCheckFailed",
                                   .message = "The conditional request failed",
                                   .item = Item{{"pk", "a"}}}};
  EXPECT_EQ(ErrorBody({ErrorCode::kTransactionCanceled, "Transaction cancelled", detail}),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
            R"("Message":"Transaction cancelled","CancellationReasons":[{"Code":"None"},)"
            R"({"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}},)"
            R"("Message":"The conditional request failed"}]})");
}

TEST(ErrorNames, FailuresOfTheServerTellNothing) {
  for (const ErrorCode code : {ErrorCode::kInternal, ErrorCode::kIo, ErrorCode::kCorruption,
                               ErrorCode::kTimeout, ErrorCode::kAmbiguous}) {
    const Answer answer = AnswerFor({.code = code, .message = "/var/lib/secret: bad block"});
    EXPECT_EQ(answer.status, 500);
    EXPECT_EQ(answer.error, "InternalServerError");
    EXPECT_EQ(answer.body,
              R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":)"
              R"("The request processing has failed because of an unknown error, exception or )"
              R"(failure."})");
  }
  EXPECT_FALSE(
      ErrorBody({.code = ErrorCode::kUnavailable, .message = "secret"}).contains("secret"));
}

TEST(ErrorNames, ABackupMissesItsTableInOtherWords) {
  const Error missing = {.code = ErrorCode::kTableNotFound, .message = "Table not found: t"};
  EXPECT_EQ(AnswerFor(missing, &api::OperationOf<DescribeContinuousBackupsInput>::kOperation).error,
            "TableNotFoundException");
  EXPECT_EQ(AnswerFor(missing, &api::OperationOf<UpdateContinuousBackupsInput>::kOperation).error,
            "TableNotFoundException");
  EXPECT_EQ(ErrorBody(missing, &api::OperationOf<DescribeContinuousBackupsInput>::kOperation),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TableNotFoundException",)"
            R"("message":"Table not found: t"})");
  EXPECT_EQ(AnswerFor(missing, &api::OperationOf<DescribeTableInput>::kOperation).error,
            "ResourceNotFoundException");
}

TEST(ErrorNames, EveryCodeHasOne) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kAmbiguous); ++code) {
    const ErrorName name = NameOnWire(static_cast<ErrorCode>(code));
    EXPECT_FALSE(name.name.empty());
    EXPECT_TRUE(name.prefix.ends_with('#'));
    EXPECT_TRUE(name.status == 400 || name.status >= 500) << name.name;
    names.insert(name.name);
  }
  EXPECT_TRUE(names.contains("IdempotentParameterMismatchException"));
  EXPECT_TRUE(names.contains("ExpiredIteratorException"));
  EXPECT_EQ(NameOnWire(ErrorCode::kTableNotFound).name,
            NameOnWire(ErrorCode::kResourceNotFound).name);
}

}  // namespace
}  // namespace stator::wire
