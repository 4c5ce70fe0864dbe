// UpdateContributorInsights, DescribeContributorInsights, ListContributorInsights, and what is counted.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

class ContributorInsights : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .global = {{.name = "by_kind", .keys = "kind:S"}}});
  }

  Result<UpdateContributorInsightsOutput> Switch(
      bool on, std::optional<std::string> index = std::nullopt,
      std::optional<ContributorInsightsMode> mode = std::nullopt) {
    return db().UpdateContributorInsights(
        {.table_name = "things",
         .index_name = std::move(index),
         .contributor_insights_action =
             on ? ContributorInsightsAction::kEnable : ContributorInsightsAction::kDisable,
         .contributor_insights_mode = mode});
  }
  DescribeContributorInsightsOutput State(std::optional<std::string> index = std::nullopt) {
    return Must(
        db().DescribeContributorInsights({.table_name = "things", .index_name = std::move(index)}));
  }
  CountedKeys Counted(std::optional<std::string> index = std::nullopt) {
    return State(std::move(index)).counted_keys.value_or(CountedKeys());
  }
};

TEST_F(ContributorInsights, AreOffAtFirst) {
  const auto state = State();
  EXPECT_EQ(state.table_name, "things");
  EXPECT_EQ(state.contributor_insights_status, ContributorInsightsStatus::kDisabled);
  EXPECT_THAT(state.contributor_insights_rule_list, IsEmpty());
  EXPECT_FALSE(state.last_update_date_time.has_value());
  EXPECT_FALSE(state.counted_keys.has_value());
  EXPECT_THAT(Must(db().ListContributorInsights({})).contributor_insights_summaries, IsEmpty());
}

TEST_F(ContributorInsights, AreSwitchedOnAndOff) {
  const auto on = Must(Switch(true));
  EXPECT_EQ(on.table_name, "things");
  EXPECT_EQ(on.contributor_insights_status, ContributorInsightsStatus::kEnabling);
  const auto state = State();
  EXPECT_EQ(state.contributor_insights_status, ContributorInsightsStatus::kEnabled);
  EXPECT_EQ(state.contributor_insights_mode, ContributorInsightsMode::kAccessedAndThrottledKeys);
  EXPECT_TRUE(state.last_update_date_time.has_value());
  EXPECT_THAT(state.contributor_insights_rule_list,
              ElementsAre(MatchesRegex("DynamoDBContributorInsights-PKC-things-[0-9]+"),
                          MatchesRegex("DynamoDBContributorInsights-SKC-things-[0-9]+"),
                          MatchesRegex("DynamoDBContributorInsights-PKT-things-[0-9]+"),
                          MatchesRegex("DynamoDBContributorInsights-SKT-things-[0-9]+")));
  EXPECT_EQ(State("by_kind").contributor_insights_status, ContributorInsightsStatus::kDisabled);
  EXPECT_EQ(Must(Switch(false)).contributor_insights_status, ContributorInsightsStatus::kDisabling);
  EXPECT_EQ(State().contributor_insights_status, ContributorInsightsStatus::kDisabled);
  EXPECT_FALSE(State().counted_keys.has_value());
}

TEST_F(ContributorInsights, CountUsesOfKeysByTheirCost) {
  Must(Switch(true));
  Put("things", {{"pk", "hot"}, {"sk", 1}, {"filling", Text(2000)}});  // 2 units
  Put("things", {{"pk", "hot"}, {"sk", 2}});
  Put("things", {{"pk", "cold"}, {"sk", 1}});
  Must(db().GetItem(
      {.table_name = "things", .key = {{"pk", "hot"}, {"sk", 2}}, .consistent_read = true}));
  Must(db().Query({.table_name = "things",
                   .key_condition_expression = "pk = :pk",
                   .expression_attribute_values = Item{{":pk", "hot"}},
                   .consistent_read = true}));
  Must(db().Scan({.table_name = "things"}));
  const CountedKeys counted = Counted();
  ASSERT_THAT(counted.accessed_partitions, SizeIs(2));
  EXPECT_EQ(counted.accessed_partitions[0].key, (Item{{"pk", "hot"}}));
  EXPECT_EQ(counted.accessed_partitions[0].count, 5);
  EXPECT_EQ(counted.accessed_partitions[0].count_error_max, 0);
  EXPECT_EQ(counted.accessed_partitions[1].key, (Item{{"pk", "cold"}}));
  EXPECT_EQ(counted.accessed_partitions[1].count, 1);
  ASSERT_THAT(counted.accessed_items, SizeIs(3));
  EXPECT_EQ(counted.accessed_items[0].count, 2);
  EXPECT_EQ(counted.accessed_items[1].count, 2);
  EXPECT_EQ(counted.accessed_items[2].key, (Item{{"pk", "cold"}, {"sk", 1}}));
  EXPECT_THAT(counted.throttled_partitions, IsEmpty());
  EXPECT_THAT(counted.throttled_items, IsEmpty());
}

TEST_F(ContributorInsights, CountBatchesTransactionsAndStatements) {
  Must(Switch(true));
  const Item key{{"pk", "a"}, {"sk", 1}};
  Must(db().BatchWriteItem({.request_items = {{"things", {PutRequest{.item = key}}}}}));  // 1
  Must(db().BatchGetItem(
      {.request_items = {{"things", {.keys = {key}, .consistent_read = true}}}}));  // 1
  Must(db().TransactGetItems(
      {.transact_items = {TransactGet{.table_name = "things", .key = key}}}));  // 2
  Must(db().ExecuteStatement(
      {.statement = "SELECT * FROM things WHERE pk = 'a' AND sk = 1", .consistent_read = true}));
  Must(db().ExecuteStatement({.statement = "UPDATE things SET a = 1 WHERE pk = 'a' AND sk = 1"}));
  const CountedKeys counted = Counted();
  ASSERT_THAT(counted.accessed_partitions, SizeIs(1));
  EXPECT_EQ(counted.accessed_partitions[0].count, 6);
}

TEST_F(ContributorInsights, OfAnIndexCountWhatItCosts) {
  Must(Switch(true, "by_kind"));
  Put("things", {{"pk", "a"}, {"sk", 1}, {"kind", "x"}});
  Put("things", {{"pk", "b"}, {"sk", 1}, {"kind", "x"}});
  Put("things", {{"pk", "c"}, {"sk", 1}});
  EXPECT_FALSE(State().counted_keys.has_value());
  const CountedKeys counted = Counted("by_kind");
  ASSERT_THAT(counted.accessed_partitions, SizeIs(1));
  EXPECT_EQ(counted.accessed_partitions[0].key, (Item{{"kind", "x"}}));
  EXPECT_EQ(counted.accessed_partitions[0].count, 2);
  EXPECT_THAT(counted.accessed_items, IsEmpty());  // its key has no sort key
  EXPECT_THAT(State("by_kind").contributor_insights_rule_list, SizeIs(2));
}

TEST_F(ContributorInsights, OfThrottledKeysAloneCountNoUses) {
  Must(Switch(true, std::nullopt, ContributorInsightsMode::kThrottledKeys));
  Put("things", {{"pk", "a"}, {"sk", 1}});
  EXPECT_THAT(Counted().accessed_partitions, IsEmpty());
  EXPECT_THAT(State().contributor_insights_rule_list, SizeIs(2));
  // Another mode begins anew, the same one goes on.
  Must(Switch(true, std::nullopt, ContributorInsightsMode::kAccessedAndThrottledKeys));
  Put("things", {{"pk", "a"}, {"sk", 1}});
  Must(Switch(true));
  EXPECT_THAT(Counted().accessed_partitions, SizeIs(1));
}

TEST_F(ContributorInsights, ShowTheHundredThatAreUsedMost) {
  Must(Switch(true));
  for (int number = 0; number < 110; ++number) {
    Put("things", {{"pk", "p" + std::to_string(number)}, {"sk", 1}});
  }
  EXPECT_THAT(Counted().accessed_partitions, SizeIs(100));
}

TEST_F(ContributorInsights, AreListedByPages) {
  MakeTable({.name = "another", .keys = "pk:S"});
  Must(Switch(true));
  Must(Switch(true, "by_kind"));
  Must(Switch(false, "by_kind"));
  Must(db().UpdateContributorInsights({.table_name = "another"}));
  std::vector<std::string> seen;
  ListContributorInsightsInput input{.max_results = 1};
  for (int page = 0; page < 10; ++page) {
    const auto output = Must(db().ListContributorInsights(input));
    for (const ContributorInsightsSummary& each : output.contributor_insights_summaries) {
      const bool on = each.contributor_insights_status == ContributorInsightsStatus::kEnabled;
      seen.push_back(each.table_name + "/" + each.index_name.value_or("") + (on ? " on" : " off"));
    }
    input.next_token = output.next_token;
    if (!input.next_token) {
      break;
    }
  }
  EXPECT_THAT(seen, ElementsAre("another/ on", "things/ on", "things/by_kind off"));
  EXPECT_THAT(
      Must(db().ListContributorInsights({.table_name = "things"})).contributor_insights_summaries,
      SizeIs(2));
  EXPECT_TRUE(Refused(db().ListContributorInsights({.next_token = "x"}), "Invalid NextToken"));
}

TEST_F(ContributorInsights, NeedATableAndItsIndex) {
  EXPECT_TRUE(FailsWith(db().UpdateContributorInsights({.table_name = "nowhere"}),
                        ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(db().DescribeContributorInsights({.table_name = "nowhere"}),
                        ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(db().ListContributorInsights({.table_name = "nowhere"}),
                        ErrorCode::kTableNotFound));
  // On the wire a missing index has the name of a missing table.
  const auto without_index = Switch(true, "by_nothing");
  ASSERT_FALSE(without_index.has_value());
  EXPECT_THAT(without_index.error().code,
              AnyOf(ErrorCode::kResourceNotFound, ErrorCode::kTableNotFound));
}

class KeptContributorInsights : public ReopeningContractTest {};

TEST_F(KeptContributorInsights, StayOnAndCountAnew) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Must(db().UpdateContributorInsights({.table_name = "things"}));
  Put("things", {{"pk", "a"}});
  home().Reopen();
  const auto describe = [&] {
    return Must(db().DescribeContributorInsights({.table_name = "things"}));
  };
  EXPECT_EQ(describe().contributor_insights_status, ContributorInsightsStatus::kEnabled);
  EXPECT_THAT(describe().counted_keys.value_or(CountedKeys()).accessed_partitions, IsEmpty());
  Put("things", {{"pk", "a"}});
  EXPECT_THAT(describe().counted_keys.value_or(CountedKeys()).accessed_partitions, SizeIs(1));
}

}  // namespace
}  // namespace stator::contract
