// What changes while a table is copied, and after.

#include "copy/copied_tables.h"

namespace stator::copy {
namespace {

class FollowTest : public CopiedTables {
 protected:
  static std::uint64_t CatchUp(ChangeFollower& follower) {
    std::uint64_t changes = 0;
    for (int quiet = 0; quiet < 3;) {
      const Result<std::uint64_t> more = follower.Poll();
      EXPECT_TRUE(more.has_value()) << more.error().message;
      changes += more.value_or(0);
      quiet = more.value_or(0) == 0 ? quiet + 1 : 0;
    }
    return changes;
  }

  static void Remove(Database& database, const std::string& table, const std::string& id) {
    ASSERT_TRUE(database.DeleteItem({.table_name = table, .key = {{"id", id}}}).has_value());
  }
};

TEST_F(FollowTest, WhatChangesDuringTheCopyArrives) {
  MakeTable(*old_home_, "old", "id", "", StreamViewType::kNewImage);
  MakeTable(*new_home_, "new", "id");
  for (int number = 0; number < 60; ++number) {
    Put(*old_home_, "old", {{"id", std::to_string(number)}, {"text", std::string(50'000, 'x')}});
  }
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  CopyState state = Beginning(1);
  Result<ChangeFollower> follower = ChangeFollower::Open(from, to, state.begun);
  ASSERT_TRUE(follower.has_value()) << follower.error().message;
  int page = 0;
  // In front of the scan and behind it: new ones, changed ones, and ones that go.
  const auto meddle = [&](const CopyState&) -> Result<void> {
    ++page;
    for (int number = page; number < 60; number += 10) {
      Put(*old_home_, "old", {{"id", std::to_string(number)}, {"page", page}});
    }
    Remove(*old_home_, "old", std::to_string(50 + page));
    Put(*old_home_, "old", {{"id", "new" + std::to_string(page)}});
    return {};
  };
  ASSERT_TRUE(CopyItems(from, to, state, {.on_page = meddle}).has_value());
  ASSERT_GT(page, 1);
  EXPECT_GT(CatchUp(*follower), 0U);
  ExpectSame(from, to, 60);

  Put(*old_home_, "old", {{"id", "later"}});
  Remove(*old_home_, "old", "new1");
  EXPECT_EQ(CatchUp(*follower), 2U);
  ExpectSame(from, to, 60);
}

// A second follower begins where the copy began, not where the first was.
TEST_F(FollowTest, FollowingAgainDoesNoHarm) {
  MakeTable(*old_home_, "old", "id", "", StreamViewType::kNewAndOldImages);
  MakeTable(*new_home_, "new", "id");
  for (int round = 0; round < 5; ++round) {
    Put(*old_home_, "old", {{"id", "a"}, {"round", round}});
    Put(*old_home_, "old", {{"id", "b"}, {"round", round}});
  }
  Remove(*old_home_, "old", "b");
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  const TimePoint begun = SystemClock().Now();
  for (int run = 0; run < 2; ++run) {
    Result<ChangeFollower> follower = ChangeFollower::Open(from, to, begun);
    ASSERT_TRUE(follower.has_value()) << follower.error().message;
    EXPECT_EQ(CatchUp(*follower), 11U);
    ExpectSame(from, to, 1);
  }
}

TEST_F(FollowTest, UnderOtherKeysAChangeMayBeAMove) {
  MakeTable(*old_home_, "old", "id", "", StreamViewType::kNewAndOldImages);
  MakeTable(*new_home_, "new", "email");
  Put(*old_home_, "old", {{"id", "1"}, {"email", "ann@example.org"}});
  const Side from = Look(*old_home_, "old");
  const Side to = Look(*new_home_, "new");
  CopyState state = Beginning(1);
  Result<ChangeFollower> follower = ChangeFollower::Open(from, to, state.begun);
  ASSERT_TRUE(follower.has_value()) << follower.error().message;
  ASSERT_TRUE(CopyItems(from, to, state).has_value());
  Put(*old_home_, "old", {{"id", "1"}, {"email", "bob@example.org"}});
  Put(*old_home_, "old", {{"id", "2"}, {"email", "eve@example.org"}});
  Remove(*old_home_, "old", "2");
  CatchUp(*follower);
  ExpectSame(from, to, 1);
  const auto moved =
      new_home_->GetItem({.table_name = "new", .key = {{"email", "bob@example.org"}}});
  EXPECT_TRUE(moved.has_value() && moved->item.has_value());

  // What has no key of the first table cannot have come from it.
  Put(*new_home_, "new", {{"email", "stranger@example.org"}});
  const Result<CompareReport> report = CompareTables(from, to);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->extra, 1U);
}

TEST_F(FollowTest, AStreamThatTellsTooLittleIsRefused) {
  MakeTable(*old_home_, "silent", "id");
  MakeTable(*old_home_, "keys", "id", "", StreamViewType::kKeysOnly);
  MakeTable(*old_home_, "images", "id", "", StreamViewType::kNewImage);
  MakeTable(*new_home_, "new", "id");
  MakeTable(*new_home_, "other", "email");
  const auto refusal = [&](const std::string& from, const std::string& to) {
    const Side source = Look(*old_home_, from);
    const Side target = Look(*new_home_, to);
    const Result<ChangeFollower> follower =
        ChangeFollower::Open(source, target, SystemClock().Now());
    return follower ? std::string("none") : follower.error().message;
  };
  EXPECT_NE(refusal("silent", "new").find("has no stream"), std::string::npos);
  EXPECT_NE(refusal("keys", "new").find("StreamViewType=NEW_IMAGE"), std::string::npos);
  EXPECT_EQ(refusal("images", "new"), "none");
  EXPECT_NE(refusal("images", "other").find("NEW_AND_OLD_IMAGES"), std::string::npos);
}

}  // namespace
}  // namespace stator::copy
