// A power cut at every single write of every job behind a schema change: back-fill, removal of an
// index, clean-up of a table, switching expiry on and off, backups and restores, rewinds and
// checkpoints. The engine that comes
// next finishes the job, and the checker finds nothing at any time.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/check_database.h"
#include "inspect.h"
#include "machine.h"
#include "workload.h"

namespace stator::crash {
namespace {

// More than two steps of a walk.
constexpr int kItems = 450;
constexpr int kItemsPerBatch = 25;
constexpr std::uint64_t kWritesMax = 500;

struct Job {
  std::string name;
  // What comes before, without failure.
  std::function<Result<void>(Database&)> prepare;
  // What has the job as its consequence.
  std::function<Result<void>(Database&)> request;
  // Whether the request has had its whole effect.
  std::function<bool(Database&)> is_done;
  // Whether the table can be written to meanwhile.
  bool has_table = true;
  // Of rewinds and checkpoints.
  engine::GoingBackLimits going_back = {};
};

// A batch for everything, and many steps.
constexpr engine::GoingBackLimits kAtOnce{};
constexpr engine::GoingBackLimits kInSteps{.at_once = {.items = 10, .bytes = 16 << 10},
                                           .per_step = {.items = 8, .bytes = 4 << 10}};

Result<void> Nothing(Database& /*database*/) {
  return {};
}

Result<void> SwitchExpiry(Database& database, bool on) {
  TRY(database.UpdateTimeToLive(
      {.table_name = kOrders,
       .time_to_live_specification = {.enabled = on, .attribute_name = "expires"}}));
  return {};
}

Result<void> AddIndex(Database& database) {
  TRY(database.UpdateTable({.table_name = kOrders,
                            .attribute_definitions = {{{"op", ScalarAttributeType::kNumber}}},
                            .global_secondary_index_updates = {{GlobalSecondaryIndex{
                                .index_name = "by_op",
                                .key_schema = {{"op", KeyType::kHash}},
                                .projection = {.projection_type = ProjectionType::kAll}}}}}));
  return {};
}

Result<void> DropIndex(Database& database) {
  TRY(database.UpdateTable({.table_name = kOrders,
                            .global_secondary_index_updates = {
                                {DeleteGlobalSecondaryIndexAction{.index_name = "by_city"}}}}));
  return {};
}

Result<void> Backup(Database& database) {
  TRY(database.CreateBackup({.table_name = kOrders, .backup_name = "daily"}));
  return {};
}

Result<void> SwitchRecoveryOn(Database& database) {
  TRY(database.UpdateContinuousBackups(
      {.table_name = kOrders, .point_in_time_recovery_specification = {.enabled = true}}));
  return {};
}

constexpr char kRestored[] = "restored";

// What is in the backup, if there is one, whatever the table is now.
Result<void> RestoreBackup(Database& database) {
  const ListBackupsOutput backups =
      TRY(database.ListBackups({.backup_type = BackupTypeFilter::kAll}));
  if (backups.backup_summaries.empty()) {
    return Fail(ErrorCode::kBackupNotFound, "there is none");
  }
  TRY(database.RestoreTableFromBackup(
      {.target_table_name = kRestored, .backup_arn = backups.backup_summaries[0].backup_arn}));
  return {};
}

// Whole, with its indexes.
bool IsRestored(Database& database) {
  ScanInput input{.table_name = kRestored, .select = Select::kCount};
  const Result<ScanOutput> items = database.Scan(input);
  input.index_name = "by_city";
  const Result<ScanOutput> entries = database.Scan(input);
  return items && items->count == kItems && entries && entries->count == kItems;
}

Result<void> Export(Database& database) {
  const std::string arn = TRY(database.DescribeTable({.table_name = kOrders})).table.table_arn;
  TRY(database.ExportTableToPointInTime({.table_arn = arn, .s3_bucket = "bucket"}));
  return {};
}

// The first one, once it is whole.
std::optional<ExportDescription> ExportedIn(Database& database) {
  const ListExportsOutput exports = database.ListExports({}).value();
  if (exports.export_summaries.empty()) {
    return std::nullopt;
  }
  const ExportDescription seen =
      database.DescribeExport({.export_arn = exports.export_summaries[0].export_arn})
          .value()
          .export_description;
  return seen.export_status == ExportStatus::kCompleted ? std::optional(seen) : std::nullopt;
}

constexpr char kImported[] = "imported";

Result<void> ImportExported(Database& database) {
  const std::string manifest = ExportedIn(database).value().export_manifest.value();
  TRY(database.ImportTable(
      {.s3_bucket_source = {.s3_bucket = "bucket",
                            .s3_key_prefix = manifest.substr(0, manifest.rfind('/')) + "/data/"},
       .input_format = InputFormat::kDynamoDbJson,
       .table_creation_parameters =
           {.table_name = kImported,
            .attribute_definitions = {{"customer", ScalarAttributeType::kString},
                                      {"number", ScalarAttributeType::kNumber},
                                      {"city", ScalarAttributeType::kString}},
            .key_schema = {{"customer", KeyType::kHash}, {"number", KeyType::kRange}},
            .billing_mode = BillingMode::kPayPerRequest,
            .global_secondary_indexes = {{{.index_name = "by_city",
                                           .key_schema = {{"city", KeyType::kHash}},
                                           .projection = {.projection_type =
                                                              ProjectionType::kAll}}}}},
       .input_compression_type = InputCompressionType::kGzip}));
  return {};
}

// Whole, with its index, and counted once.
bool IsImported(Database& database) {
  ScanInput input{.table_name = kImported, .select = Select::kCount};
  const Result<ScanOutput> items = database.Scan(input);
  input.index_name = "by_city";
  const Result<ScanOutput> entries = database.Scan(input);
  const ListImportsOutput imports = database.ListImports({}).value();
  if (!items || !entries || imports.import_summary_list.empty()) {
    return false;
  }
  const ImportTableDescription import =
      database.DescribeImport({.import_arn = imports.import_summary_list[0].import_arn})
          .value()
          .import_table_description;
  return items->count == kItems && entries->count == kItems &&
         import.import_status == ImportStatus::kCompleted && import.processed_item_count == kItems;
}

Result<void> DropTable(Database& database) {
  TRY(database.DeleteTable({.table_name = kOrders}));
  return {};
}

// The moment to go back to.
Result<void> BeginRecoveryAnew(Database& database) {
  TRY(database.UpdateContinuousBackups(
      {.table_name = kOrders, .point_in_time_recovery_specification = {.enabled = false}}));
  return SwitchRecoveryOn(database);
}

Result<void> ChangeSome(Database& database) {
  for (int number = 0; number < kItems; number += 30) {
    TRY(database.DeleteItem(
        {.table_name = kOrders, .key = {{"customer", "any"}, {"number", number}}}));
    TRY(database.PutItem({.table_name = kOrders,
                          .item = {{"customer", "any"}, {"number", -number - 1}, {"op", number}}}));
  }
  return {};
}

Result<void> RewindAll(Database& database) {
  const auto backups = TRY(database.DescribeContinuousBackups({.table_name = kOrders}));
  TRY(database.RewindTable(
      {.table_name = kOrders,
       .rewind_date_time = *backups.continuous_backups_description.earliest_restorable_date_time}));
  return {};
}

constexpr char kCheckpoint[] = "fixtures";

Result<void> MakeCheckpoint(Database& database) {
  TRY(database.CreateCheckpoint({.checkpoint_name = kCheckpoint}));
  return {};
}

Result<void> RestoreCheckpoint(Database& database) {
  TRY(database.RestoreCheckpoint({.checkpoint_name = kCheckpoint}));
  return {};
}

// As Fill has left it.
bool IsAsFilled(Database& database) {
  ScanInput input{.table_name = kOrders, .select = Select::kCount};
  const Result<ScanOutput> items = database.Scan(input);
  input.index_name = "by_city";
  const Result<ScanOutput> entries = database.Scan(input);
  return items && items->count == kItems && entries && entries->count == kItems;
}

// How many entries a scan of the index finds; nothing when it cannot be scanned.
std::optional<int> CountIn(Database& database, const std::string& index) {
  ScanInput input{.table_name = kOrders, .index_name = index, .select = Select::kCount};
  const Result<ScanOutput> output = database.Scan(input);
  return output ? std::optional(output->count) : std::nullopt;
}

TimeToLiveStatus ExpiryOf(Database& database) {
  return database.DescribeTimeToLive({.table_name = kOrders}).value().time_to_live_status;
}

std::vector<Job> Jobs() {
  return {
      {"back-fill", Nothing, AddIndex,
       [](Database& database) { return CountIn(database, "by_op") == kItems; }},
      {"removal of an index", Nothing, DropIndex,
       [](Database& database) {
         const auto table = database.DescribeTable({.table_name = kOrders}).value().table;
         return table.global_secondary_indexes->size() == 1;
       }},
      {"clean-up of a table", Nothing, DropTable,
       [](Database& database) {
         return !database.DescribeTable({.table_name = kOrders}).has_value();
       },
       false},
      {"a first backup", Nothing, Backup,
       [](Database& database) {
         return database.ListBackups({}).value().backup_summaries.size() == 1;
       }},
      {"a restore",
       [](Database& database) -> Result<void> {
         TRY_VOID(Backup(database));
         TRY(database.DeleteItem(
             {.table_name = kOrders, .key = {{"customer", "any"}, {"number", 7}}}));
         return {};
       },
       RestoreBackup, IsRestored},
      {"a restore of a table that was dropped",
       [](Database& database) -> Result<void> {
         TRY_VOID(Backup(database));
         return DropTable(database);
       },
       RestoreBackup, IsRestored, false},
      {"an export", SwitchRecoveryOn, Export,
       [](Database& database) {
         const auto exported = ExportedIn(database);
         return exported && exported->item_count == kItems;
       }},
      {"an import",
       [](Database& database) -> Result<void> {
         TRY_VOID(SwitchRecoveryOn(database));
         TRY_VOID(Export(database));
         static_cast<engine::Engine&>(database).AwaitBackgroundJobs();
         return {};
       },
       ImportExported, IsImported},
      {"clean-up of a table with recovery", SwitchRecoveryOn, DropTable,
       [](Database& database) {
         return database.ListBackups({.backup_type = BackupTypeFilter::kSystem})
                        .value()
                        .backup_summaries.size() == 1 &&
                !database.DescribeTable({.table_name = kOrders}).has_value();
       },
       false},
      {"a rewind in one batch",
       [](Database& database) -> Result<void> {
         TRY_VOID(BeginRecoveryAnew(database));
         return ChangeSome(database);
       },
       RewindAll, IsAsFilled, true, kAtOnce},
      {"a rewind in steps",
       [](Database& database) -> Result<void> {
         TRY_VOID(BeginRecoveryAnew(database));
         return ChangeSome(database);
       },
       RewindAll, IsAsFilled, true, kInSteps},
      {"a checkpoint", Nothing, MakeCheckpoint,
       [](Database& database) {
         return database.ListCheckpoints({}).value().checkpoints.size() == 1;
       }},
      {"going back to a checkpoint in one batch",
       [](Database& database) -> Result<void> {
         TRY_VOID(MakeCheckpoint(database));
         return ChangeSome(database);
       },
       RestoreCheckpoint, IsAsFilled, true, kAtOnce},
      {"going back to a checkpoint in steps, with a table that was dropped",
       [](Database& database) -> Result<void> {
         TRY_VOID(MakeCheckpoint(database));
         TRY_VOID(ChangeSome(database));
         return DropTable(database);
       },
       RestoreCheckpoint, IsAsFilled, false, kInSteps},
      {"switching expiry on", [](Database& database) { return SwitchExpiry(database, false); },
       [](Database& database) { return SwitchExpiry(database, true); },
       [](Database& database) { return ExpiryOf(database) == TimeToLiveStatus::kEnabled; }},
      {"switching expiry off", Nothing,
       [](Database& database) { return SwitchExpiry(database, false); },
       [](Database& database) { return ExpiryOf(database) == TimeToLiveStatus::kDisabled; }},
  };
}

Result<void> Fill(Database& database) {
  for (int first = 0; first < kItems; first += kItemsPerBatch) {
    BatchWriteItemInput batch;
    for (int number = first; number < first + kItemsPerBatch; ++number) {
      batch.request_items[kOrders].emplace_back(PutRequest{{{"customer", "any"},
                                                            {"number", number},
                                                            {"op", number},
                                                            {"city", "any"},
                                                            {"expires", 2'000'000'000 + number}}});
    }
    TRY(database.BatchWriteItem(batch));
  }
  return {};
}

// Whether the job was done before the disk failed at write number `writes`.
bool CutAt(const Job& job, std::uint64_t writes) {
  Machine machine(writes);
  machine.set_going_back(job.going_back);
  EXPECT_TRUE(machine.Start().has_value());
  EXPECT_TRUE(CreateTables(machine.engine()).has_value());
  EXPECT_TRUE(Fill(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  EXPECT_TRUE(job.prepare(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();

  machine.disk().FailWritesAfter(writes);
  const bool acknowledged = job.request(machine.engine()).has_value();
  machine.engine().AwaitBackgroundJobs();
  const bool healthy = machine.engine().Health().has_value();
  EXPECT_TRUE(!healthy || (acknowledged && job.is_done(machine.engine())))
      << "acknowledged: " << acknowledged << ", failing behind write " << writes;
  machine.LosePower(nullptr);

  const auto problem = ProblemOnDisk(machine.StoreOptions());
  EXPECT_FALSE(problem.has_value()) << *problem;
  EXPECT_TRUE(machine.Start().has_value());
  machine.engine().AwaitBackgroundJobs();
  // What was asked for but not acknowledged may have happened or not.
  EXPECT_TRUE(!acknowledged || job.is_done(machine.engine()));
  machine.Stop();
  const auto left = ProblemOrJobOnDisk(machine.StoreOptions());
  EXPECT_FALSE(left.has_value()) << *left;
  return healthy;
}

class SchemaJobTest : public testing::TestWithParam<Job> {};

INSTANTIATE_TEST_SUITE_P(, SchemaJobTest, testing::ValuesIn(Jobs()), [](const auto& each) {
  std::string name;
  for (const char letter : each.param.name) {
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  return name;
});

TEST_P(SchemaJobTest, IsFinishedAfterACutAtAnyOfItsWrites) {
  std::uint64_t writes = 0;
  while (!CutAt(GetParam(), writes)) {
    ASSERT_FALSE(HasFailure()) << "at write " << writes;
    ASSERT_LT(++writes, kWritesMax);
  }
  EXPECT_GE(writes, 2U);
}

// Writers that change and delete items while a job walks over them.
TEST_P(SchemaJobTest, FitsWhatIsWrittenMeanwhile) {
  const Job& job = GetParam();
  if (!job.has_table) {
    return;
  }
  Machine machine(1);
  machine.set_going_back(job.going_back);
  ASSERT_TRUE(machine.Start().has_value());
  ASSERT_TRUE(CreateTables(machine.engine()).has_value());
  ASSERT_TRUE(Fill(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  ASSERT_TRUE(job.prepare(machine.engine()).has_value());
  machine.engine().AwaitBackgroundJobs();
  ASSERT_TRUE(job.request(machine.engine()).has_value());
  for (int number = 0; number < kItems; number += 3) {
    const Item key = {{"customer", "any"}, {"number", number}};
    ASSERT_TRUE(machine.engine().DeleteItem({.table_name = kOrders, .key = key}).has_value());
    const Item changed = {{"customer", "any"},
                          {"number", number + 1},
                          {"op", -number},
                          {"city", "other"},
                          {"expires", 1'900'000'000}};
    ASSERT_TRUE(machine.engine().PutItem({.table_name = kOrders, .item = changed}).has_value());
  }
  machine.engine().AwaitBackgroundJobs();
  machine.Stop();
  const Result<engine::CheckReport> report = engine::CheckDatabase(machine.StoreOptions());
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->problems.texts, std::vector<std::string>());
  EXPECT_EQ(report->notes.texts, std::vector<std::string>());
  // The engine ended in good order, so its figures are exact.
  EXPECT_EQ(report->warnings.texts, std::vector<std::string>());
}

}  // namespace
}  // namespace stator::crash
