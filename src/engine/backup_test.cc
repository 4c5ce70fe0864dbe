// Backups and restores: what is restored equals what was, whatever happened since.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/work.h"
#include "engine/check_database.h"
#include "engine/history.h"
#include "engine/sample_database.h"
#include "keyspace/keys.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Contents = std::map<std::string, int>;

class BackupTest : public testing::Test {
 protected:
  void Open() {
    engine_.reset();
    EngineOptions options =
        environment_.Options({.path = path_, .durability = storage::Durability::kRelaxed});
    options.restorable_after = restorable_after_;
    engine_ = Must(Engine::Open(options));
  }
  void SetUp() override { Open(); }

  void MakeTable(const std::string& name = "things") {
    Must(engine_->CreateTable(
        {.table_name = name,
         .attribute_definitions = {{"id", ScalarAttributeType::kString},
                                   {"parity", ScalarAttributeType::kNumber}},
         .key_schema = {{"id", KeyType::kHash}},
         .billing_mode = BillingMode::kPayPerRequest,
         .global_secondary_indexes = {
             {{.index_name = "by_parity",
               .key_schema = {{"parity", KeyType::kHash}},
               .projection = {.projection_type = ProjectionType::kKeysOnly}}}}}));
  }
  void Put(const std::string& id, int value, const std::string& table = "things") {
    Must(engine_->PutItem(
        {.table_name = table, .item = {{"id", id}, {"value", value}, {"parity", value % 2}}}));
  }
  void Delete(const std::string& id) {
    Must(engine_->DeleteItem({.table_name = "things", .key = {{"id", id}}}));
  }
  Contents Read(const std::string& table, std::optional<std::string> index = std::nullopt) {
    Contents contents;
    const ScanOutput page = Must(engine_->Scan({.table_name = table, .index_name = index}));
    EXPECT_FALSE(page.last_evaluated_key.has_value());
    for (const Item& item : *page.items) {
      const AttributeValue* value = item.Find("value");
      contents[*item.at("id").If<std::string>()] =
          value == nullptr ? 0 : static_cast<int>(value->If<Number>()->ToInt64().value());
    }
    return contents;
  }
  std::string Backup(const std::string& name = "daily", const std::string& table = "things") {
    return Must(engine_->CreateBackup({.table_name = table, .backup_name = name}))
        .backup_details.backup_arn;
  }
  // Nothing when it was refused; Failure() says why.
  Contents Restore(const std::string& arn, const std::string& target) {
    const auto begun =
        engine_->RestoreTableFromBackup({.target_table_name = target, .backup_arn = arn});
    if (!begun) {
      ADD_FAILURE() << begun.error().message;
      return {};
    }
    EXPECT_EQ(begun->table_description.table_status, TableStatus::kCreating);
    engine_->AwaitBackgroundJobs();
    EXPECT_EQ(Status(target), TableStatus::kActive);
    EXPECT_THAT(Read(target, "by_parity"), SizeIs(Read(target).size()));
    return Read(target);
  }
  TableStatus Status(const std::string& table) {
    return Must(engine_->DescribeTable({.table_name = table})).table.table_status;
  }
  void Switch(bool on) {
    Must(engine_->UpdateContinuousBackups(
        {.table_name = "things", .point_in_time_recovery_specification = {.enabled = on}}));
  }
  std::vector<std::string> NamesOf(BackupTypeFilter type) {
    std::vector<std::string> names;
    for (const BackupSummary& each :
         Must(engine_->ListBackups({.backup_type = type})).backup_summaries) {
      names.push_back(each.backup_name);
    }
    return names;
  }
  CheckReport CheckClosed() {
    EXPECT_TRUE(engine_->Close().has_value());
    CheckReport report = Must(CheckDatabase({.path = path_}));
    EXPECT_THAT(report.problems.texts, IsEmpty());
    EXPECT_THAT(report.warnings.texts, IsEmpty());
    return report;
  }

  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/db";
  std::chrono::seconds restorable_after_{0};
  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(BackupTest, HoldsWhatTheTableWas) {
  MakeTable();
  Put("a", 1);
  Put("b", 2);
  const Contents then = Read("things");
  const std::string arn = Backup();
  Put("a", 3);
  Delete("b");
  Put("c", 4);
  EXPECT_EQ(Restore(arn, "restored"), then);
  EXPECT_EQ(Read("things"), (Contents{{"a", 3}, {"c", 4}}));
  // As often as one likes.
  Put("a", 5, "restored");
  EXPECT_EQ(Restore(arn, "again"), then);
  EXPECT_EQ(CheckClosed().backups, 1U);
}

TEST_F(BackupTest, OutlivesItsTableAndARestart) {
  MakeTable();
  Put("a", 1);
  const std::string first = Backup("first");
  Put("a", 2);
  const std::string second = Backup("second");
  Put("a", 3);
  Must(engine_->DeleteTable({.table_name = "things"}));
  engine_->AwaitBackgroundJobs();
  MakeTable();  // another one of the name
  Put("z", 9);
  Open();
  EXPECT_EQ(Restore(second, "second"), (Contents{{"a", 2}}));
  EXPECT_EQ(Restore(first, "first"), (Contents{{"a", 1}}));
  EXPECT_THAT(CheckClosed().kept.texts, ElementsAre(HasSubstr("kept for who may restore it")));
  Open();
  Must(engine_->DeleteBackup({.backup_arn = first}));
  EXPECT_EQ(Restore(second, "third"), (Contents{{"a", 2}}));
  Must(engine_->DeleteBackup({.backup_arn = second}));
  engine_->AwaitBackgroundJobs();
  const CheckReport report = CheckClosed();
  EXPECT_THAT(report.kept.texts, IsEmpty()) << "nothing keeps the dropped table any more";
  EXPECT_EQ(report.undo_rows, 0U);
  EXPECT_EQ(report.items, 4U);  // of things, second, first and third
}

TEST_F(BackupTest, OfTheLastMomentOfATableWithRecoveryIsMadeByItself) {
  MakeTable();
  Put("a", 1);
  Switch(true);
  Put("a", 2);
  Put("b", 1);
  const Contents last = Read("things");
  Must(engine_->DeleteTable({.table_name = "things"}));
  engine_->AwaitBackgroundJobs();
  EXPECT_THAT(NamesOf(BackupTypeFilter::kUser), IsEmpty());
  EXPECT_THAT(NamesOf(BackupTypeFilter::kSystem), ElementsAre("things$DeletedTableBackup"));
  const BackupSummary summary =
      Must(engine_->ListBackups({.backup_type = BackupTypeFilter::kAll})).backup_summaries.at(0);
  EXPECT_EQ(*summary.backup_expiry_date_time, environment_.clock.Now() + std::chrono::days(35));
  EXPECT_THAT(summary.backup_arn, testing::EndsWith("-00000000"));
  const auto refused = engine_->DeleteBackup({.backup_arn = summary.backup_arn});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("not allowed to delete the system backup"));
  Open();
  EXPECT_EQ(Restore(summary.backup_arn, "things"), last);
  environment_.clock.Advance(std::chrono::days(36));
  ASSERT_TRUE(engine_->RunHousekeeping().has_value());
  engine_->AwaitBackgroundJobs();
  EXPECT_THAT(NamesOf(BackupTypeFilter::kAll), IsEmpty());
  EXPECT_EQ(CheckClosed().undo_rows, 0U);
}

TEST_F(BackupTest, NoneIsMadeOfATableWhoseRecoveryIsOff) {
  MakeTable();
  Switch(true);
  Switch(false);
  Must(engine_->DeleteTable({.table_name = "things"}));
  engine_->AwaitBackgroundJobs();
  EXPECT_THAT(NamesOf(BackupTypeFilter::kAll), IsEmpty());
  EXPECT_THAT(CheckClosed().notes.texts, IsEmpty());
}

TEST_F(BackupTest, HistoryIsKeptForItAloneAndNoLonger) {
  MakeTable();
  Put("a", 1);
  const std::string arn = Backup();
  for (int value = 0; value < 20; ++value) {
    environment_.clock.Advance(std::chrono::minutes(2));
    Put("a", value);
    ASSERT_TRUE(engine_->RunHousekeeping().has_value());
  }
  // Of twenty changes only the first says what was at the moment of the backup.
  EXPECT_LE(CheckClosed().undo_rows, 3U);
  Open();
  EXPECT_EQ(Restore(arn, "restored"), (Contents{{"a", 1}}));
  Must(engine_->DeleteBackup({.backup_arn = arn}));
  engine_->AwaitBackgroundJobs();
  EXPECT_EQ(CheckClosed().undo_rows, 0U);
}

TEST_F(BackupTest, SwitchingRecoveryOffKeepsBackups) {
  MakeTable();
  Put("a", 1);
  Switch(true);
  const std::string arn = Backup();
  Put("a", 2);
  Switch(false);
  Put("a", 3);
  Open();
  Put("a", 4);
  EXPECT_EQ(Restore(arn, "restored"), (Contents{{"a", 1}}));
}

TEST_F(BackupTest, ATableIsRestoredToAnyMoment) {
  MakeTable();
  Put("a", 0);
  Switch(true);
  std::vector<std::pair<TimePoint, Contents>> versions;
  SeededRandom random(7);
  for (int step = 1; step < 60; ++step) {
    environment_.clock.Advance(std::chrono::seconds(1));
    const std::string id(1, static_cast<char>('a' + random.Below(6)));
    if (random.Below(3) == 0) {
      Delete(id);
    } else {
      Put(id, step);
    }
    versions.emplace_back(environment_.clock.Now(), Read("things"));
  }
  environment_.clock.Advance(std::chrono::seconds(1));
  for (int look = 0; look < 8; ++look) {
    const auto& [moment, then] = versions[random.Below(versions.size())];
    const std::string target = "then" + std::to_string(look);
    Must(engine_->RestoreTableToPointInTime(
        {.target_table_name = target, .source_table_name = "things", .restore_date_time = moment}));
    engine_->AwaitBackgroundJobs();
    EXPECT_EQ(Read(target), then);
  }
  Must(engine_->RestoreTableToPointInTime({.target_table_name = "latest",
                                           .source_table_name = "things",
                                           .use_latest_restorable_time = true}));
  engine_->AwaitBackgroundJobs();
  EXPECT_EQ(Read("latest"), versions.back().second);
  CheckClosed();
}

// As Amazon's service has it, for who wants to see what programs make of it.
TEST_F(BackupTest, WhatWasJustWrittenCanBeRestoredLaterIfThatIsAskedFor) {
  restorable_after_ = std::chrono::minutes(5);
  Open();
  MakeTable();
  Put("a", 1);
  Switch(true);
  const auto latest = [&] {
    return *Must(engine_->DescribeContinuousBackups({.table_name = "things"}))
                .continuous_backups_description.latest_restorable_date_time;
  };
  const TimePoint enabled = environment_.clock.Now();
  environment_.clock.Advance(std::chrono::minutes(3));
  EXPECT_EQ(latest(), enabled);
  Put("a", 2);
  environment_.clock.Advance(std::chrono::minutes(4));
  EXPECT_EQ(latest(), environment_.clock.Now() - std::chrono::minutes(5));
  const auto restore = [&](const std::string& target, std::optional<TimePoint> moment) {
    return engine_->RestoreTableToPointInTime({.target_table_name = target,
                                               .source_table_name = "things",
                                               .use_latest_restorable_time = !moment.has_value(),
                                               .restore_date_time = moment});
  };
  Must(restore("latest", std::nullopt));
  engine_->AwaitBackgroundJobs();
  EXPECT_EQ(Read("latest"), (Contents{{"a", 1}}));
  EXPECT_EQ(restore("now", environment_.clock.Now()).error().code, ErrorCode::kInvalidRestoreTime);
  const auto exported = engine_->ExportTableToPointInTime(
      {.table_arn = Must(engine_->DescribeTable({.table_name = "things"})).table.table_arn,
       .s3_bucket = "bucket",
       .export_time = environment_.clock.Now()});
  EXPECT_EQ(exported.error().message,
            "Point in Time Recovery is not available for specified export time");
  EXPECT_EQ(Must(engine_->RewindTable({.table_name = "things", .rewind_date_time = enabled}))
                .items_changed,
            1)
      << "what is ours waits for nothing";
}

TEST_F(BackupTest, ARestoreThatWasCutOffGoesOn) {
  MakeTable();
  for (int number = 0; number < 500; ++number) {
    Must(engine_->PutItem({.table_name = "things",
                           .item = {{"id", "item" + std::to_string(number)},
                                    {"value", number},
                                    {"parity", 0},
                                    {"text", std::string(10'000, 'x')}}}));
  }
  const std::string arn = Backup();
  Delete("item1");
  Must(engine_->RestoreTableFromBackup({.target_table_name = "restored", .backup_arn = arn}));
  engine_.reset();  // in the middle, perhaps
  Open();
  const Result<TableDescription> seen = [&]() -> Result<TableDescription> {
    return Must(engine_->DescribeTable({.table_name = "restored"})).table;
  }();
  EXPECT_EQ(seen->restore_summary.has_value(), seen->table_status == TableStatus::kCreating);
  engine_->AwaitBackgroundJobs();
  const TableDescription whole = Must(engine_->DescribeTable({.table_name = "restored"})).table;
  EXPECT_EQ(whole.table_status, TableStatus::kActive);
  EXPECT_EQ(whole.item_count, 500);
  EXPECT_FALSE(whole.restore_summary.has_value());
  EXPECT_EQ(whole.global_secondary_indexes->at(0).item_count, 500);
  CheckClosed();
}

TEST_F(BackupTest, TwoWhoDeleteItDoNotBoth) {
  MakeTable();
  const std::string arn = Backup();
  Must(engine_->DeleteBackup({.backup_arn = arn}));
  const auto again = engine_->DeleteBackup({.backup_arn = arn});
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kBackupNotFound);
}

// A thread that serves others does not read thousands of them: the call wants to go elsewhere.
TEST_F(BackupTest, ManyAreNotListedOnAThreadThatServes) {
  MakeTable();
  for (int number = 0; number < 400; ++number) {
    environment_.clock.Advance(std::chrono::milliseconds(1));
    Backup("daily");
  }
  const ListBackupsInput of_another{.table_name = "nowhere"};
  EXPECT_TRUE(engine_->ListBackups(of_another).has_value());
  const base::WorkScope scope({.share = base::kServingShare, .may_wait = false});
  EXPECT_FALSE(engine_->ListBackups(of_another).has_value());
  EXPECT_TRUE(scope.wanted_threads().has_value());
}

// Rows of one item, some of them in the file that is compacted, and moments that are kept: what any of
// these moments, or any behind the horizon, sees is the same before and after.
TEST(HistoryKeeper, RemovesOnlyWhatNoKeptMomentNeeds) {
  constexpr std::uint32_t kTable = 7;
  std::string item;
  keyspace::AppendItemKey(kTable, AttributeValue("a"), nullptr, item);
  SeededRandom random(1);
  std::uint64_t removed = 0;
  for (int round = 0; round < 20'000; ++round) {
    HistoryKeeper keeper;
    const std::uint64_t horizon = random.Below(30);
    std::vector<std::uint64_t> kept;
    for (std::uint64_t left = random.Below(4); left > 0; --left) {
      kept.push_back(random.Below(30));
      keeper.Pin(kTable, kept.back());
    }
    keeper.SetHorizon(kTable, horizon);
    std::map<std::uint64_t, bool> rows;  // time of the change, whether the file has it
    for (std::uint64_t left = random.Below(8); left > 0; --left) {
      rows[1 + random.Below(30)] = random.Below(3) != 0;
    }
    // The first change behind a moment tells what was.
    const auto decides = [](const std::map<std::uint64_t, bool>& of, std::uint64_t time) {
      const auto found = of.upper_bound(time);
      return found == of.end() ? 0 : found->first;
    };
    std::map<std::uint64_t, bool> left = rows;
    const std::unique_ptr<storage::RowFilter> filter = keeper.Make();
    for (const auto& [time, in_file] : rows) {
      std::string key;
      keyspace::AppendUndoKey(item, time, key);
      if (in_file && filter->Removes(key, 0)) {
        left.erase(time);
        ++removed;
      }
    }
    for (std::uint64_t time = horizon; time <= 31; ++time) {
      ASSERT_EQ(decides(left, time), decides(rows, time)) << "round " << round;
    }
    for (const std::uint64_t time : kept) {
      ASSERT_EQ(decides(left, time), decides(rows, time)) << "round " << round;
    }
  }
  EXPECT_GT(removed, 1000U);
}

}  // namespace
}  // namespace stator::engine
