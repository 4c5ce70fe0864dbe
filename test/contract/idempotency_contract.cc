// The token of TransactWriteItems: for ten minutes the same request has no further effect.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class Idempotency : public TimedContractTest {
 protected:
  void SetUp() override {
    TimedContractTest::SetUp();
    if (!IsSkipped()) {
      MakeTable({.name = "things", .keys = "pk:S"});
    }
  }

  [[nodiscard]] static TransactWriteItemsInput Count(const std::string& token, int by = 1) {
    return {.transact_items = {TransactUpdate{.table_name = "things",
                                              .key = {{"pk", "count"}},
                                              .update_expression = "ADD n :by",
                                              .expression_attribute_values = Map{{":by", by}}}},
            .client_request_token = token};
  }
  [[nodiscard]] AttributeValue Total() {
    const std::optional<Item> item = Get("things", {{"pk", "count"}});
    return item ? item->at("n") : AttributeValue(0);
  }
};

TEST_F(Idempotency, TheSameRequestIsDoneOnce) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_EQ(Total(), AttributeValue(1));
}

TEST_F(Idempotency, AnotherTokenIsAnotherRequest) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("Token"))));
  EXPECT_EQ(Total(), AttributeValue(2));
}

TEST_F(Idempotency, WithoutATokenEveryRequestIsDone) {
  TransactWriteItemsInput input = Count("unused");
  input.client_request_token.reset();
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_EQ(Total(), AttributeValue(2));
}

TEST_F(Idempotency, AnotherRequestUnderTheSameTokenIsRefused) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(Count("token", 2)),
                        ErrorCode::kIdempotentParameterMismatch));
  TransactWriteItemsInput other_table = Count("token");
  std::get<TransactUpdate>(other_table.transact_items[0]).key = {{"pk", "other"}};
  EXPECT_TRUE(
      FailsWith(db().TransactWriteItems(other_table), ErrorCode::kIdempotentParameterMismatch));
  EXPECT_EQ(Total(), AttributeValue(1));
}

TEST_F(Idempotency, WhatIsAskedAboutCapacityDoesNotMatter) {
  TransactWriteItemsInput input = Count("token");
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_EQ(Total(), AttributeValue(1));
}

TEST_F(Idempotency, ARepeatedRequestCostsReads) {
  TransactWriteItemsInput input = Count("token");
  input.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  const auto first = Must(db().TransactWriteItems(input));
  ASSERT_EQ(first.consumed_capacity.size(), 1U);
  EXPECT_EQ(first.consumed_capacity[0].write_capacity_units, 2);
  EXPECT_EQ(first.consumed_capacity[0].read_capacity_units, std::nullopt);
  const auto second = Must(db().TransactWriteItems(input));
  ASSERT_EQ(second.consumed_capacity.size(), 1U);
  EXPECT_EQ(second.consumed_capacity[0].read_capacity_units, 2);
  EXPECT_EQ(second.consumed_capacity[0].write_capacity_units, std::nullopt);
}

TEST_F(Idempotency, AFailedRequestMayBeRepeated) {
  TransactWriteItemsInput input = Count("token");
  std::get<TransactUpdate>(input.transact_items[0]).condition_expression = "attribute_exists(pk)";
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(input), ErrorCode::kTransactionCanceled));
  Put("things", {{"pk", "count"}, {"n", 0}});
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_EQ(Total(), AttributeValue(1));
}

TEST_F(Idempotency, ARepeatedRequestSucceedsThoughItsConditionFailsByNow) {
  const TransactWriteItemsInput input{
      .transact_items = {TransactPut{.table_name = "things",
                                     .item = {{"pk", "a"}},
                                     .condition_expression = "attribute_not_exists(pk)"}},
      .client_request_token = "token"};
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
}

TEST_F(Idempotency, LastsTenMinutes) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  home().Advance(std::chrono::minutes(10) - std::chrono::seconds(1));
  home().Housekeep();
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_EQ(Total(), AttributeValue(1));
  home().Advance(std::chrono::seconds(2));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token", 5))));
  EXPECT_EQ(Total(), AttributeValue(6));
}

TEST_F(Idempotency, ATokenThatIsUsedAgainLastsTenMinutesMore) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  home().Advance(std::chrono::minutes(11));
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  home().Housekeep();
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count("token"))));
  EXPECT_EQ(Total(), AttributeValue(2));
}

TEST_F(Idempotency, TokensHaveOneToThirtySixCharacters) {
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(Count(Text(36)))));
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(Count(Text(37))), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(Count("")), ErrorCode::kValidation));
}

using IdempotencyAcrossReopening = ReopeningContractTest;

TEST_F(IdempotencyAcrossReopening, TheSameRequestIsDoneOnce) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const TransactWriteItemsInput input{
      .transact_items = {TransactUpdate{.table_name = "things",
                                        .key = {{"pk", "count"}},
                                        .update_expression = "ADD n :one",
                                        .expression_attribute_values = Map{{":one", 1}}}},
      .client_request_token = "token"};
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  home().Reopen();
  EXPECT_TRUE(Succeeds(db().TransactWriteItems(input)));
  EXPECT_EQ(Get("things", {{"pk", "count"}}), (Item{{"pk", "count"}, {"n", 1}}));
  TransactWriteItemsInput other = input;
  std::get<TransactUpdate>(other.transact_items[0]).expression_attribute_values = Map{{":one", 2}};
  EXPECT_TRUE(FailsWith(db().TransactWriteItems(other), ErrorCode::kIdempotentParameterMismatch));
}

}  // namespace
}  // namespace stator::contract
