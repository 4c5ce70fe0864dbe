// What cancellation.h promises: reasons in the order of the request, of validation errors only the
// first.

#include "engine/cancellation.h"

#include <gtest/gtest.h>

#include <memory>

namespace stator::engine {
namespace {

const TransactionCanceledDetail& DetailOf(const Error& error) {
  return dynamic_cast<const TransactionCanceledDetail&>(*error.detail);
}

TEST(Cancellation, WithoutReasonsNothingIsCanceled) {
  EXPECT_TRUE(Cancellation(3).ToResult());
}

TEST(Cancellation, ReasonsStandInTheOrderOfTheRequest) {
  Cancellation cancellation(3);
  auto detail = std::make_shared<ConditionFailedDetail>();
  detail->item = Item{{"pk", "a"}};
  cancellation.Add(2, {.code = ErrorCode::kConditionFailed, .message = "no", .detail = detail});
  const Result<void> result = cancellation.ToResult();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTransactionCanceled);
  EXPECT_EQ(result.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "None, ConditionalCheckFailed]");
  const auto& reasons = DetailOf(result.error()).cancellation_reasons;
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_FALSE(reasons[0].message);
  EXPECT_EQ(reasons[2].item, (Item{{"pk", "a"}}));
}

TEST(Cancellation, OnlyTheFirstValidationErrorIsReported) {
  Cancellation cancellation(2);
  cancellation.Add(0, {.code = ErrorCode::kValidation, .message = "first"});
  cancellation.Add(1, {.code = ErrorCode::kValidation, .message = "second"});
  const Result<void> result = cancellation.ToResult();
  ASSERT_FALSE(result);
  const auto& reasons = DetailOf(result.error()).cancellation_reasons;
  EXPECT_EQ(reasons[0].message, "first");
  EXPECT_EQ(reasons[1].code, "None");
}

TEST(Cancellation, OtherErrorsAreNotReasons) {
  EXPECT_FALSE(CancelsTransaction({.code = ErrorCode::kIo, .message = ""}));
  EXPECT_TRUE(CancelsTransaction({.code = ErrorCode::kTransactionConflict, .message = ""}));
}

}  // namespace
}  // namespace stator::engine
