// TransactWriteItems: all or nothing, and why nothing.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;

class TransactWriteItems : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
    MakeTable({.name = "others", .keys = "id:N"});
  }
  [[nodiscard]] Result<TransactWriteItemsOutput> Write(std::vector<TransactWriteItem> actions) {
    return db().TransactWriteItems({.transact_items = std::move(actions)});
  }
  [[nodiscard]] static TransactPut PutOf(const char* pk,
                                         std::optional<std::string> condition = {}) {
    return {.table_name = "things",
            .item = {{"pk", pk}, {"v", 1}},
            .condition_expression = std::move(condition)};
  }
  [[nodiscard]] static std::vector<std::string> Codes(
      const Result<TransactWriteItemsOutput>& result) {
    std::vector<std::string> codes;
    for (const CancellationReason& reason : ReasonsIn(result)) {
      codes.push_back(reason.code);
    }
    return codes;
  }
};

TEST_F(TransactWriteItems, DoesEveryKindOfActionTogether) {
  Put("things", {{"pk", "old"}, {"g", "x"}});
  Put("things", {{"pk", "count"}, {"n", 1}});
  Put("others", {{"id", 1}, {"v", "here"}});
  ASSERT_TRUE(
      Succeeds(Write({PutOf("new"), TransactDelete{.table_name = "things", .key = {{"pk", "old"}}},
                      TransactUpdate{.table_name = "things",
                                     .key = {{"pk", "count"}},
                                     .update_expression = "ADD n :one SET g = :g",
                                     .expression_attribute_values = Map{{":one", 1}, {":g", "y"}}},
                      TransactConditionCheck{.table_name = "others",
                                             .key = {{"id", 1}},
                                             .condition_expression = "attribute_exists(v)"}})));
  EXPECT_EQ(Get("things", {{"pk", "new"}}), (Item{{"pk", "new"}, {"v", 1}}));
  EXPECT_EQ(Get("things", {{"pk", "old"}}), std::nullopt);
  EXPECT_EQ(Get("things", {{"pk", "count"}}), (Item{{"pk", "count"}, {"n", 2}, {"g", "y"}}));
  EXPECT_EQ(Get("others", {{"id", 1}}), (Item{{"id", 1}, {"v", "here"}}));
  EXPECT_EQ(ScanAll({.table_name = "things", .index_name = "by_g"}).size(), 1U);
}

TEST_F(TransactWriteItems, DoesNothingWhenOneConditionFails) {
  Put("things", {{"pk", "b"}});
  const auto canceled = Write({PutOf("a"), PutOf("b", "attribute_not_exists(pk)"), PutOf("c")});
  EXPECT_TRUE(Fails(canceled, ErrorCode::kTransactionCanceled,
                    "Transaction cancelled, please refer cancellation reasons for specific reasons "
                    "[None, ConditionalCheckFailed, None]"));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), std::nullopt);
  EXPECT_EQ(Get("things", {{"pk", "b"}}), (Item{{"pk", "b"}}));
  EXPECT_EQ(Get("things", {{"pk", "c"}}), std::nullopt);
}

TEST_F(TransactWriteItems, GivesTheReasonsInTheOrderOfTheActions) {
  Put("things", {{"pk", "b"}});
  const auto canceled = Write({PutOf("a"), PutOf("b", "attribute_not_exists(pk)")});
  const std::vector<CancellationReason> reasons = ReasonsIn(canceled);
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[0].message, std::nullopt);
  EXPECT_EQ(reasons[0].item, std::nullopt);
  EXPECT_EQ(reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(reasons[1].message, "The conditional request failed");
  EXPECT_EQ(reasons[1].item, std::nullopt);
}

TEST_F(TransactWriteItems, ReportsEveryFailedCondition) {
  Put("things", {{"pk", "a"}});
  Put("things", {{"pk", "c"}});
  const auto canceled = Write(
      {PutOf("a", "attribute_not_exists(pk)"), PutOf("b"), PutOf("c", "attribute_not_exists(pk)")});
  EXPECT_EQ(Codes(canceled),
            (std::vector<std::string>{"ConditionalCheckFailed", "None", "ConditionalCheckFailed"}));
}

TEST_F(TransactWriteItems, ShowsTheItemsThatFailedWhereAsked) {
  Put("things", {{"pk", "a"}, {"v", 7}});
  Put("things", {{"pk", "b"}, {"v", 8}});
  TransactPut asked = PutOf("a", "attribute_not_exists(pk)");
  asked.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld;
  TransactConditionCheck missing{
      .table_name = "others",
      .key = {{"id", 5}},
      .condition_expression = "attribute_exists(id)",
      .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld};
  const auto canceled = Write({asked, PutOf("b", "attribute_not_exists(pk)"), missing});
  const std::vector<CancellationReason> reasons = ReasonsIn(canceled);
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_EQ(reasons[0].item, (Item{{"pk", "a"}, {"v", 7}}));
  EXPECT_EQ(reasons[1].item, std::nullopt);
  EXPECT_EQ(reasons[2].code, "ConditionalCheckFailed");
  EXPECT_EQ(reasons[2].item, std::nullopt);
}

TEST_F(TransactWriteItems, RefusesTwoActionsOnOneItem) {
  EXPECT_TRUE(Refused(
      Write({PutOf("a"), TransactConditionCheck{.table_name = "things",
                                                .key = {{"pk", "a"}},
                                                .condition_expression = "attribute_exists(pk)"}}),
      "Transaction request cannot include multiple operations on one item"));
  EXPECT_THAT(ScanAll({.table_name = "things"}), IsEmpty());
}

TEST_F(TransactWriteItems, ReportsTheFirstValidationErrorOnly) {
  const TransactUpdate wrong{.table_name = "things",
                             .key = {{"pk", "a"}},
                             .update_expression = "SET m.x = :v",
                             .expression_attribute_values = Map{{":v", 1}}};
  TransactUpdate also_wrong = wrong;
  also_wrong.key = {{"pk", "b"}};
  Put("things", {{"pk", "a"}});
  Put("things", {{"pk", "b"}});
  const auto canceled = Write({wrong, also_wrong});
  EXPECT_EQ(Codes(canceled), (std::vector<std::string>{"ValidationError", "None"}));
  EXPECT_EQ(ReasonsIn(canceled).at(0).message,
            "The document path provided in the update expression is invalid for update");
}

TEST_F(TransactWriteItems, AKeyThatDoesNotFitCancels) {
  const auto canceled =
      Write({PutOf("a"), TransactDelete{.table_name = "others", .key = {{"id", "text"}}}});
  EXPECT_EQ(Codes(canceled), (std::vector<std::string>{"None", "ValidationError"}));
  EXPECT_EQ(ReasonsIn(canceled).at(1).message,
            "The provided key element does not match the schema");
}

TEST_F(TransactWriteItems, ABadExpressionIsRefused) {
  EXPECT_TRUE(FailsWith(Write({PutOf("a", "nonsense(")}), ErrorCode::kValidation));
  EXPECT_TRUE(Refused(Write({PutOf("a", "")}),
                      "Invalid ConditionExpression: The expression can not be empty;"));
}

TEST_F(TransactWriteItems, AMissingTableFailsTheRequest) {
  EXPECT_TRUE(
      FailsWith(Write({PutOf("a"), TransactDelete{.table_name = "nothing", .key = {{"id", 1}}}}),
                ErrorCode::kTableNotFound));
}

TEST_F(TransactWriteItems, TakesAHundredActionsAndNoMore) {
  std::vector<TransactWriteItem> actions;
  for (int number = 0; number < 100; ++number) {
    actions.push_back(TransactPut{.table_name = "others", .item = {{"id", number}}});
  }
  EXPECT_TRUE(Succeeds(Write(actions)));
  actions.push_back(TransactPut{.table_name = "others", .item = {{"id", 100}}});
  EXPECT_TRUE(FailsWith(Write(actions), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Write({}), ErrorCode::kValidation));
  EXPECT_EQ(ScanAll({.table_name = "others"}).size(), 100U);
}

TEST_F(TransactWriteItems, ConditionsSeeTheStateBeforeAllActions) {
  const auto canceled =
      Write({PutOf("a"), TransactUpdate{.table_name = "things",
                                        .key = {{"pk", "b"}},
                                        .update_expression = "SET v = :v",
                                        .condition_expression = "attribute_exists(pk)",
                                        .expression_attribute_values = Map{{":v", 1}}}});
  EXPECT_EQ(Codes(canceled), (std::vector<std::string>{"None", "ConditionalCheckFailed"}));
}

TEST_F(TransactWriteItems, OnlyRemovingDoesNotMakeAnItem) {
  ASSERT_TRUE(Succeeds(Write({TransactUpdate{
      .table_name = "things", .key = {{"pk", "a"}}, .update_expression = "REMOVE v"}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), std::nullopt);
}

TEST_F(TransactWriteItems, DeletingNothingSucceeds) {
  EXPECT_TRUE(Succeeds(Write({TransactDelete{.table_name = "things", .key = {{"pk", "a"}}}})));
}

TEST_F(TransactWriteItems, ReportsCollectionMetricsPerTable) {
  MakeTable({.name = "local", .keys = "pk:S | sk:S", .local = {{"by_l", "pk:S | l:S"}}});
  const auto output = Must(db().TransactWriteItems(
      {.transact_items = {TransactPut{.table_name = "local", .item = {{"pk", "a"}, {"sk", "1"}}},
                          PutOf("a")},
       .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize}));
  ASSERT_EQ(output.item_collection_metrics.size(), 1U);
  EXPECT_EQ(output.item_collection_metrics.at("local").at(0).item_collection_key,
            (Item{{"pk", "a"}}));
}

}  // namespace
}  // namespace stator::contract
