// EnsureTable and point-in-time recovery, on endpoints that have it and on those that do not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "homes/home.h"
#include "stator/api/forwarding_database.h"
#include "stator/provision/ensure_table.h"

namespace stator::provision {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TableSpec Letters(int days = 35) {
  return {.name = "letters",
          .keys = {{"pk", KeyType::kHash}},
          .attributes = {{"pk", ScalarAttributeType::kString}},
          .recovery = {.days = days},
          .deletion_protection = false};
}

// Recovers as Amazon's tables do: of a new table only after a while.
class RecoveringDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<UpdateContinuousBackupsOutput> UpdateContinuousBackups(
      const UpdateContinuousBackupsInput& input) override {
    ++updates;
    if (too_early > 0) {
      --too_early;
      return Fail(ErrorCode::kResourceInUse, "Backups are being enabled for the table");
    }
    if (denied) {
      return Fail(ErrorCode::kAccessDenied, "dynamodb:UpdateContinuousBackups");
    }
    backups.point_in_time_recovery_enabled = input.point_in_time_recovery_specification.enabled;
    backups.recovery_period_in_days =
        input.point_in_time_recovery_specification.recovery_period_in_days;
    return UpdateContinuousBackupsOutput{.continuous_backups_description = backups};
  }
  Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& /*input*/) override {
    ++descriptions;
    return DescribeContinuousBackupsOutput{.continuous_backups_description = backups};
  }

  ContinuousBackupsDescription backups = {.continuous_backups_enabled = true};
  int too_early = 0;
  bool denied = false;
  int updates = 0;
  int descriptions = 0;
};

class RecoveryTest : public testing::Test {
 protected:
  EnsureReport Ensure(Database& database, const TableSpec& spec, EnsureMode mode) {
    const Result<EnsureReport> report = EnsureTable(database, spec, mode, options_);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    home_->Settle();
    return report.value_or(EnsureReport());
  }

  std::unique_ptr<homes::TestDatabase> home_ = homes::ThisHome().make();
  RecoveringDatabase database_{home_->database()};
  ManualClock clock_{TimePoint()};
  EnsureOptions options_{.clock = &clock_};
};

TEST_F(RecoveryTest, ComesWithANewTable) {
  const EnsureReport made = Ensure(database_, Letters(7), EnsureMode::kCreate);
  EXPECT_TRUE(made.created);
  EXPECT_THAT(made.applied, IsEmpty());
  EXPECT_THAT(made.differences, IsEmpty());
  EXPECT_TRUE(database_.backups.point_in_time_recovery_enabled);
  EXPECT_EQ(database_.backups.recovery_period_in_days, 7);
  EXPECT_THAT(Ensure(database_, Letters(7), EnsureMode::kVerify).differences, IsEmpty());
}

TEST_F(RecoveryTest, OfATableThatExistsIsSwitchedOnlyWhenAskedTo) {
  Ensure(database_, Letters(), EnsureMode::kCreate);
  database_.backups.point_in_time_recovery_enabled = false;
  TableDifference off{.kind = Drift::kRecovery, .wanted = "35 days", .found = "off", .safe = true};
  EXPECT_THAT(Ensure(database_, Letters(), EnsureMode::kVerify).differences, ElementsAre(off));
  EXPECT_THAT(Ensure(database_, Letters(), EnsureMode::kCreate).differences, ElementsAre(off));
  EXPECT_EQ(database_.updates, 1);  // that of the creation
  const EnsureReport applied = Ensure(database_, Letters(), EnsureMode::kApplySafe);
  EXPECT_THAT(applied.applied, ElementsAre(off));
  EXPECT_THAT(applied.differences, IsEmpty());
  EXPECT_THAT(Ensure(database_, Letters(), EnsureMode::kVerify).differences, IsEmpty());
}

TEST_F(RecoveryTest, GetsMoreDaysAndNeverFewer) {
  Ensure(database_, Letters(7), EnsureMode::kCreate);
  EXPECT_THAT(Ensure(database_, Letters(8), EnsureMode::kApplySafe).applied,
              ElementsAre(TableDifference{
                  .kind = Drift::kRecovery, .wanted = "8 days", .found = "7 days", .safe = true}));
  EXPECT_EQ(database_.backups.recovery_period_in_days, 8);
  const EnsureReport fewer = Ensure(database_, Letters(1), EnsureMode::kApplySafe);
  EXPECT_THAT(fewer.applied, IsEmpty());
  EXPECT_THAT(
      fewer.differences,
      ElementsAre(TableDifference{.kind = Drift::kRecovery, .wanted = "1 day", .found = "8 days"}));
  EXPECT_EQ(database_.backups.recovery_period_in_days, 8);
}

TEST_F(RecoveryTest, IsOf35DaysWhereNoneAreTold) {
  Ensure(database_, Letters(), EnsureMode::kCreate);
  database_.backups.recovery_period_in_days.reset();
  EXPECT_THAT(Ensure(database_, Letters(35), EnsureMode::kVerify).differences, IsEmpty());
  EXPECT_THAT(Ensure(database_, Letters(34), EnsureMode::kVerify).differences,
              ElementsAre(TableDifference{
                  .kind = Drift::kRecovery, .wanted = "34 days", .found = "35 days"}));
}

TEST_F(RecoveryTest, IsNeitherAskedForNorSwitchedWhenNotWanted) {
  TableSpec spec = Letters();
  spec.recovery.enabled = false;
  EXPECT_THAT(Ensure(database_, spec, EnsureMode::kApplySafe).differences, IsEmpty());
  EXPECT_EQ(database_.updates + database_.descriptions, 0);
}

TEST_F(RecoveryTest, WaitsForTheBackupsOfANewTable) {
  database_.too_early = 3;
  EXPECT_THAT(Ensure(database_, Letters(), EnsureMode::kCreate).differences, IsEmpty());
  EXPECT_EQ(database_.updates, 4);
  database_.too_early = 1'000'000;
  database_.backups.point_in_time_recovery_enabled = false;
  const auto report = EnsureTable(database_, Letters(), EnsureMode::kApplySafe, options_);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kResourceInUse);
  EXPECT_GE(clock_.Elapsed(), options_.patience);
}

TEST_F(RecoveryTest, NeedsThePermission) {
  database_.denied = true;
  const auto report = EnsureTable(database_, Letters(), EnsureMode::kApplySafe, options_);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kAccessDenied);
  home_->Settle();
}

// Stator has it, DynamoDB Local does not know it.
TEST_F(RecoveryTest, ComesByDefaultWhereItIsThere) {
  TableSpec spec = Letters();
  spec.ttl_attribute = "ttl";
  const EnsureReport made = Ensure(home_->database(), spec, EnsureMode::kCreate);
  EXPECT_TRUE(made.created);
  EXPECT_EQ(home_->database().DescribeTimeToLive({.table_name = "letters"})->attribute_name, "ttl");
  if (made.differences.empty()) {
    EXPECT_THAT(Ensure(home_->database(), spec, EnsureMode::kVerify).differences, IsEmpty());
    EXPECT_EQ(home_->database()
                  .DescribeContinuousBackups({.table_name = "letters"})
                  ->continuous_backups_description.recovery_period_in_days,
              35);
    return;
  }
  ASSERT_EQ(made.differences.size(), 1U);
  EXPECT_FALSE(made.differences[0].safe);
  EXPECT_EQ(ToText(made.differences[0]),
            "point-in-time recovery is set otherwise; wanted: 35 days; found: off; "
            "this endpoint has no point-in-time recovery");
  EXPECT_THAT(Ensure(home_->database(), spec, EnsureMode::kApplySafe).applied, IsEmpty());
}

// An endpoint without recovery, whatever stands behind it.
class WithoutRecovery final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<DescribeContinuousBackupsOutput> DescribeContinuousBackups(
      const DescribeContinuousBackupsInput& /*input*/) override {
    return Fail(ErrorCode::kUnknownOperation, "");
  }
};

TEST_F(RecoveryTest, DoesNotKeepTheRestFromBeingApplied) {
  WithoutRecovery database(home_->database());
  TableSpec bare = Letters();
  Ensure(database, bare, EnsureMode::kCreate);
  TableSpec spec = Letters();
  spec.ttl_attribute = "ttl";
  DefineAttribute(spec, "day", ScalarAttributeType::kString);
  spec.global_indexes = {{.index_name = "by_day",
                          .key_schema = {{"day", KeyType::kHash}},
                          .projection = {.projection_type = ProjectionType::kKeysOnly}}};
  options_.clock = &SystemClock();
  const EnsureReport applied = Ensure(database, spec, EnsureMode::kApplySafe);
  EXPECT_EQ(applied.applied.size(), 2U);
  ASSERT_EQ(applied.differences.size(), 1U);
  EXPECT_EQ(applied.differences[0].kind, Drift::kRecovery);
}

}  // namespace
}  // namespace stator::provision
