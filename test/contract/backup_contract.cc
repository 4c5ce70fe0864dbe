// CreateBackup, DescribeBackup, ListBackups, DeleteBackup and both restores.

#include <thread>

#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

constexpr char kNowhere[] =
    "arn:aws:dynamodb:us-east-1:000000000000:table/things/backup/01576616366715-b4e58d3a";

class Backups : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things",
               .keys = "pk:S | sk:N",
               .local = {{.name = "by_place", .keys = "pk:S | place:N"}},
               .global = {{.name = "by_kind", .keys = "kind:S", .projection = KeysOnly()}}});
    for (int number = 0; number < 5; ++number) {
      Put("things",
          {{"pk", "a"}, {"sk", number}, {"place", -number}, {"kind", number < 2 ? "x" : "y"}});
    }
  }

  BackupDetails Make(const std::string& name) {
    return Must(db().CreateBackup({.table_name = "things", .backup_name = name})).backup_details;
  }
  std::vector<std::string> Names(const ListBackupsInput& input) {
    std::vector<std::string> names;
    for (const BackupSummary& each : Must(db().ListBackups(input)).backup_summaries) {
      names.push_back(each.backup_name);
    }
    return names;
  }
  // Restoring takes its time.
  TableDescription AwaitActive(const std::string& table) {
    for (int look = 0; look < 3000; ++look) {
      TableDescription seen = Describe(table);
      if (seen.table_status == TableStatus::kActive) {
        return seen;
      }
      EXPECT_EQ(seen.table_status, TableStatus::kCreating);
      EXPECT_TRUE(seen.restore_summary.has_value());
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "it is never there";
    return {};
  }
  void SwitchRecoveryOn() {
    Must(db().UpdateContinuousBackups(
        {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  }
  Result<RestoreTableFromBackupOutput> Restore(const std::string& arn, const std::string& target,
                                               const RestoreOverrides& overrides = {}) {
    return db().RestoreTableFromBackup(
        {.target_table_name = target, .backup_arn = arn, .overrides = overrides});
  }
};

TEST_F(Backups, AreMadeDescribedAndDeleted) {
  const BackupDetails made = Make("daily");
  EXPECT_EQ(made.backup_status, BackupStatus::kCreating);
  EXPECT_EQ(made.backup_type, BackupType::kUser);
  EXPECT_THAT(made.backup_arn, MatchesRegex("arn:aws:dynamodb:[a-z0-9-]+:000000000000:table/things"
                                            "/backup/[0-9]{14}-[0-9a-f]{8}"));
  const BackupDescription described =
      Must(db().DescribeBackup({.backup_arn = made.backup_arn})).backup_description;
  EXPECT_EQ(described.backup_details.backup_status, BackupStatus::kAvailable);
  EXPECT_EQ(described.backup_details.backup_name, "daily");
  EXPECT_EQ(described.backup_details.backup_creation_date_time, made.backup_creation_date_time);
  EXPECT_FALSE(described.backup_details.backup_expiry_date_time.has_value());
  EXPECT_EQ(described.source_table_details.table_id, Describe("things").table_id);
  EXPECT_EQ(described.source_table_details.key_schema, KeySchema("pk:S | sk:N"));
  EXPECT_EQ(described.source_table_details.billing_mode, BillingMode::kPayPerRequest);
  const SourceTableFeatureDetails& features = described.source_table_feature_details;
  ASSERT_TRUE(features.local_secondary_indexes && features.global_secondary_indexes);
  EXPECT_EQ(features.local_secondary_indexes->at(0).index_name, "by_place");
  EXPECT_EQ(features.global_secondary_indexes->at(0).key_schema, KeySchema("kind:S"));
  EXPECT_FALSE(features.stream_description.has_value());
  EXPECT_FALSE(features.time_to_live_description.has_value());

  const auto deleted = Must(db().DeleteBackup({.backup_arn = made.backup_arn}));
  EXPECT_EQ(deleted.backup_description.backup_details.backup_status, BackupStatus::kDeleted);
  const std::string missing = "Backup not found: " + made.backup_arn;
  EXPECT_TRUE(Fails(db().DescribeBackup({.backup_arn = made.backup_arn}),
                    ErrorCode::kBackupNotFound, missing));
  EXPECT_TRUE(Fails(db().DeleteBackup({.backup_arn = made.backup_arn}), ErrorCode::kBackupNotFound,
                    missing));
  EXPECT_TRUE(Fails(Restore(made.backup_arn, "restored"), ErrorCode::kBackupNotFound, missing));
}

TEST_F(Backups, AreRefusedForWhatIsNoTableOrNoBackup) {
  EXPECT_TRUE(Fails(db().CreateBackup({.table_name = "nowhere", .backup_name = "daily"}),
                    ErrorCode::kTableNotFound, "Table not found: nowhere"));
  EXPECT_TRUE(FailsWith(db().CreateBackup({.table_name = "things", .backup_name = "x"}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().CreateBackup({.table_name = "things", .backup_name = "a b c"}),
                        ErrorCode::kValidation));
  EXPECT_TRUE(Refused(
      db().DescribeBackup({.backup_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/things"}),
      "Invalid Backup ARN"));
  EXPECT_TRUE(Refused(db().DescribeBackup({.backup_arn = std::string(kNowhere) + "0"}),
                      "Invalid Backup ARN"));
  EXPECT_TRUE(Fails(db().DeleteBackup({.backup_arn = kNowhere}), ErrorCode::kBackupNotFound,
                    std::string("Backup not found: ") + kNowhere));
  std::string foreign = kNowhere;
  foreign.replace(foreign.find("000000000000"), 12, "123456789012");
  EXPECT_TRUE(Fails(db().DescribeBackup({.backup_arn = foreign}), ErrorCode::kAccessDenied,
                    "Access is denied"));
}

TEST_F(Backups, AreListedInTheirOrderByPages) {
  EXPECT_THAT(Names({}), IsEmpty());
  std::vector<std::string> names;
  for (int number = 0; number < 5; ++number) {
    names.push_back("backup" + std::to_string(number));
    Make(names.back());
    if (ThisHome().controls_time) {
      home().Advance(std::chrono::milliseconds(2));  // those of one moment have no order
    }
  }
  EXPECT_EQ(Names({}), names);
  EXPECT_EQ(Names({.table_name = "things"}), names);
  EXPECT_THAT(Names({.table_name = "nowhere"}), IsEmpty());
  EXPECT_THAT(Names({.backup_type = BackupTypeFilter::kSystem}), IsEmpty());
  EXPECT_EQ(Names({.backup_type = BackupTypeFilter::kAll}), names);
  const ListBackupsOutput first = Must(db().ListBackups({.limit = 3}));
  EXPECT_THAT(first.backup_summaries, SizeIs(3));
  ASSERT_EQ(first.backup_summaries.size(), 3U);
  EXPECT_EQ(first.last_evaluated_backup_arn, first.backup_summaries[2].backup_arn);
  const ListBackupsOutput second = Must(db().ListBackups(
      {.limit = 2, .exclusive_start_backup_arn = first.last_evaluated_backup_arn}));
  EXPECT_THAT(second.backup_summaries, SizeIs(2));
  EXPECT_FALSE(second.last_evaluated_backup_arn.has_value());
  const TimePoint third = first.backup_summaries[2].backup_creation_date_time;
  EXPECT_THAT(Names({.time_range_lower_bound = third}), SizeIs(3));
  EXPECT_THAT(Names({.time_range_upper_bound = third}), SizeIs(2));
  EXPECT_TRUE(Refused(db().ListBackups({.time_range_lower_bound = third,
                                        .time_range_upper_bound = third - std::chrono::hours(1)}),
                      "Time range lower bound must be less than or equal to upper bound"));
  EXPECT_TRUE(FailsWith(db().ListBackups({.limit = 101}), ErrorCode::kValidation));
}

TEST_F(Backups, AreRestoredWithTheirIndexes) {
  const std::string arn = Make("daily").backup_arn;
  Put("things", {{"pk", "a"}, {"sk", 7}});
  const TableDescription begun = Must(Restore(arn, "restored")).table_description;
  EXPECT_EQ(begun.table_status, TableStatus::kCreating);
  EXPECT_EQ(begun.item_count, 0);
  ASSERT_TRUE(begun.restore_summary.has_value());
  EXPECT_EQ(begun.restore_summary->source_backup_arn, arn);
  EXPECT_EQ(begun.restore_summary->source_table_arn, Describe("things").table_arn);
  const TableDescription whole = AwaitActive("restored");
  EXPECT_FALSE(whole.restore_summary.has_value());
  EXPECT_EQ(whole.item_count, 5);
  EXPECT_NE(whole.table_id, Describe("things").table_id);
  EXPECT_THAT(ScanAll({.table_name = "restored"}), SizeIs(5));
  EXPECT_THAT(ScanAll({.table_name = "restored", .index_name = "by_kind"}), SizeIs(5));
  EXPECT_THAT(QueryAll({.table_name = "restored",
                        .index_name = "by_place",
                        .key_condition_expression = "pk = :p AND place < :n",
                        .expression_attribute_values = {{{":p", "a"}, {":n", -2}}}}),
              SizeIs(2));
  EXPECT_TRUE(Fails(Restore(arn, "restored"), ErrorCode::kTableAlreadyExists,
                    "Table already exists: restored"));
  EXPECT_TRUE(Fails(Restore(arn, "things"), ErrorCode::kTableAlreadyExists,
                    "Table already exists: things"));
}

TEST_F(Backups, AreRestoredWithOtherSettings) {
  const std::string arn = Make("daily").backup_arn;
  const ProvisionedThroughput units{.read_capacity_units = 3, .write_capacity_units = 4};
  EXPECT_TRUE(Refused(Restore(arn, "restored", {.provisioned_throughput_override = units}),
                      "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED"));
  EXPECT_TRUE(
      Refused(Restore(arn, "restored", {.billing_mode_override = BillingMode::kProvisioned}),
              "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED"));
  GlobalSecondaryIndex index = GlobalIndex({.name = "renamed", .keys = "kind:S"});
  EXPECT_TRUE(Refused(Restore(arn, "restored", {.global_secondary_index_override = {{index}}}),
                      "Index renamed does not match a secondary index that existed in the source "
                      "table and cannot be created during the restore operation"));
  index.projection = KeysOnly();
  EXPECT_TRUE(Refused(Restore(arn, "restored",
                              {.billing_mode_override = BillingMode::kProvisioned,
                               .global_secondary_index_override = {{index}},
                               .provisioned_throughput_override = units}),
                      "Must specify provisioned throughput for index renamed"));
  EXPECT_FALSE(db().DescribeTable({.table_name = "restored"}).has_value());
  index.provisioned_throughput = units;
  EXPECT_TRUE(
      Succeeds(Restore(arn, "restored",
                       {.billing_mode_override = BillingMode::kProvisioned,
                        .global_secondary_index_override = {{index}},
                        .local_secondary_index_override = {std::vector<LocalSecondaryIndex>()},
                        .provisioned_throughput_override = units})));
  const TableDescription whole = AwaitActive("restored");
  EXPECT_EQ(whole.provisioned_throughput.write_capacity_units, 4);
  EXPECT_FALSE(whole.local_secondary_indexes.has_value());
  ASSERT_TRUE(whole.global_secondary_indexes && whole.attribute_definitions);
  ASSERT_THAT(*whole.global_secondary_indexes, SizeIs(1));
  EXPECT_EQ(whole.global_secondary_indexes->at(0).index_name, "renamed");
  EXPECT_EQ(whole.attribute_definitions->size(), 3U);  // place is a key of nothing any more
  EXPECT_THAT(ScanAll({.table_name = "restored", .index_name = "renamed"}), SizeIs(5));
}

TEST_F(Backups, OutliveTheirTable) {
  const std::string arn = Make("daily").backup_arn;
  Must(db().DeleteTable({.table_name = "things"}));
  EXPECT_EQ(Names({.table_name = "things"}), std::vector<std::string>{"daily"});
  EXPECT_TRUE(Succeeds(Restore(arn, "things")));
  AwaitActive("things");
  EXPECT_THAT(ScanAll({.table_name = "things"}), SizeIs(5));
}

TEST_F(Backups, ATableIsRestoredToItsLatestMoment) {
  SwitchRecoveryOn();
  Put("things", {{"pk", "b"}, {"sk", 1}});
  const auto begun = Must(db().RestoreTableToPointInTime({.target_table_name = "restored",
                                                          .source_table_name = "things",
                                                          .use_latest_restorable_time = true}));
  ASSERT_TRUE(begun.table_description.restore_summary.has_value());
  EXPECT_FALSE(begun.table_description.restore_summary->source_backup_arn.has_value());
  AwaitActive("restored");
  EXPECT_THAT(ScanAll({.table_name = "restored"}), SizeIs(6));
  // What was switched on there is not here.
  EXPECT_FALSE(Must(db().DescribeContinuousBackups({.table_name = "restored"}))
                   .continuous_backups_description.point_in_time_recovery_enabled);
}

TEST_F(Backups, ARestoreSaysWhatIsWrongWithIt) {
  const auto restore = [this](const RestoreTableToPointInTimeInput& input) {
    return db().RestoreTableToPointInTime(input);
  };
  EXPECT_TRUE(
      Refused(restore({.target_table_name = "restored", .use_latest_restorable_time = true}),
              "The parameter 'TableName' is required"));
  EXPECT_TRUE(Refused(restore({.target_table_name = "restored",
                               .source_table_name = "things",
                               .source_table_arn = kNowhere}),
                      "Must provide exactly one of: sourceTableArn, sourceTableName"));
  EXPECT_TRUE(Refused(restore({.target_table_name = "restored",
                               .source_table_arn = "things",
                               .use_latest_restorable_time = true}),
                      "sourceTableArn is not a valid ARN"));
  EXPECT_TRUE(Refused(restore({.target_table_name = "restored", .source_table_name = "things"}),
                      "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime "
                      "must be specified, but not both"));
  EXPECT_TRUE(Fails(restore({.target_table_name = "restored",
                             .source_table_name = "nowhere",
                             .use_latest_restorable_time = true}),
                    ErrorCode::kTableNotFound, "Table not found: nowhere"));
  EXPECT_TRUE(Fails(restore({.target_table_name = "restored",
                             .source_table_name = "things",
                             .use_latest_restorable_time = true}),
                    ErrorCode::kRecoveryUnavailable,
                    "Point in time recovery is not enabled for table 'things'"));
  SwitchRecoveryOn();
  const auto refused = restore({.target_table_name = "restored",
                                .source_table_name = "things",
                                .restore_date_time = TimePoint(std::chrono::hours(1))});
  ASSERT_TRUE(FailsWith(refused, ErrorCode::kInvalidRestoreTime));
  EXPECT_THAT(refused.error().message,
              HasSubstr("RestoreDateTime '1970-01-01T01:00:00Z' must be within"));
  EXPECT_FALSE(db().DescribeTable({.table_name = "restored"}).has_value());
}

}  // namespace
}  // namespace stator::contract
