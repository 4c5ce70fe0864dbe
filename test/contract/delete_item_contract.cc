// DeleteItem.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

class DeleteItem : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    Put("things", {{"pk", "a"}, {"n", 1}});
  }
};

TEST_F(DeleteItem, RemovesTheItem) {
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), std::nullopt);
}

TEST_F(DeleteItem, OfNothingSucceeds) {
  const auto output = Must(db().DeleteItem(
      {.table_name = "things", .key = {{"pk", "b"}}, .return_values = ReturnValues::kAllOld}));
  EXPECT_FALSE(output.attributes.has_value());
}

TEST_F(DeleteItem, ReturnsTheOldItemWhenAsked) {
  EXPECT_EQ(Must(db().DeleteItem({.table_name = "things",
                                  .key = {{"pk", "a"}},
                                  .return_values = ReturnValues::kAllOld}))
                .attributes,
            (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(DeleteItem, ReturnsOnlyTheOldItemOrNothing) {
  EXPECT_TRUE(RefusedAtOnce(db().DeleteItem({.table_name = "things",
                                             .key = {{"pk", "a"}},
                                             .return_values = ReturnValues::kUpdatedOld}),
                            "ReturnValues can only be ALL_OLD or NONE"));
}

TEST_F(DeleteItem, DoesNothingWhenItsConditionFails) {
  const auto refused = db().DeleteItem(
      {.table_name = "things",
       .key = {{"pk", "a"}},
       .condition_expression = "n > :one",
       .expression_attribute_values = Map{{":one", 1}},
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  EXPECT_TRUE(Fails(refused, ErrorCode::kConditionFailed, "The conditional request failed"));
  EXPECT_EQ(ItemInError(refused), (Item{{"pk", "a"}, {"n", 1}}));
  EXPECT_TRUE(Get("things", {{"pk", "a"}}).has_value());
}

TEST_F(DeleteItem, OfNothingFailsAConditionOnIt) {
  EXPECT_TRUE(FailsWith(db().DeleteItem({.table_name = "things",
                                         .key = {{"pk", "b"}},
                                         .condition_expression = "attribute_exists(pk)"}),
                        ErrorCode::kConditionFailed));
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = "things",
                                        .key = {{"pk", "b"}},
                                        .condition_expression = "attribute_not_exists(pk)"})));
}

TEST_F(DeleteItem, RefusesKeysThatDoNotFitTheSchema) {
  EXPECT_TRUE(Refused(db().DeleteItem({.table_name = "things", .key = {{"pk", 1}}}),
                      "The provided key element does not match the schema"));
  EXPECT_TRUE(Refused(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"n", 1}}}),
                      "The provided key element does not match the schema"));
}

TEST_F(DeleteItem, SaysWhenThereIsNoTable) {
  EXPECT_TRUE(Fails(db().DeleteItem({.table_name = "others", .key = {{"pk", "a"}}}),
                    ErrorCode::kTableNotFound, "Requested resource not found"));
}

TEST_F(DeleteItem, MakesRoomForANewItem) {
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}}})));
  EXPECT_TRUE(Succeeds(db().PutItem({.table_name = "things",
                                     .item = {{"pk", "a"}, {"m", 2}},
                                     .condition_expression = "attribute_not_exists(pk)"})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"m", 2}}));
}

}  // namespace
}  // namespace stator::contract
