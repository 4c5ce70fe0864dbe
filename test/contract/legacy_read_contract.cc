// The parameters of before 2014 in reads: KeyConditions, QueryFilter, ScanFilter, AttributesToGet.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using Values = std::vector<AttributeValue>;

class LegacyReads : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S | sk:N"});
    for (int number = 1; number <= 5; ++number) {
      Put("things", {{"pk", "a"}, {"sk", number}, {"v", number * 10}, {"s", Text(1)}});
    }
  }

  [[nodiscard]] static Conditions Keys(ComparisonOperator comparison, Values values) {
    return {{"pk",
             {.comparison_operator = ComparisonOperator::kEq, .attribute_value_list = Values{"a"}}},
            {"sk", {.comparison_operator = comparison, .attribute_value_list = std::move(values)}}};
  }
  [[nodiscard]] std::size_t Count(ComparisonOperator comparison, Values values) {
    return QueryAll({.table_name = "things", .key_conditions = Keys(comparison, std::move(values))})
        .size();
  }
  [[nodiscard]] std::size_t Filter(ComparisonOperator comparison, std::optional<Values> values,
                                   const char* attribute = "v") {
    return ScanAll({.table_name = "things",
                    .scan_filter = Conditions{{attribute,
                                               {.comparison_operator = comparison,
                                                .attribute_value_list = std::move(values)}}}})
        .size();
  }
};

TEST_F(LegacyReads, QueryByKeyConditions) {
  EXPECT_EQ(Count(ComparisonOperator::kEq, {3}), 1U);
  EXPECT_EQ(Count(ComparisonOperator::kLt, {3}), 2U);
  EXPECT_EQ(Count(ComparisonOperator::kLe, {3}), 3U);
  EXPECT_EQ(Count(ComparisonOperator::kGt, {3}), 2U);
  EXPECT_EQ(Count(ComparisonOperator::kGe, {3}), 3U);
  EXPECT_EQ(Count(ComparisonOperator::kBetween, {2, 4}), 3U);
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .key_conditions = Conditions{{"pk",
                                                    {.comparison_operator = ComparisonOperator::kEq,
                                                     .attribute_value_list = Values{"a"}}}}})
                .size(),
            5U);
}

TEST_F(LegacyReads, QueryRefusesWhatIsNoRangeOfKeys) {
  EXPECT_TRUE(Refused(
      db().Query({.table_name = "things", .key_conditions = Keys(ComparisonOperator::kNe, {3})}),
      "Attempted conditional constraint is not an indexable operation"));
  EXPECT_TRUE(Refused(db().Query({.table_name = "things",
                                  .key_conditions = Keys(ComparisonOperator::kBetween, {3})}),
                      "One or more parameter values were invalid: Invalid number of argument(s) "
                      "for the BETWEEN ComparisonOperator"));
  EXPECT_TRUE(Refused(db().Query({.table_name = "things", .key_conditions = Conditions{}}),
                      "Conditions must be at least length 1"));
}

TEST_F(LegacyReads, KeyConditionsMayStandBesideAFilterExpression) {
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .filter_expression = "v > :v",
                      .expression_attribute_values = Map{{":v", 30}},
                      .key_conditions = Keys(ComparisonOperator::kGe, {1})})
                .size(),
            2U);
}

TEST_F(LegacyReads, KeyConditionsMayNotStandBesideAKeyConditionExpression) {
  EXPECT_TRUE(Refused(db().Query({.table_name = "things",
                                  .key_condition_expression = "pk = :pk",
                                  .expression_attribute_values = Map{{":pk", "a"}},
                                  .key_conditions = Keys(ComparisonOperator::kGe, {1})}),
                      "Can not use both expression and non-expression parameters in the same "
                      "request: Non-expression parameters: {KeyConditions} Expression parameters: "
                      "{KeyConditionExpression}"));
}

TEST_F(LegacyReads, QueryFilterJoinsByTheOperator) {
  QueryInput input{.table_name = "things",
                   .key_conditions = Keys(ComparisonOperator::kGe, {1}),
                   .query_filter = Conditions{{"v",
                                               {.comparison_operator = ComparisonOperator::kGt,
                                                .attribute_value_list = Values{30}}},
                                              {"s",
                                               {.comparison_operator = ComparisonOperator::kEq,
                                                .attribute_value_list = Values{"no"}}}}};
  EXPECT_EQ(QueryAll(input).size(), 0U);
  input.conditional_operator = ConditionalOperator::kOr;
  EXPECT_EQ(QueryAll(input).size(), 2U);
}

TEST_F(LegacyReads, QueryFilterIsNotForKeys) {
  EXPECT_TRUE(Refused(
      db().Query({.table_name = "things",
                  .key_conditions = Keys(ComparisonOperator::kGe, {1}),
                  .query_filter = Conditions{{"sk",
                                              {.comparison_operator = ComparisonOperator::kGt,
                                               .attribute_value_list = Values{30}}}}}),
      "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk"));
}

TEST_F(LegacyReads, ScanFilterKnowsEveryComparison) {
  EXPECT_EQ(Filter(ComparisonOperator::kEq, Values{30}), 1U);
  EXPECT_EQ(Filter(ComparisonOperator::kNe, Values{30}), 4U);
  EXPECT_EQ(Filter(ComparisonOperator::kIn, Values{30, 40, 99}), 2U);
  EXPECT_EQ(Filter(ComparisonOperator::kBetween, Values{20, 40}), 3U);
  EXPECT_EQ(Filter(ComparisonOperator::kNotNull, std::nullopt), 5U);
  EXPECT_EQ(Filter(ComparisonOperator::kNull, std::nullopt), 0U);
  EXPECT_EQ(Filter(ComparisonOperator::kNull, std::nullopt, "missing"), 5U);
  EXPECT_EQ(Filter(ComparisonOperator::kNe, Values{30}, "missing"), 5U);
  EXPECT_EQ(Filter(ComparisonOperator::kContains, Values{"x"}, "s"), 5U);
  EXPECT_EQ(Filter(ComparisonOperator::kNotContains, Values{"x"}, "s"), 0U);
  EXPECT_EQ(Filter(ComparisonOperator::kBeginsWith, Values{"x"}, "s"), 5U);
}

TEST_F(LegacyReads, ScanFilterMayLookAtKeys) {
  EXPECT_EQ(Filter(ComparisonOperator::kLe, Values{2}, "sk"), 2U);
}

TEST_F(LegacyReads, AttributesToGetProject) {
  EXPECT_EQ(QueryAll({.table_name = "things",
                      .key_conditions = Keys(ComparisonOperator::kEq, {1}),
                      .attributes_to_get = std::vector<std::string>{"v", "missing"}}),
            (std::vector<Item>{{{"v", 10}}}));
  EXPECT_EQ(
      ScanAll(
          {.table_name = "things", .limit = 1, .attributes_to_get = std::vector<std::string>{"sk"}})
          .front(),
      (Item{{"sk", 1}}));
}

TEST_F(LegacyReads, ScanRefusesBothForms) {
  EXPECT_TRUE(Refused(
      db().Scan(
          {.table_name = "things",
           .filter_expression = "attribute_exists(v)",
           .scan_filter = Conditions{{"v", {.comparison_operator = ComparisonOperator::kNotNull}}},
           .attributes_to_get = std::vector<std::string>{"v"}}),
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributesToGet, ScanFilter} Expression parameters: "
      "{FilterExpression}"));
}

TEST_F(LegacyReads, RefuseAnAttributeWithoutAName) {
  EXPECT_TRUE(Refused(
      db().Scan({.table_name = "things", .attributes_to_get = std::vector<std::string>{"a", ""}}),
      "Empty attribute name"));
}

TEST_F(LegacyReads, AnOperatorNeedsAFilter) {
  EXPECT_TRUE(
      Refused(db().Scan({.table_name = "things", .conditional_operator = ConditionalOperator::kOr}),
              "ConditionalOperator cannot be used without Filter or Expected"));
}

}  // namespace
}  // namespace stator::contract
