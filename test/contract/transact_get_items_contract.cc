// TransactGetItems.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

class TransactGetItems : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    MakeTable({.name = "others", .keys = "id:N"});
    Put("things", {{"pk", "a"}, {"v", 1}, {"w", 2}});
    Put("others", {{"id", 1}, {"v", 3}});
  }
};

TEST_F(TransactGetItems, ReturnsItemsInTheOrderOfTheRequest) {
  const auto output = Must(db().TransactGetItems(
      {.transact_items = {{.table_name = "others", .key = {{"id", 1}}},
                          {.table_name = "things", .key = {{"pk", "missing"}}},
                          {.table_name = "things", .key = {{"pk", "a"}}}}}));
  ASSERT_EQ(output.responses.size(), 3U);
  EXPECT_EQ(output.responses[0], (Item{{"id", 1}, {"v", 3}}));
  EXPECT_EQ(output.responses[1], std::nullopt);
  EXPECT_EQ(output.responses[2], (Item{{"pk", "a"}, {"v", 1}, {"w", 2}}));
}

TEST_F(TransactGetItems, ProjectsEachItemOnItsOwn) {
  const auto output = Must(db().TransactGetItems(
      {.transact_items = {{.table_name = "things",
                           .key = {{"pk", "a"}},
                           .projection_expression = "#w",
                           .expression_attribute_names = AttributeNames{{"#w", "w"}}},
                          {.table_name = "others", .key = {{"id", 1}}}}}));
  EXPECT_EQ(output.responses.at(0), (Item{{"w", 2}}));
  EXPECT_EQ(output.responses.at(1), (Item{{"id", 1}, {"v", 3}}));
}

TEST_F(TransactGetItems, RefusesOneItemTwice) {
  EXPECT_TRUE(Refused(
      db().TransactGetItems({.transact_items = {{.table_name = "things", .key = {{"pk", "a"}}},
                                                {.table_name = "things", .key = {{"pk", "a"}}}}}),
      "Transaction request cannot include multiple operations on one item"));
}

TEST_F(TransactGetItems, AKeyThatDoesNotFitCancels) {
  const auto canceled =
      db().TransactGetItems({.transact_items = {{.table_name = "things", .key = {{"pk", "a"}}},
                                                {.table_name = "others", .key = {{"id", "1"}}}}});
  EXPECT_TRUE(Fails(canceled, ErrorCode::kTransactionCanceled,
                    "Transaction cancelled, please refer cancellation reasons for specific reasons "
                    "[None, ValidationError]"));
  ASSERT_EQ(ReasonsIn(canceled).size(), 2U);
  EXPECT_EQ(ReasonsIn(canceled)[1].message, "The provided key element does not match the schema");
}

TEST_F(TransactGetItems, AMissingTableFailsTheRequest) {
  EXPECT_TRUE(FailsWith(
      db().TransactGetItems({.transact_items = {{.table_name = "nothing", .key = {{"pk", "a"}}}}}),
      ErrorCode::kTableNotFound));
}

TEST_F(TransactGetItems, TakesAHundredKeysAndNoMore) {
  TransactGetItemsInput input{.transact_items = {}};
  EXPECT_TRUE(FailsWith(db().TransactGetItems(input), ErrorCode::kValidation));
  for (int number = 0; number < 100; ++number) {
    input.transact_items.push_back({.table_name = "others", .key = {{"id", number}}});
  }
  EXPECT_EQ(Must(db().TransactGetItems(input)).responses.size(), 100U);
  input.transact_items.push_back({.table_name = "others", .key = {{"id", 100}}});
  EXPECT_TRUE(FailsWith(db().TransactGetItems(input), ErrorCode::kValidation));
}

TEST_F(TransactGetItems, ReadsNoMoreThanFourMegabytes) {
  TransactGetItemsInput input{.transact_items = {}};
  for (int number = 0; number < 11; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"text", Text(400'000)}});
    input.transact_items.push_back(
        {.table_name = "things", .key = {{"pk", std::to_string(number)}}});
  }
  EXPECT_TRUE(FailsWith(db().TransactGetItems(input), ErrorCode::kValidation));
  input.transact_items.pop_back();
  EXPECT_TRUE(Succeeds(db().TransactGetItems(input)));
}

TEST_F(TransactGetItems, RefusesABadProjection) {
  EXPECT_TRUE(Refused(db().TransactGetItems({.transact_items = {{.table_name = "things",
                                                                 .key = {{"pk", "a"}},
                                                                 .projection_expression = ""}}}),
                      "Invalid ProjectionExpression: The expression can not be empty;"));
}

}  // namespace
}  // namespace stator::contract
