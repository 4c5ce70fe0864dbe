// UpdateItem: what ReturnValues shows.

#include "contract/update_item_test.h"

namespace stator::contract {
namespace {

class UpdateItemReturns : public UpdateItemTest {
 protected:
  [[nodiscard]] std::optional<Item> Shown(ReturnValues wanted, const std::string& expression,
                                          std::optional<Map> values = std::nullopt) {
    return Must(Update(expression, std::move(values), wanted)).attributes;
  }
};

TEST_F(UpdateItemReturns, NothingUnlessAsked) {
  EXPECT_EQ(Shown(ReturnValues::kNone, "SET n = :n", Map{{":n", 1}}), std::nullopt);
}

TEST_F(UpdateItemReturns, AllOldIsTheItemBefore) {
  EXPECT_EQ(Shown(ReturnValues::kAllOld, "SET n = :n", Map{{":n", 1}}), std::nullopt);
  EXPECT_EQ(Shown(ReturnValues::kAllOld, "SET m = :n", Map{{":n", 2}}),
            (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(UpdateItemReturns, AllNewIsTheItemAfterwards) {
  EXPECT_EQ(Shown(ReturnValues::kAllNew, "SET n = :n", Map{{":n", 1}}),
            (Item{{"pk", "a"}, {"n", 1}}));
  EXPECT_EQ(Shown(ReturnValues::kAllNew, "REMOVE n"), (Item{{"pk", "a"}}));
}

TEST_F(UpdateItemReturns, AllNewOfAnUpdateThatMakesNothingIsNothing) {
  EXPECT_EQ(Shown(ReturnValues::kAllNew, "REMOVE n"), std::nullopt);
}

TEST_F(UpdateItemReturns, AllNewWithoutAnExpressionIsTheItem) {
  EXPECT_EQ(Must(db().UpdateItem({.table_name = "things",
                                  .key = {{"pk", "a"}},
                                  .return_values = ReturnValues::kAllNew}))
                .attributes,
            (Item{{"pk", "a"}}));
}

TEST_F(UpdateItemReturns, UpdatedOldIsWhatWasThereAtThePaths) {
  Set({{"n", 1}, {"m", 2}});
  EXPECT_EQ(Shown(ReturnValues::kUpdatedOld, "SET n = :v, x = :v", Map{{":v", 9}}),
            (Item{{"n", 1}}));
}

TEST_F(UpdateItemReturns, UpdatedNewIsWhatIsThereAtThePaths) {
  Set({{"n", 1}, {"m", 2}});
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "SET n = :v REMOVE m", Map{{":v", 9}}),
            (Item{{"n", 9}}));
}

TEST_F(UpdateItemReturns, NothingToShowIsNoAttributesAtAll) {
  EXPECT_EQ(Shown(ReturnValues::kUpdatedOld, "SET n = :v", Map{{":v", 1}}), std::nullopt);
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "REMOVE n"), std::nullopt);
  EXPECT_EQ(Shown(ReturnValues::kUpdatedOld, "REMOVE nothing"), std::nullopt);
}

TEST_F(UpdateItemReturns, OnlyTheChangedLeafOfADocument) {
  Set({{"a", Map{{"b", 1}, {"c", List{10, 11, 12}}}}});
  EXPECT_EQ(Shown(ReturnValues::kUpdatedOld, "SET a.c[1] = :v", Map{{":v", "new"}}),
            (Item{{"a", Map{{"c", List{11}}}}}));
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "SET a.c[1] = :v", Map{{":v", "newer"}}),
            (Item{{"a", Map{{"c", List{"newer"}}}}}));
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "SET a.b = :v", Map{{":v", 2}}),
            (Item{{"a", Map{{"b", 2}}}}));
}

TEST_F(UpdateItemReturns, AnAppendedElementIsNotShown) {
  Set({{"l", List{0}}});
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "SET l[5] = :v", Map{{":v", 1}}), std::nullopt);
}

TEST_F(UpdateItemReturns, SumsAndSetsAsTheyBecome) {
  Set({{"n", 1}, {"s", StringSet{"a"}}});
  EXPECT_EQ(
      Shown(ReturnValues::kUpdatedNew, "ADD n :n, s :s", Map{{":n", 1}, {":s", StringSet{"b"}}}),
      (Item{{"n", 2}, {"s", StringSet{"a", "b"}}}));
  EXPECT_EQ(Shown(ReturnValues::kUpdatedOld, "DELETE s :s", Map{{":s", StringSet{"b"}}}),
            (Item{{"s", StringSet{"a", "b"}}}));
}

TEST_F(UpdateItemReturns, UpdatedValuesOfAnUpdateWithoutExpressionAreNone) {
  Set({{"n", 1}});
  EXPECT_EQ(Must(db().UpdateItem({.table_name = "things",
                                  .key = {{"pk", "a"}},
                                  .return_values = ReturnValues::kUpdatedNew}))
                .attributes,
            std::nullopt);
}

TEST_F(UpdateItemReturns, WhatDidNotChangeIsShownToo) {
  Set({{"n", 1}});
  EXPECT_EQ(Shown(ReturnValues::kUpdatedNew, "SET n = :v", Map{{":v", 1}}), (Item{{"n", 1}}));
}

}  // namespace
}  // namespace stator::contract
