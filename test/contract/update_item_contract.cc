// UpdateItem: what each clause of an update expression does, and when an item is made.

#include "contract/enveloped.h"
#include "contract/update_item_test.h"

namespace stator::contract {
namespace {

using UpdateItem = UpdateItemTest;

const char* const kBadPath =
    "The document path provided in the update expression is invalid for update";

TEST_F(UpdateItem, MakesAnItemOutOfItsKeyWhenThereIsNothingToDo) {
  ASSERT_TRUE(Succeeds(db().UpdateItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_EQ(Rest(), Item{});
}

TEST_F(UpdateItem, SetMakesTheItem) {
  ASSERT_TRUE(Succeeds(Update("SET n = :n", Map{{":n", 1}})));
  EXPECT_EQ(Rest(), (Item{{"n", 1}}));
}

TEST_F(UpdateItem, AddMakesTheItem) {
  ASSERT_TRUE(Succeeds(Update("ADD n :n, s :s", Map{{":n", 5}, {":s", StringSet{"x"}}})));
  EXPECT_EQ(Rest(), (Item{{"n", 5}, {"s", StringSet{"x"}}}));
}

TEST_F(UpdateItem, OnlyRemovingDoesNotMakeTheItem) {
  ASSERT_TRUE(Succeeds(Update("REMOVE n")));
  EXPECT_EQ(Rest(), std::nullopt);
  ASSERT_TRUE(Succeeds(Update("DELETE s :s", Map{{":s", StringSet{"x"}}})));
  EXPECT_EQ(Rest(), std::nullopt);
  ASSERT_TRUE(Succeeds(Update("REMOVE x.y")));
  EXPECT_EQ(Rest(), std::nullopt);
}

TEST_F(UpdateItem, RemovingInsideWhatIsNotThereIsRefused) {
  Set({{"n", 1}});
  EXPECT_TRUE(Refused(Update("REMOVE x.y"), kBadPath));
  EXPECT_TRUE(Succeeds(Update("REMOVE x")));
}

TEST_F(UpdateItem, SetCopiesAttributesAsTheyWere) {
  Set({{"x", 1}, {"y", 2}});
  ASSERT_TRUE(Succeeds(Update("SET x = y, y = x, z = x")));
  EXPECT_EQ(Rest(), (Item{{"x", 2}, {"y", 1}, {"z", 1}}));
}

TEST_F(UpdateItem, SetAddsAndSubtracts) {
  Set({{"n", 10}});
  ASSERT_TRUE(Succeeds(Update("SET n = n + :two, m = :two - n", Map{{":two", 2}})));
  EXPECT_EQ(Rest(), (Item{{"m", -8}, {"n", 12}}));
}

TEST_F(UpdateItem, ArithmeticNeedsNumbers) {
  Set({{"s", "text"}});
  EXPECT_TRUE(Refused(Update("SET s = s + :one", Map{{":one", 1}}),
                      "An operand in the update expression has an incorrect data type"));
  EXPECT_TRUE(FailsWith(Update("SET s = :s + :one", Map{{":one", 1}, {":s", "x"}}),
                        ErrorCode::kValidation));
}

TEST_F(UpdateItem, SetFromWhatIsNotThereIsRefused) {
  Set({});
  EXPECT_TRUE(
      Refused(Update("SET n = m"),
              "The provided expression refers to an attribute that does not exist in the item"));
}

TEST_F(UpdateItem, IfNotExistsChoosesTheDefault) {
  ASSERT_TRUE(
      Succeeds(Update("SET n = if_not_exists(n, :zero) + :one", Map{{":zero", 0}, {":one", 1}})));
  ASSERT_TRUE(
      Succeeds(Update("SET n = if_not_exists(n, :zero) + :one", Map{{":zero", 0}, {":one", 1}})));
  EXPECT_EQ(Rest(), (Item{{"n", 2}}));
}

TEST_F(UpdateItem, ListAppendJoinsInEitherOrder) {
  Set({{"l", List{2}}});
  ASSERT_TRUE(Succeeds(Update("SET l = list_append(l, :l)", Map{{":l", List{3}}})));
  ASSERT_TRUE(Succeeds(Update("SET l = list_append(:l, l)", Map{{":l", List{1}}})));
  EXPECT_EQ(Rest(), (Item{{"l", List{1, 2, 3}}}));
}

TEST_F(UpdateItem, SetsInsideDocuments) {
  Set({{"m", Map{{"x", 1}}}, {"l", List{1, 2}}});
  ASSERT_TRUE(Succeeds(Update("SET m.y = :v, l[0] = :v", Map{{":v", "new"}})));
  EXPECT_EQ(Rest(), (Item{{"m", Map{{"x", 1}, {"y", "new"}}}, {"l", List{"new", 2}}}));
}

TEST_F(UpdateItem, SettingInsideWhatIsNotThereIsRefused) {
  Set({{"n", 1}});
  EXPECT_TRUE(Refused(Update("SET m.x = :v", Map{{":v", 1}}), kBadPath));
  EXPECT_TRUE(Refused(Update("SET n.x = :v", Map{{":v", 1}}), kBadPath));
  EXPECT_TRUE(Refused(Update("SET n[0] = :v", Map{{":v", 1}}), kBadPath));
}

TEST_F(UpdateItem, AnIndexPastTheEndAppends) {
  Set({{"l", List{0, 1}}});
  ASSERT_TRUE(Succeeds(Update("SET l[9] = :v, l[5] = :w", Map{{":v", "nine"}, {":w", "five"}})));
  EXPECT_EQ(Rest(), (Item{{"l", List{0, 1, "five", "nine"}}}));
}

TEST_F(UpdateItem, IndexesMeanTheOriginalList) {
  Set({{"l", List{0, 1, 2, 3}}});
  ASSERT_TRUE(Succeeds(Update("REMOVE l[0], l[2] SET l[3] = :v", Map{{":v", "three"}})));
  EXPECT_EQ(Rest(), (Item{{"l", List{1, "three"}}}));
}

TEST_F(UpdateItem, RemovingPastTheEndDoesNothing) {
  Set({{"l", List{0}}});
  ASSERT_TRUE(Succeeds(Update("REMOVE l[5]")));
  EXPECT_EQ(Rest(), (Item{{"l", List{0}}}));
}

TEST_F(UpdateItem, AddCountsAndJoinsSets) {
  Set({{"n", 1}, {"s", StringSet{"a"}}});
  ASSERT_TRUE(
      Succeeds(Update("ADD n :n, s :s", Map{{":n", N("-1.5")}, {":s", StringSet{"a", "b"}}})));
  EXPECT_EQ(Rest(), (Item{{"n", N("-0.5")}, {"s", StringSet{"a", "b"}}}));
}

TEST_F(UpdateItem, AddNeedsTheTypeThatIsThere) {
  Set({{"n", "text"}, {"s", NumberSet{1}}});
  EXPECT_TRUE(Refused(Update("ADD n :n", Map{{":n", 1}}),
                      "An operand in the update expression has an incorrect data type"));
  EXPECT_TRUE(Refused(Update("ADD s :s", Map{{":s", StringSet{"a"}}}),
                      "An operand in the update expression has an incorrect data type"));
}

TEST_F(UpdateItem, DeleteTakesMembersAndThenTheSet) {
  Set({{"s", StringSet{"a", "b", "c"}}});
  ASSERT_TRUE(Succeeds(Update("DELETE s :s", Map{{":s", StringSet{"a", "x"}}})));
  EXPECT_EQ(Rest(), (Item{{"s", StringSet{"b", "c"}}}));
  ASSERT_TRUE(Succeeds(Update("DELETE s :s", Map{{":s", StringSet{"b", "c"}}})));
  EXPECT_EQ(Rest(), Item{});
}

TEST_F(UpdateItem, AllClausesSeeTheItemAsItWas) {
  Set({{"x", 1}, {"y", 2}, {"s", NumberSet{1, 2}}});
  ASSERT_TRUE(Succeeds(
      Update("SET z = x REMOVE x ADD y :one DELETE s :s", Map{{":one", 1}, {":s", NumberSet{1}}})));
  EXPECT_EQ(Rest(), (Item{{"y", 3}, {"z", 1}, {"s", NumberSet{2}}}));
}

TEST_F(UpdateItem, RefusesToChangeAKey) {
  EXPECT_TRUE(Refused(Update("SET pk = :v", Map{{":v", "b"}}),
                      "One or more parameter values were invalid: Cannot update attribute pk. This "
                      "attribute is part of the key"));
  EXPECT_TRUE(Refused(Update("REMOVE pk"),
                      "One or more parameter values were invalid: Cannot update attribute pk. This "
                      "attribute is part of the key"));
}

TEST_F(UpdateItem, RefusesOverlappingAndConflictingPaths) {
  EXPECT_TRUE(
      RefusedAtOnce(Update("SET m.x = :v REMOVE m", Map{{":v", 1}}),
                    "Invalid UpdateExpression: Two document paths overlap with each other; must "
                    "remove or rewrite one of these paths; path one: [m, x], path two: [m]"));
  EXPECT_TRUE(
      RefusedAtOnce(Update("SET m.x = :v, m[0] = :v", Map{{":v", 1}}),
                    "Invalid UpdateExpression: Two document paths conflict with each other; must "
                    "remove or rewrite one of these paths; path one: [m, x], path two: [m, [0]]"));
}

TEST_F(UpdateItem, RefusesAClauseTwice) {
  EXPECT_TRUE(
      RefusedAtOnce(Update("SET x = :v SET y = :v", Map{{":v", 1}}),
                    "Invalid UpdateExpression: The \"SET\" section can only be used once in an "
                    "update expression;"));
}

TEST_F(UpdateItem, DoesNothingWhenItsConditionFails) {
  Set({{"n", 1}});
  const auto refused = db().UpdateItem(
      {.table_name = "things",
       .key = {{"pk", "a"}},
       .update_expression = "SET n = :two",
       .condition_expression = "n = :two",
       .expression_attribute_values = Map{{":two", 2}},
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  EXPECT_TRUE(Fails(refused, ErrorCode::kConditionFailed, "The conditional request failed"));
  EXPECT_EQ(ItemInError(refused), (Item{{"pk", "a"}, {"n", 1}}));
  EXPECT_EQ(Rest(), (Item{{"n", 1}}));
}

TEST_F(UpdateItem, AFailedConditionMakesNoItem) {
  EXPECT_TRUE(FailsWith(db().UpdateItem({.table_name = "things",
                                         .key = {{"pk", "a"}},
                                         .update_expression = "SET n = :one",
                                         .condition_expression = "attribute_exists(pk)",
                                         .expression_attribute_values = Map{{":one", 1}}}),
                        ErrorCode::kConditionFailed));
  EXPECT_EQ(Rest(), std::nullopt);
}

TEST_F(UpdateItem, RefusesKeysThatDoNotFitTheSchema) {
  EXPECT_TRUE(Refused(db().UpdateItem({.table_name = "things", .key = {{"pk", 1}}}),
                      "The provided key element does not match the schema"));
}

TEST_F(UpdateItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().UpdateItem({.table_name = "others", .key = {{"pk", "a"}}}),
                    ErrorCode::kTableNotFound, "Requested resource not found"));
}

TEST_F(UpdateItem, MayStoreEmptyTextAndBinary) {
  ASSERT_TRUE(Succeeds(Update("SET s = :s, b = :b", Map{{":s", ""}, {":b", Binary{""}}})));
  EXPECT_EQ(Rest(), (Item{{"s", ""}, {"b", Binary{""}}}));
}

}  // namespace
}  // namespace stator::contract
