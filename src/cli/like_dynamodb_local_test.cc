// What like_dynamodb_local.h promises, on a database in memory. Its words are those that DynamoDB
// Local 3.3 gives.

#include "cli/like_dynamodb_local.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "stator/api/error_details.h"

namespace stator::cli {
namespace {

class LikeDynamoDbLocalTest : public testing::Test {
 protected:
  LikeDynamoDbLocalTest() {
    engine::EngineOptions options;
    options.store.in_memory = true;
    engine_ = engine::Engine::Open(options).value();
    database_ = std::make_unique<LikeDynamoDbLocal>(*engine_);
    EXPECT_TRUE(db().CreateTable(Input()).has_value());
  }

  // With a definition that no key uses.
  static CreateTableInput Input() {
    return {.table_name = "things",
            .attribute_definitions = {{"pk", ScalarAttributeType::kString},
                                      {"unused", ScalarAttributeType::kNumber}},
            .key_schema = {{"pk", KeyType::kHash}},
            .billing_mode = BillingMode::kPayPerRequest};
  }
  Database& db() { return *database_; }
  Database& engine() { return *engine_; }

  template <class T>
  static std::string Refusal(const Result<T>& result) {
    return result ? "none" : result.error().message;
  }
  // The reasons of a transaction whose check and put both fail.
  static std::vector<std::string> Reasons(const Result<TransactWriteItemsOutput>& result) {
    std::vector<std::string> messages;
    const auto* const detail =
        result ? nullptr : FindDetail<TransactionCanceledDetail>(result.error());
    if (detail != nullptr) {
      for (const CancellationReason& reason : detail->cancellation_reasons) {
        messages.push_back(reason.message.value_or(""));
      }
    }
    return messages;
  }

 private:
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<LikeDynamoDbLocal> database_;
};

TEST_F(LikeDynamoDbLocalTest, UnusedDefinitionsArePassedOver) {
  const auto table = db().DescribeTable({.table_name = "things"}).value().table;
  ASSERT_TRUE(table.attribute_definitions);
  EXPECT_EQ(table.attribute_definitions->size(), 1U);
  CreateTableInput other = Input();
  other.table_name = "others";
  EXPECT_FALSE(engine().CreateTable(other).has_value());
}

TEST_F(LikeDynamoDbLocalTest, LimitsAndNamesAreRefusedInItsWords) {
  const std::string limit = "Limit must be greater than or equal to 1";
  const std::string names = "Cannot have two attributes with the same name";
  const auto twice = std::vector<std::string>{"a", "a"};
  EXPECT_EQ(Refusal(db().Scan({.table_name = "things", .limit = 0})), limit);
  EXPECT_EQ(Refusal(db().ListTables({.limit = -1})), limit);
  EXPECT_EQ(Refusal(db().Query({.table_name = "things",
                                .key_condition_expression = "pk = :p",
                                .expression_attribute_values = Map{{":p", "a"}},
                                .limit = 0})),
            limit);
  EXPECT_EQ(Refusal(db().Scan({.table_name = "things", .attributes_to_get = twice})), names);
  EXPECT_EQ(Refusal(db().GetItem(
                {.table_name = "things", .key = {{"pk", "a"}}, .attributes_to_get = twice})),
            names);
  CreateTableInput table = Input();
  table.table_name = "others";
  table.attribute_definitions.push_back(table.attribute_definitions.front());
  EXPECT_EQ(Refusal(db().CreateTable(table)), names);
  EXPECT_EQ(Refusal(db().Scan({.table_name = "things", .limit = 1})), "none");
}

TEST_F(LikeDynamoDbLocalTest, AFailedCheckHasAFullStop) {
  ASSERT_TRUE(db().PutItem({.table_name = "things", .item = {{"pk", "a"}}}).has_value());
  const TransactWriteItemsInput input{
      .transact_items = {TransactConditionCheck{.table_name = "things",
                                                .key = {{"pk", "b"}},
                                                .condition_expression = "attribute_exists(pk)"},
                         TransactPut{.table_name = "things",
                                     .item = {{"pk", "a"}},
                                     .condition_expression = "attribute_not_exists(pk)"}}};
  const std::vector<std::string> expected = {"The conditional request failed.",
                                             "The conditional request failed"};
  EXPECT_EQ(Reasons(db().TransactWriteItems(input)), expected);
  std::optional<Result<TransactWriteItemsOutput>> outcome;
  db().StartTransactWriteItems(
      input, [&](Result<TransactWriteItemsOutput> result) { outcome = std::move(result); });
  ASSERT_TRUE(outcome);  // nothing was written, so nothing had to be waited for
  EXPECT_EQ(Reasons(*outcome), expected);
}

}  // namespace
}  // namespace stator::cli
