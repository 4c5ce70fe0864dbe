// Errors as a client reads them: the names that Stator's server writes, those of AWS's front end,
// and answers of something else altogether.

#include "wire/error_answer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "stator/api/error_details.h"
#include "wire/error_names.h"
#include "wire/exchange.h"

namespace stator::wire {
namespace {

template <class Input = PutItemInput>
Error Read(int status, std::string body, std::string_view type = "") {
  body.reserve(body.size() + kBodyPaddingBytes);
  return ErrorFrom({.status = status,
                    .body = body,
                    .type = type,
                    .operation = &api::OperationOf<Input>::kOperation});
}

TEST(ErrorFrom, UndoesWhatTheServerWrites) {
  for (int value = 0; value < static_cast<int>(ErrorCode::kTimeout); ++value) {
    const auto code = static_cast<ErrorCode>(value);
    if (code == ErrorCode::kResourceNotFound || code == ErrorCode::kTooLarge ||
        code == ErrorCode::kIndexNotFound) {
      continue;  // They have the names of kTableNotFound and kValidation; see below.
    }
    const ErrorName name = NameOnWire(code);
    const Error read = Read(name.status, ErrorBody({.code = code, .message = "words"}));
    EXPECT_EQ(NameOf(read.code), NameOf(code));
    if (name.status < 500) {
      EXPECT_EQ(read.message, "words") << NameOf(code);
    }
  }
}

TEST(ErrorFrom, TellsApartWhatHasTheNameOfABadRequest) {
  const auto code_of = [](std::string message) {
    return Read(400, ErrorBody({.code = ErrorCode::kValidation, .message = std::move(message)}))
        .code;
  };
  EXPECT_EQ(code_of("Item size has exceeded the maximum allowed size"), ErrorCode::kTooLarge);
  EXPECT_EQ(code_of("Item size to update has exceeded the maximum allowed size"),
            ErrorCode::kTooLarge);
  EXPECT_EQ(code_of("The table does not have the specified index: by_x"),
            ErrorCode::kIndexNotFound);
  EXPECT_EQ(code_of("Invalid UpdateExpression: Expression size has exceeded the maximum allowed "
                    "size;"),
            ErrorCode::kValidation);
}

TEST(ErrorFrom, TellsApartWhatIsWrongWithAnActionOfATransaction) {
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->cancellation_reasons = {
      {.code = "ValidationError",
       .message = "Item size to update has exceeded the maximum allowed size"},
      {.code = "ValidationError", .message = "no"}};
  const Error read = Read(
      400, ErrorBody({.code = ErrorCode::kTransactionCanceled, .message = "m", .detail = detail}));
  const auto* const found = FindDetail<TransactionCanceledDetail>(read);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->cancellation_reasons[0].error, ErrorCode::kTooLarge);
  EXPECT_EQ(found->cancellation_reasons[1].error, ErrorCode::kValidation);
}

TEST(ErrorFrom, BringsTheItemOfAFailedCondition) {
  auto detail = std::make_shared<ConditionFailedDetail>();
  detail->item = Item{{"pk", "a"}, {"n", 3}};
  const Error read =
      Read(400, ErrorBody({.code = ErrorCode::kConditionFailed, .message = "m", .detail = detail}));
  const auto* const found = dynamic_cast<const ConditionFailedDetail*>(read.detail.get());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->item, detail->item);
}

TEST(ErrorFrom, BringsTheReasonsOfACanceledTransaction) {
  auto detail = std::make_shared<TransactionCanceledDetail>();
  detail->cancellation_reasons = {
      {}, {.code = "ConditionalCheckFailed", .message = "no", .item = Item{{"pk", "a"}}}};
  const Error read = Read(
      400, ErrorBody({.code = ErrorCode::kTransactionCanceled, .message = "m", .detail = detail}));
  const auto* const found = dynamic_cast<const TransactionCanceledDetail*>(read.detail.get());
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->cancellation_reasons.size(), 2U);
  EXPECT_EQ(found->cancellation_reasons[0].code, "None");
  EXPECT_EQ(found->cancellation_reasons[0].item, std::nullopt);
  EXPECT_EQ(found->cancellation_reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(found->cancellation_reasons[1].message, "no");
  EXPECT_EQ(found->cancellation_reasons[1].item, (Item{{"pk", "a"}}));
}

TEST(ErrorFrom, TellsTablesFromOtherResourcesByTheOperation) {
  const std::string body = R"({"__type":"x#ResourceNotFoundException","message":"gone"})";
  EXPECT_EQ(Read<GetItemInput>(400, body).code, ErrorCode::kTableNotFound);
  EXPECT_EQ(Read<UpdateTableInput>(400, body).code, ErrorCode::kTableNotFound);
  EXPECT_EQ(Read<DescribeContinuousBackupsInput>(400, body).code, ErrorCode::kTableNotFound);
  EXPECT_EQ(Read<DescribeStreamInput>(400, body).code, ErrorCode::kResourceNotFound);
  EXPECT_EQ(Read<TagResourceInput>(400, body).code, ErrorCode::kResourceNotFound);
}

TEST(ErrorFrom, KnowsTheNamesOfAwssFrontEnd) {
  EXPECT_EQ(Read(400, R"({"__type":"Throttling"})").code, ErrorCode::kThrottled);
  EXPECT_EQ(Read(403, R"({"__type":"SignatureDoesNotMatch"})").code, ErrorCode::kInvalidSignature);
  EXPECT_EQ(Read(400, R"({"message":"m"})", "ThrottlingException:http://aws/").code,
            ErrorCode::kThrottled);
}

TEST(ErrorFrom, KeepsTheNameOfAnErrorThatItDoesNotKnow) {
  const Error read = Read(400, R"({"__type":"x#NewException","message":"words"})");
  EXPECT_EQ(read.code, ErrorCode::kValidation);
  EXPECT_EQ(read.message, "NewException: words");
}

TEST(ErrorFrom, GoesByTheStatusWhereNothingElseIsSaid) {
  for (const char* body : {"", "<html>busy</html>", "[]", "{}", R"({"__type":7})"}) {
    EXPECT_EQ(Read(503, body).code, ErrorCode::kUnavailable) << body;
    EXPECT_EQ(Read(502, body).code, ErrorCode::kUnavailable) << body;
    EXPECT_EQ(Read(504, body).code, ErrorCode::kTimeout) << body;
    EXPECT_EQ(Read(500, body).code, ErrorCode::kInternal) << body;
    EXPECT_EQ(Read(429, body).code, ErrorCode::kThrottled) << body;
    EXPECT_EQ(Read(403, body).code, ErrorCode::kAccessDenied) << body;
    EXPECT_EQ(Read(404, body).code, ErrorCode::kValidation) << body;
    EXPECT_EQ(Read(301, body).code, ErrorCode::kInternal) << body;
    EXPECT_TRUE(Read(503, body).message.contains("503")) << body;
  }
}

}  // namespace
}  // namespace stator::wire
