// UpdateTimeToLive, DescribeTimeToLive, and the sweeper that follows them.

#include "contract/stream_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kFiveYears = 5LL * 365 * 24 * 3600;

class TimeToLive : public StreamTest {
 protected:
  void SetUp() override { MakeTable({.name = "things", .keys = "pk:S"}); }

  [[nodiscard]] Result<UpdateTimeToLiveOutput> Switch(bool enabled,
                                                      const std::string& attribute = "expires") {
    const auto result = db().UpdateTimeToLive(
        {.table_name = "things",
         .time_to_live_specification = {.enabled = enabled, .attribute_name = attribute}});
    home().Settle();
    return result;
  }
  [[nodiscard]] DescribeTimeToLiveOutput State() {
    return Must(db().DescribeTimeToLive({.table_name = "things"}));
  }
};

TEST_F(TimeToLive, IsDisabledAtFirst) {
  EXPECT_EQ(State().time_to_live_status, TimeToLiveStatus::kDisabled);
  EXPECT_EQ(State().attribute_name, std::nullopt);
}

TEST_F(TimeToLive, IsSwitchedOnAndOff) {
  const auto output = Must(Switch(true));
  EXPECT_TRUE(output.time_to_live_specification.enabled);
  EXPECT_EQ(output.time_to_live_specification.attribute_name, "expires");
  EXPECT_EQ(State().time_to_live_status, TimeToLiveStatus::kEnabled);
  EXPECT_EQ(State().attribute_name, "expires");
  EXPECT_FALSE(Must(Switch(false)).time_to_live_specification.enabled);
  EXPECT_EQ(State().time_to_live_status, TimeToLiveStatus::kDisabled);
  EXPECT_EQ(State().attribute_name, std::nullopt);
}

TEST_F(TimeToLive, IsAtOnceWhatItWasSwitchedTo) {
  const auto set = [&](bool enabled) {
    return db().UpdateTimeToLive(
        {.table_name = "things",
         .time_to_live_specification = {.enabled = enabled, .attribute_name = "expires"}});
  };
  ASSERT_TRUE(Succeeds(set(true)));
  EXPECT_EQ(State().time_to_live_status, TimeToLiveStatus::kEnabled);
  home().Settle();
  ASSERT_TRUE(Succeeds(set(false)));
  EXPECT_EQ(State().time_to_live_status, TimeToLiveStatus::kDisabled);
}

TEST_F(TimeToLive, RefusesWhatIsSoAlready) {
  EXPECT_TRUE(Refused(Switch(false), "TimeToLive is already disabled"));
  ASSERT_TRUE(Succeeds(Switch(true)));
  EXPECT_TRUE(Refused(Switch(true), "TimeToLive is already enabled"));
}

TEST_F(TimeToLive, RefusesItInTheSameWordsWhileTheWorkBehindItGoesOn) {
  for (int number = 0; number < 300; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"expires", number}});
  }
  const auto set = [&](bool enabled) {
    return db().UpdateTimeToLive(
        {.table_name = "things",
         .time_to_live_specification = {.enabled = enabled, .attribute_name = "expires"}});
  };
  ASSERT_TRUE(Succeeds(set(true)));
  for (int time = 0; time < 20; ++time) {
    EXPECT_TRUE(Refused(set(true), "TimeToLive is already enabled"));
  }
  home().Settle();
  ASSERT_TRUE(Succeeds(set(false)));
  for (int time = 0; time < 20; ++time) {
    EXPECT_TRUE(Refused(set(false), "TimeToLive is already disabled"));
  }
}

TEST_F(TimeToLive, RefusesAnotherAttributeWhileOneIsActive) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  EXPECT_TRUE(Refused(Switch(true, "other"),
                      "TimeToLive is active on a different AttributeName: current AttributeName is "
                      "expires"));
}

TEST_F(TimeToLive, MayBeAnotherAttributeTheNextTime) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  ASSERT_TRUE(Succeeds(Switch(false)));
  ASSERT_TRUE(Succeeds(Switch(true, "other")));
  EXPECT_EQ(State().attribute_name, "other");
}

TEST_F(TimeToLive, NamesTheTableThatIsNotThere) {
  EXPECT_TRUE(Fails(db().DescribeTimeToLive({.table_name = "others"}), ErrorCode::kTableNotFound,
                    "Requested resource not found: Table: others not found"));
  EXPECT_TRUE(
      FailsWith(db().UpdateTimeToLive(
                    {.table_name = "others",
                     .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}),
                ErrorCode::kTableNotFound));
}

TEST_F(TimeToLive, NamesAnAttribute) {
  EXPECT_TRUE(FailsWith(Switch(true, ""), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Switch(true, Text(256)), ErrorCode::kValidation));
}

class Sweeper : public TimeToLive {
 protected:
  void SetUp() override {
    if (!ThisHome().controls_time) {
      GTEST_SKIP() << "time is not ours";
    }
    TimeToLive::SetUp();
  }
  // Seconds from now.
  [[nodiscard]] std::int64_t In(std::int64_t seconds) {
    return EpochSeconds(home().Now()) + seconds;
  }
  void Sweep() { home().Housekeep(); }
  [[nodiscard]] bool Has(const char* pk) { return Get("things", {{"pk", pk}}).has_value(); }
};

TEST_F(Sweeper, RemovesItemsAfterTheirTime) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "soon"}, {"expires", In(10)}});
  Put("things", {{"pk", "later"}, {"expires", In(100)}});
  Sweep();
  EXPECT_TRUE(Has("soon"));
  home().Advance(std::chrono::seconds(10));
  Sweep();
  EXPECT_TRUE(Has("soon")) << "an item expires when now is greater, not equal";
  home().Advance(std::chrono::seconds(1));
  EXPECT_TRUE(Has("soon")) << "expired items are returned until they are swept";
  Sweep();
  EXPECT_FALSE(Has("soon"));
  EXPECT_TRUE(Has("later"));
}

TEST_F(Sweeper, TakesAFractionForTheMomentThatItIs) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "half"}, {"expires", N(std::to_string(In(10)) + ".5")}});
  home().Advance(std::chrono::seconds(10));
  Sweep();
  EXPECT_TRUE(Has("half"));
  home().Advance(std::chrono::seconds(1));
  Sweep();
  EXPECT_FALSE(Has("half"));
}

TEST_F(Sweeper, LeavesWhatIsNoTimeOrNone) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "text"}, {"expires", std::to_string(In(-10))}});
  Put("things", {{"pk", "none"}, {"other", In(-10)}});
  Put("things", {{"pk", "list"}, {"expires", List{In(-10)}}});
  Put("things", {{"pk", "huge"}, {"expires", N("1E+100")}});
  Sweep();
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 4U);
}

TEST_F(Sweeper, LeavesWhatIsFiveYearsOldOrMore) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "old"}, {"expires", In(-kFiveYears)}});
  Put("things", {{"pk", "zero"}, {"expires", 0}});
  Put("things", {{"pk", "negative"}, {"expires", -5}});
  Put("things", {{"pk", "younger"}, {"expires", In(-kFiveYears + 1)}});
  Sweep();
  EXPECT_TRUE(Has("old"));
  EXPECT_TRUE(Has("zero"));
  EXPECT_TRUE(Has("negative"));
  EXPECT_FALSE(Has("younger"));
}

TEST_F(Sweeper, GoesByWhatTheItemSaysLast) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "extended"}, {"expires", In(10)}});
  Put("things", {{"pk", "kept"}, {"expires", In(10)}});
  Put("things", {{"pk", "shortened"}, {"expires", In(1000)}});
  Put("things", {{"pk", "extended"}, {"expires", In(1000)}});
  Put("things", {{"pk", "shortened"}, {"expires", In(10)}});
  ASSERT_TRUE(Succeeds(db().UpdateItem(
      {.table_name = "things", .key = {{"pk", "kept"}}, .update_expression = "REMOVE expires"})));
  home().Advance(std::chrono::seconds(20));
  Sweep();
  EXPECT_TRUE(Has("extended"));
  EXPECT_TRUE(Has("kept"));
  EXPECT_FALSE(Has("shortened"));
}

TEST_F(Sweeper, FindsItemsFromBeforeItWasSwitchedOn) {
  for (int number = 0; number < 250; ++number) {
    Put("things", {{"pk", std::to_string(number)}, {"expires", In(number % 2 == 0 ? 5 : 500)}});
  }
  ASSERT_TRUE(Succeeds(Switch(true)));
  home().Advance(std::chrono::seconds(10));
  Sweep();
  EXPECT_EQ(ScanAll({.table_name = "things"}).size(), 125U);
}

TEST_F(Sweeper, StopsWhenItIsSwitchedOff) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "a"}, {"expires", In(5)}});
  ASSERT_TRUE(Succeeds(Switch(false)));
  home().Advance(std::chrono::seconds(10));
  Sweep();
  EXPECT_TRUE(Has("a"));
}

TEST_F(Sweeper, LeavesOtherTablesAlone) {
  MakeTable({.name = "others", .keys = "pk:S"});
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("others", {{"pk", "a"}, {"expires", In(-5)}});
  Put("things", {{"pk", "a"}, {"expires", In(-5)}});
  Sweep();
  EXPECT_TRUE(Get("others", {{"pk", "a"}}).has_value());
  EXPECT_FALSE(Has("a"));
}

TEST_F(Sweeper, LeavesATableOfTheSameNameAlone) {
  ASSERT_TRUE(Succeeds(Switch(true)));
  Put("things", {{"pk", "a"}, {"expires", In(5)}});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "a"}, {"expires", In(5)}});
  home().Advance(std::chrono::seconds(10));
  Sweep();
  EXPECT_TRUE(Has("a"));
}

TEST_F(Sweeper, TakesItemsOutOfIndexesAndFigures) {
  MakeTable({.name = "indexed", .keys = "pk:S", .global = {{"by_g", "g:S"}}});
  ASSERT_TRUE(Succeeds(db().UpdateTimeToLive(
      {.table_name = "indexed",
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}})));
  home().Settle();
  Put("indexed", {{"pk", "a"}, {"g", "x"}, {"expires", In(-5)}});
  Sweep();
  EXPECT_THAT(ScanAll({.table_name = "indexed", .index_name = "by_g"}), IsEmpty());
  EXPECT_EQ(Describe("indexed").item_count, 0);
}

TEST_F(Sweeper, SaysInTheStreamThatTheServiceDidIt) {
  MakeTable({.name = "streamed", .keys = "pk:S", .stream = StreamViewType::kNewAndOldImages});
  ASSERT_TRUE(Succeeds(db().UpdateTimeToLive(
      {.table_name = "streamed",
       .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}})));
  home().Settle();
  const Item item{{"pk", "a"}, {"expires", In(-5)}};
  Put("streamed", item);
  Sweep();
  const std::vector<StreamRecord> records = Records("streamed");
  ASSERT_THAT(records, SizeIs(2));
  EXPECT_FALSE(records[0].user_identity.has_value());
  EXPECT_EQ(records[1].event_name, StreamEventName::kRemove);
  EXPECT_EQ(records[1].old_image, item);
  ASSERT_TRUE(records[1].user_identity.has_value());
  EXPECT_EQ(records[1].user_identity->principal_id, "dynamodb.amazonaws.com");
  EXPECT_EQ(records[1].user_identity->type, "Service");
}

}  // namespace
}  // namespace stator::contract
