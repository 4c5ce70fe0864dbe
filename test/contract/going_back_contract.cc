// RewindTable and checkpoints, which Stator has beside the service.

#include <thread>

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class GoingBack : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .global = {{.name = "by_kind", .keys = "kind:S", .projection = KeysOnly()}}});
    for (int number = 0; number < 5; ++number) {
      Put("things", {{"pk", "a"}, {"sk", number}, {"kind", number < 2 ? "x" : "y"}});
    }
  }
  std::int32_t Count(const std::string& table, std::optional<std::string> index = std::nullopt) {
    return Must(db().Scan({.table_name = table, .index_name = index})).count;
  }
  // The latest moment; everything that was answered is in it.
  TimePoint Moment() {
    return *Must(db().GetItem({.table_name = "things",
                               .key = {{"pk", "none"}, {"sk", 0}},
                               .as_of = TimePoint::max()}))
                .as_of;
  }
};

TEST_F(GoingBack, RewindsATableAndUndoesIt) {
  Must(db().UpdateContinuousBackups(
      {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  const TimePoint then = Moment();
  Put("things", {{"pk", "b"}, {"sk", 1}, {"kind", "z"}});
  Must(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 0}}}));
  Must(db().DeleteItem({.table_name = "things", .key = {{"pk", "a"}, {"sk", 1}}}));
  EXPECT_EQ(Count("things"), 4);
  const RewindTableOutput rewound =
      Must(db().RewindTable({.table_name = "things", .rewind_date_time = then}));
  EXPECT_EQ(rewound.items_changed, 3);
  EXPECT_EQ(rewound.rewind_date_time, then);
  EXPECT_FALSE(rewound.rewind_in_progress);
  EXPECT_EQ(rewound.table_description.table_name, "things");
  EXPECT_EQ(rewound.table_description.table_status, TableStatus::kActive);
  EXPECT_EQ(Count("things"), 5);
  EXPECT_EQ(Count("things", "by_kind"), 5);
  Must(db().RewindTable({.table_name = "things", .rewind_date_time = rewound.undo_date_time}));
  EXPECT_EQ(Count("things"), 4) << "microseconds are kept on the way";
}

TEST_F(GoingBack, RefusesWhatCannotBeRewound) {
  const auto code = [&](const RewindTableInput& input) {
    return db().RewindTable(input).error().code;
  };
  const TimePoint now = SystemClock().Now();
  EXPECT_EQ(code({.table_name = "things", .rewind_date_time = now}),
            ErrorCode::kRecoveryUnavailable);
  EXPECT_EQ(code({.table_name = "nowhere", .rewind_date_time = now}), ErrorCode::kTableNotFound);
  EXPECT_EQ(code({.table_name = "no name", .rewind_date_time = now}), ErrorCode::kValidation);
  Must(db().UpdateContinuousBackups(
      {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  EXPECT_EQ(code({.table_name = "things", .rewind_date_time = TimePoint()}),
            ErrorCode::kInvalidRestoreTime);
}

TEST_F(GoingBack, NamesAMomentAndGoesBackToIt) {
  EXPECT_THAT(Must(db().ListCheckpoints({})).checkpoints, IsEmpty());
  const auto made = Must(db().CreateCheckpoint({.checkpoint_name = "fixtures"}));
  EXPECT_EQ(made.checkpoint_description.table_count, 1);
  EXPECT_EQ(db().CreateCheckpoint({.checkpoint_name = "fixtures"}).error().code,
            ErrorCode::kResourceInUse);
  Must(db().CreateCheckpoint({.checkpoint_name = "fixtures", .replace = true}));
  for (int round = 0; round < 2; ++round) {
    Put("things", {{"pk", "b"}, {"sk", round}, {"kind", "z"}});
    MakeTable({.name = "others", .keys = "pk:S"});
    Must(db().DeleteTable({.table_name = "things"}));
    const auto restored = Must(db().RestoreCheckpoint({.checkpoint_name = "fixtures"}));
    EXPECT_EQ(restored.tables_removed, 1);
    EXPECT_EQ(restored.tables_returned, 1);
    EXPECT_EQ(restored.items_changed, 1);
    EXPECT_EQ(restored.checkpoint_description.checkpoint_name, "fixtures");
    EXPECT_EQ(Count("things"), 5);
    EXPECT_EQ(Count("things", "by_kind"), 5);
    EXPECT_THAT(Must(db().ListTables({})).table_names, testing::ElementsAre("things"));
  }
  const auto listed = Must(db().ListCheckpoints({})).checkpoints;
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].checkpoint_name, "fixtures");
  EXPECT_GT(listed[0].creation_date_time, TimePoint());
  EXPECT_EQ(Must(db().DeleteCheckpoint({.checkpoint_name = "fixtures"}))
                .checkpoint_description.checkpoint_name,
            "fixtures");
  EXPECT_EQ(db().DeleteCheckpoint({.checkpoint_name = "fixtures"}).error().code,
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(db().RestoreCheckpoint({.checkpoint_name = "fixtures"}).error().code,
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(db().CreateCheckpoint({.checkpoint_name = "not/one"}).error().code,
            ErrorCode::kValidation);
}

}  // namespace
}  // namespace stator::contract
