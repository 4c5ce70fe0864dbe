// Tags, limits, endpoints and backups.

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

class Tags : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S"});
    arn_ = Describe("things").table_arn;
  }
  [[nodiscard]] std::vector<Tag> All() {
    std::vector<Tag> all;
    std::optional<std::string> token;
    for (int page = 0; page < 100; ++page) {
      const auto output =
          Must(db().ListTagsOfResource({.resource_arn = arn_, .next_token = token}));
      all.insert(all.end(), output.tags.begin(), output.tags.end());
      token = output.next_token;
      if (!token) {
        break;
      }
    }
    return all;
  }
  [[nodiscard]] const std::string& arn() const { return arn_; }

 private:
  std::string arn_;
};

using Account = ContractTest;

TEST_F(Tags, AreNoneAtFirst) {
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(Tags, AreAddedReplacedAndRemoved) {
  ASSERT_TRUE(Succeeds(db().TagResource(
      {.resource_arn = arn(), .tags = {{.key = "a", .value = "1"}, {.key = "b", .value = ""}}})));
  ASSERT_TRUE(Succeeds(db().TagResource(
      {.resource_arn = arn(), .tags = {{.key = "a", .value = "2"}, {.key = "c", .value = "3"}}})));
  EXPECT_THAT(All(), UnorderedElementsAreArray(std::vector<Tag>{{.key = "a", .value = "2"},
                                                                {.key = "b", .value = ""},
                                                                {.key = "c", .value = "3"}}));
  ASSERT_TRUE(
      Succeeds(db().UntagResource({.resource_arn = arn(), .tag_keys = {"a", "missing", "c"}})));
  EXPECT_EQ(All(), (std::vector<Tag>{{.key = "b", .value = ""}}));
}

TEST_F(Tags, AreUpToFifty) {
  std::vector<Tag> tags;
  for (int number = 0; number < 50; ++number) {
    tags.push_back({.key = "key" + std::to_string(number), .value = "v"});
  }
  ASSERT_TRUE(Succeeds(db().TagResource({.resource_arn = arn(), .tags = tags})));
  EXPECT_THAT(All(), UnorderedElementsAreArray(tags));
  EXPECT_FALSE(db().TagResource({.resource_arn = arn(), .tags = {{.key = "more", .value = "v"}}}));
  EXPECT_TRUE(Succeeds(
      db().TagResource({.resource_arn = arn(), .tags = {{.key = "key0", .value = "new"}}})));
}

TEST_F(Tags, AreGivenAndTakenAtLeastOneAtATime) {
  EXPECT_TRUE(Refused(db().TagResource({.resource_arn = arn(), .tags = {}}),
                      "Atleast one Tag needs to be provided as Input."));
  EXPECT_TRUE(Refused(db().UntagResource({.resource_arn = arn(), .tag_keys = {}}),
                      "Atleast one Tag Key needs to be provided as Input."));
}

TEST_F(Tags, NeedTheArnOfATable) {
  const std::string missing = arn() + "2";
  EXPECT_TRUE(
      Fails(db().TagResource({.resource_arn = missing, .tags = {{.key = "a", .value = ""}}}),
            ErrorCode::kResourceNotFound,
            "Requested resource not found: ResourcArn: " + missing + " not found"));
  EXPECT_TRUE(Fails(db().ListTagsOfResource({.resource_arn = missing}),
                    ErrorCode::kResourceNotFound,
                    "Requested resource not found: ResourcArn: " + missing + " not found"));
  EXPECT_FALSE(db().ListTagsOfResource({.resource_arn = "things"}));
}

TEST_F(Tags, GoWithTheTable) {
  ASSERT_TRUE(
      Succeeds(db().TagResource({.resource_arn = arn(), .tags = {{.key = "a", .value = "1"}}})));
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(Tags, LeaveTheTableAsItWas) {
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(
      Succeeds(db().TagResource({.resource_arn = arn(), .tags = {{.key = "a", .value = "1"}}})));
  EXPECT_EQ(Describe("things").item_count, 1);
  EXPECT_EQ(Describe("things").table_status, TableStatus::kActive);
}

TEST_F(Account, HasLimits) {
  const auto limits = Must(db().DescribeLimits({}));
  EXPECT_EQ(limits.account_max_read_capacity_units, 80'000);
  EXPECT_EQ(limits.account_max_write_capacity_units, 80'000);
  EXPECT_EQ(limits.table_max_read_capacity_units, 40'000);
  EXPECT_EQ(limits.table_max_write_capacity_units, 40'000);
}

TEST_F(Account, HasAnEndpoint) {
  const auto endpoints = Must(db().DescribeEndpoints({})).endpoints;
  ASSERT_EQ(endpoints.size(), 1U);
  EXPECT_FALSE(endpoints[0].address.empty());
  EXPECT_GT(endpoints[0].cache_period_in_minutes, 0);
}

TEST_F(Account, SaysThatRecoveryIsOffAtFirst) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const auto backups = Must(db().DescribeContinuousBackups({.table_name = "things"}));
  const ContinuousBackupsDescription& description = backups.continuous_backups_description;
  EXPECT_TRUE(description.continuous_backups_enabled);
  EXPECT_FALSE(description.point_in_time_recovery_enabled);
  EXPECT_FALSE(description.recovery_period_in_days.has_value());
  EXPECT_FALSE(description.earliest_restorable_date_time.has_value());
  EXPECT_TRUE(FailsWith(db().DescribeContinuousBackups({.table_name = "others"}),
                        ErrorCode::kTableNotFound));
}

TEST_F(Account, SwitchesRecoveryOnAndOff) {
  MakeTable({.name = "things", .keys = "pk:S"});
  const auto switched = [&](const std::string& table, bool enabled,
                            std::optional<std::int64_t> days = std::nullopt) {
    return db().UpdateContinuousBackups({.table_name = table,
                                         .point_in_time_recovery_specification = {
                                             .enabled = enabled, .recovery_period_in_days = days}});
  };
  const auto off = Must(switched("things", false));
  EXPECT_FALSE(off.continuous_backups_description.point_in_time_recovery_enabled);
  const auto on = Must(switched("things", true)).continuous_backups_description;
  EXPECT_TRUE(on.continuous_backups_enabled);
  EXPECT_TRUE(on.point_in_time_recovery_enabled);
  EXPECT_EQ(on.recovery_period_in_days, 35);
  ASSERT_TRUE(on.earliest_restorable_date_time && on.latest_restorable_date_time);
  EXPECT_LE(*on.earliest_restorable_date_time, *on.latest_restorable_date_time);
  // Again, with another period: it goes on from where it was.
  const auto shorter = Must(switched("things", true, 7)).continuous_backups_description;
  EXPECT_EQ(shorter.recovery_period_in_days, 7);
  EXPECT_EQ(shorter.earliest_restorable_date_time, on.earliest_restorable_date_time);
  const auto same = Must(switched("things", true)).continuous_backups_description;
  EXPECT_EQ(same.recovery_period_in_days, 7);
  const auto again = Must(switched("things", false)).continuous_backups_description;
  EXPECT_TRUE(again.continuous_backups_enabled);
  EXPECT_FALSE(again.point_in_time_recovery_enabled);
  EXPECT_FALSE(again.earliest_restorable_date_time.has_value());
  EXPECT_TRUE(FailsWith(switched("things", false, 36), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(switched("others", false), ErrorCode::kTableNotFound));
  EXPECT_TRUE(FailsWith(switched("others", true), ErrorCode::kTableNotFound));
}

}  // namespace
}  // namespace stator::contract
