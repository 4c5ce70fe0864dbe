// The parameters of before 2014 in writes: Expected, ConditionalOperator, AttributeUpdates.

#include "contract/contract_test.h"
#include "contract/enveloped.h"

namespace stator::contract {
namespace {

class LegacyWrites : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    Put("things", {{"pk", "a"}, {"n", 5}, {"s", "text"}, {"set", StringSet{"x", "y"}}});
  }

  [[nodiscard]] Result<PutItemOutput> PutIf(
      ExpectedAttributes expected, std::optional<ConditionalOperator> join = std::nullopt) {
    return db().PutItem({.table_name = "things",
                         .item = {{"pk", "a"}, {"n", 5}, {"s", "text"}},
                         .expected = std::move(expected),
                         .conditional_operator = join});
  }
  [[nodiscard]] bool Holds(ComparisonOperator comparison, std::vector<AttributeValue> values,
                           const char* attribute = "n") {
    const auto result =
        PutIf({{attribute,
                {.comparison_operator = comparison, .attribute_value_list = std::move(values)}}});
    if (!result && result.error().code != ErrorCode::kConditionFailed) {
      ADD_FAILURE() << result.error().message;
    }
    return result.has_value();
  }
  [[nodiscard]] Result<UpdateItemOutput> Update(AttributeUpdates updates) {
    return db().UpdateItem(
        {.table_name = "things", .key = {{"pk", "a"}}, .attribute_updates = std::move(updates)});
  }
};

TEST_F(LegacyWrites, ExpectAValue) {
  EXPECT_TRUE(Succeeds(PutIf({{"n", {.value = 5}}})));
  EXPECT_TRUE(FailsWith(PutIf({{"n", {.value = 6}}}), ErrorCode::kConditionFailed));
  EXPECT_TRUE(FailsWith(PutIf({{"missing", {.value = 6}}}), ErrorCode::kConditionFailed));
}

TEST_F(LegacyWrites, ExpectThatNothingIsThere) {
  EXPECT_TRUE(Succeeds(PutIf({{"missing", {.exists = false}}})));
  EXPECT_TRUE(FailsWith(PutIf({{"n", {.exists = false}}}), ErrorCode::kConditionFailed));
}

TEST_F(LegacyWrites, ExpectByComparison) {
  EXPECT_TRUE(Holds(ComparisonOperator::kEq, {5}));
  EXPECT_FALSE(Holds(ComparisonOperator::kNe, {5}));
  EXPECT_TRUE(Holds(ComparisonOperator::kLt, {6}));
  EXPECT_TRUE(Holds(ComparisonOperator::kGe, {5}));
  EXPECT_TRUE(Holds(ComparisonOperator::kBetween, {4, 6}));
  EXPECT_TRUE(Holds(ComparisonOperator::kIn, {4, 5}));
  EXPECT_TRUE(Holds(ComparisonOperator::kBeginsWith, {"te"}, "s"));
  EXPECT_TRUE(Holds(ComparisonOperator::kContains, {"ex"}, "s"));
  EXPECT_FALSE(Holds(ComparisonOperator::kNotContains, {"ex"}, "s"));
  EXPECT_TRUE(Succeeds(PutIf({{"n", {.comparison_operator = ComparisonOperator::kNotNull}}})));
  EXPECT_TRUE(Succeeds(PutIf({{"missing", {.comparison_operator = ComparisonOperator::kNull}}})));
}

TEST_F(LegacyWrites, JoinByAndUnlessByOr) {
  const ExpectedAttributes one_of_two = {{"n", {.value = 5}}, {"s", {.value = "other"}}};
  EXPECT_TRUE(FailsWith(PutIf(one_of_two), ErrorCode::kConditionFailed));
  EXPECT_TRUE(FailsWith(PutIf(one_of_two, ConditionalOperator::kAnd), ErrorCode::kConditionFailed));
  EXPECT_TRUE(Succeeds(PutIf(one_of_two, ConditionalOperator::kOr)));
}

TEST_F(LegacyWrites, AnOperatorNeedsSomethingToJoin) {
  const char* const message = "ConditionalOperator cannot be used without Filter or Expected";
  EXPECT_TRUE(RefusedAtOnce(PutIf({}, ConditionalOperator::kOr), message));
  EXPECT_TRUE(RefusedAtOnce(db().PutItem({.table_name = "things",
                                          .item = {{"pk", "a"}},
                                          .conditional_operator = ConditionalOperator::kAnd}),
                            message));
}

TEST_F(LegacyWrites, AnOperatorNeedsTwoToJoin) {
  EXPECT_TRUE(RefusedAtOnce(
      PutIf({{"n", {.value = 5}}}, ConditionalOperator::kAnd),
      "ConditionalOperator can only be used when Filter or Expected has two or more elements"));
}

TEST_F(LegacyWrites, RefuseAnAttributeWithoutAName) {
  EXPECT_TRUE(RefusedAtOnce(PutIf({{"", {.exists = false}}}), "Empty attribute name"));
  EXPECT_TRUE(RefusedAtOnce(
      db().UpdateItem(
          {.table_name = "things",
           .key = {{"pk", "a"}},
           .attribute_updates = AttributeUpdates{{"", {.action = AttributeAction::kDelete}}}}),
      "Empty attribute name"));
}

TEST_F(LegacyWrites, RefuseExpectationsThatContradictThemselves) {
  const std::string start = "One or more parameter values were invalid: ";
  EXPECT_TRUE(RefusedAtOnce(PutIf({{"n", {}}}),
                            start + "Value must be provided when Exists is null for Attribute: n"));
  EXPECT_TRUE(RefusedAtOnce(PutIf({{"n", {.exists = true}}}),
                            start + "Value must be provided when Exists is true for Attribute: n"));
  EXPECT_TRUE(RefusedAtOnce(PutIf({{"n", {.value = 1, .exists = false}}}),
                            start + "Value cannot be used when Exists is false for Attribute: n"));
  EXPECT_TRUE(RefusedAtOnce(
      PutIf({{"n", {.exists = true, .comparison_operator = ComparisonOperator::kEq}}}),
      start + "Exists and ComparisonOperator cannot be used together for Attribute: n"));
  EXPECT_TRUE(
      RefusedAtOnce(PutIf({{"n",
                            {.comparison_operator = ComparisonOperator::kBetween,
                             .attribute_value_list = std::vector<AttributeValue>{1}}}}),
                    start + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"));
}

TEST_F(LegacyWrites, RefuseToStandBesideExpressions) {
  EXPECT_TRUE(RefusedAtOnce(db().PutItem({.table_name = "things",
                                          .item = {{"pk", "a"}},
                                          .condition_expression = "attribute_exists(pk)",
                                          .expected = ExpectedAttributes{{"n", {.value = 5}}}}),
                            "Can not use both expression and non-expression parameters in the same "
                            "request: Non-expression parameters: {Expected} Expression parameters: "
                            "{ConditionExpression}"));
  EXPECT_TRUE(RefusedAtOnce(
      db().UpdateItem({.table_name = "things",
                       .key = {{"pk", "a"}},
                       .update_expression = "REMOVE n",
                       .attribute_updates = AttributeUpdates{{"n", {.value = 1}}},
                       .expected = ExpectedAttributes{{"n", {.value = 5}}}}),
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: "
      "{UpdateExpression}"));
}

TEST_F(LegacyWrites, UpdatesPutAddAndDelete) {
  ASSERT_TRUE(
      Succeeds(Update({{"s", {.value = "new", .action = AttributeAction::kPut}},
                       {"n", {.value = 2, .action = AttributeAction::kAdd}},
                       {"set", {.value = StringSet{"x"}, .action = AttributeAction::kDelete}},
                       {"p", {.value = List{1}}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}),
            (Item{{"pk", "a"}, {"n", 7}, {"p", List{1}}, {"s", "new"}, {"set", StringSet{"y"}}}));
  ASSERT_TRUE(
      Succeeds(Update({{"s", {.action = AttributeAction::kDelete}},
                       {"set", {.value = StringSet{"y"}, .action = AttributeAction::kDelete}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 7}, {"p", List{1}}}));
}

TEST_F(LegacyWrites, AddingToAListAppends) {
  ASSERT_TRUE(Succeeds(Update({{"l", {.value = List{1}, .action = AttributeAction::kAdd}}})));
  ASSERT_TRUE(Succeeds(Update({{"l", {.value = List{2}, .action = AttributeAction::kAdd}}})));
  EXPECT_EQ(Get("things", {{"pk", "a"}})->at("l"), AttributeValue(List{1, 2}));
}

TEST_F(LegacyWrites, UpdatesReturnWholeAttributes) {
  const auto output = Must(db().UpdateItem(
      {.table_name = "things",
       .key = {{"pk", "a"}},
       .return_values = ReturnValues::kUpdatedNew,
       .attribute_updates = AttributeUpdates{{"n", {.value = 1, .action = AttributeAction::kAdd}},
                                             {"s", {.action = AttributeAction::kDelete}}}}));
  EXPECT_EQ(output.attributes, (Item{{"n", 6}}));
}

TEST_F(LegacyWrites, OnlyDeletingDoesNotMakeAnItem) {
  ASSERT_TRUE(Succeeds(db().UpdateItem(
      {.table_name = "things",
       .key = {{"pk", "new"}},
       .attribute_updates = AttributeUpdates{{"n", {.action = AttributeAction::kDelete}}}})));
  EXPECT_EQ(Get("things", {{"pk", "new"}}), std::nullopt);
}

TEST_F(LegacyWrites, RefuseUpdatesWithoutOrWithTheWrongValue) {
  const std::string start = "One or more parameter values were invalid: ";
  EXPECT_TRUE(
      RefusedAtOnce(Update({{"n", {.action = AttributeAction::kPut}}}),
                    start + "Only DELETE action is allowed when no attribute value is specified"));
  EXPECT_TRUE(FailsWith(Update({{"n", {.value = 1, .action = AttributeAction::kDelete}}}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Update({{"s", {.value = "x", .action = AttributeAction::kAdd}}}),
                        ErrorCode::kValidation));
}

TEST_F(LegacyWrites, RefuseToChangeAKey) {
  EXPECT_TRUE(Refused(Update({{"pk", {.value = "b"}}}),
                      "One or more parameter values were invalid: Cannot update attribute pk. This "
                      "attribute is part of the key"));
}

TEST_F(LegacyWrites, RefuseAddingToAnotherType) {
  EXPECT_TRUE(Refused(Update({{"s", {.value = 1, .action = AttributeAction::kAdd}}}),
                      "Type mismatch for attribute to update"));
}

TEST_F(LegacyWrites, DeletionsExpectToo) {
  EXPECT_TRUE(FailsWith(db().DeleteItem({.table_name = "things",
                                         .key = {{"pk", "a"}},
                                         .expected = ExpectedAttributes{{"n", {.value = 6}}}}),
                        ErrorCode::kConditionFailed));
  EXPECT_TRUE(Succeeds(db().DeleteItem({.table_name = "things",
                                        .key = {{"pk", "a"}},
                                        .expected = ExpectedAttributes{{"n", {.value = 5}}}})));
}

}  // namespace
}  // namespace stator::contract
