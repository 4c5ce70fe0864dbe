#include "jobs.h"

#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "base/try.h"
#include "engine/outgoing.h"
#include "stator/base/clock.h"
#include "stator/base/mutex.h"

namespace stator::crash {
namespace {

// A batch for everything, and many steps.
constexpr engine::GoingBackLimits kAtOnce{};
constexpr engine::GoingBackLimits kInSteps{.at_once = {.items = 10, .bytes = 16 << 10},
                                           .per_step = {.items = 8, .bytes = 16 << 10}};

constexpr int kItemsPerBatch = 25;
// Every so many items one is removed and one is added by ChangeSome.
constexpr int kChangedEvery = 5;
constexpr int kDestinationLooksMax = 6'000;

Result<void> Nothing(Database& /*database*/) {
  return {};
}

Item Filled(int number) {
  return {{"customer", "any"},
          {"number", number},
          {"op", number},
          {"city", "any"},
          // So that what a job writes is more than a memtable.
          {"text", std::string(600, 't')},
          {"expires", 2'000'000'000 + number}};
}

Item Added(int number) {
  return {{"customer", "any"}, {"number", -number - 1}, {"op", number}};
}

void Expect(Items& items, Item item) {
  ItemName name = NameOf(kOrders, item);
  items.insert_or_assign(std::move(name), std::move(item));
}

// What FillOrders leaves.
const Items& FilledItems() {
  static const Items kFilled = [] {
    Items items;
    for (int number = 0; number < kJobItems; ++number) {
      Expect(items, Filled(number));
    }
    return items;
  }();
  return kFilled;
}

// What ChangeSome makes of it.
const Items& ChangedItems() {
  static const Items kChanged = [] {
    Items items = FilledItems();
    for (int number = 0; number < kJobItems; number += kChangedEvery) {
      items.erase(NameOf(kOrders, Filled(number)));
      Expect(items, Added(number));
    }
    return items;
  }();
  return kChanged;
}

// Everything in a table with the keys of "orders"; nothing when it cannot be read.
std::optional<Items> ItemsIn(Database& database, const std::string& table) {
  const Result<ScanOutput> page = database.Scan({.table_name = table});
  if (!page) {
    return std::nullopt;
  }
  Items items;
  for (const Item& item : page->items.value()) {
    Expect(items, item);
  }
  return items;
}

// How many entries a scan of the index finds; nothing when it cannot be scanned.
std::optional<int> CountIn(Database& database, const std::string& table, const std::string& index) {
  const Result<ScanOutput> output =
      database.Scan({.table_name = table, .index_name = index, .select = Select::kCount});
  return output ? std::optional(output->count) : std::nullopt;
}

// The items that FillOrders makes, all of them and no other, with their index.
bool IsFilled(Database& database, const std::string& table) {
  return ItemsIn(database, table) == FilledItems() &&
         CountIn(database, table, "by_city") == kJobItems;
}

bool IsFilledOrClosed(Database& database, const std::string& table) {
  const std::optional<Items> items = ItemsIn(database, table);
  return !items || *items == FilledItems();
}

// Before a way back and behind it.
bool IsChangedOrFilled(Database& database) {
  const std::optional<Items> items = ItemsIn(database, kOrders);
  return !items || *items == ChangedItems() || *items == FilledItems();
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

bool IsRestored(Database& database) {
  return IsFilled(database, kRestored);
}

bool IsRestoredOrClosed(Database& database) {
  return IsFilledOrClosed(database, kRestored);
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

// Whole, and counted once.
bool IsImported(Database& database) {
  const ListImportsOutput imports = database.ListImports({}).value();
  if (imports.import_summary_list.empty() || !IsFilled(database, kImported)) {
    return false;
  }
  const ImportTableDescription import =
      database.DescribeImport({.import_arn = imports.import_summary_list[0].import_arn})
          .value()
          .import_table_description;
  return import.import_status == ImportStatus::kCompleted &&
         import.processed_item_count == kJobItems;
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
  for (int number = 0; number < kJobItems; number += kChangedEvery) {
    TRY(database.DeleteItem(
        {.table_name = kOrders, .key = {{"customer", "any"}, {"number", number}}}));
    TRY(database.PutItem({.table_name = kOrders, .item = Added(number)}));
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

bool IsAsFilled(Database& database) {
  return IsFilled(database, kOrders);
}

// So long that changes are older than recovery reaches, and most of its rows can go.
constexpr std::chrono::hours kLongAfter{24 * 100};

// One moment is kept by a backup; of what came later, and was changed again, only a part is needed.
Result<void> ChangeBehindABackup(Database& database) {
  TRY_VOID(Backup(database));
  for (int number = 0; number < kJobItems; number += kChangedEvery) {
    Item passing = Added(number);
    passing.Set("city", "passing");
    TRY(database.PutItem({.table_name = kOrders, .item = passing}));
  }
  return ChangeSome(database);
}

Result<void> Trim(engine::Engine& engine) {
  return engine.RunHousekeeping();
}

// The present is what it was, and the floor has moved.
bool IsTrimmed(Database& database) {
  const auto backups = database.DescribeContinuousBackups({.table_name = kOrders});
  return ItemsIn(database, kOrders) == ChangedItems() && backups &&
         *backups->continuous_backups_description.earliest_restorable_date_time >
             kNow + std::chrono::hours(1);
}

// The backup has what it had.
Result<void> RestoreAndCompare(engine::Engine& engine) {
  TRY_VOID(RestoreBackup(engine));
  engine.AwaitBackgroundJobs();
  return IsRestored(engine) ? Result<void>()
                            : Fail(ErrorCode::kInternal, "the backup is not what it was");
}

constexpr char kDestination[] = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";

// Takes everything, and remembers it over the crash of who sent it.
class Destination final : public api::ChangeReceiver {
 public:
  Result<bool> IsActive(const std::string& /*stream_arn*/) override { return true; }

  Result<std::vector<bool>> Put(const std::string& /*stream_arn*/,
                                const std::vector<api::ChangeRecord>& records) override {
    const MutexLock lock(mutex_);
    for (const api::ChangeRecord& record : records) {
      items_.insert(record.partition_key);
    }
    return std::vector<bool>(records.size(), true);
  }

  void Clear() {
    const MutexLock lock(mutex_);
    items_.clear();
  }
  // Of which changes have arrived; each item is changed once.
  std::size_t items() {
    const MutexLock lock(mutex_);
    return items_.size();
  }

 private:
  Mutex mutex_;
  std::set<std::string> items_ STATOR_GUARDED_BY(mutex_);
};

constexpr std::size_t kChanges = 2 * (kJobItems / kChangedEvery);

bool AwaitDestination(engine::Engine& engine, const std::function<bool()>& condition) {
  for (int look = 0; look < kDestinationLooksMax && engine.Health(); ++look) {
    if (condition()) {
      return true;
    }
    SystemClock().SleepFor(std::chrono::milliseconds(5));
  }
  return condition();
}

// Deliveries are of what is changed from here on.
Result<void> Enable(engine::Engine& engine, Destination& destination) {
  destination.Clear();
  TRY(engine.EnableKinesisStreamingDestination(
      {.table_name = kOrders, .stream_arn = kDestination}));
  const bool active = AwaitDestination(engine, [&] {
    return engine.DescribeKinesisStreamingDestination({.table_name = kOrders})
               .value()
               .kinesis_data_stream_destinations.at(0)
               .destination_status == DestinationStatus::kActive;
  });
  return active ? Result<void>() : Fail(ErrorCode::kInternal, "it does not become active");
}

// And has it removed what arrived.
Result<void> ChangeAndDeliver(engine::Engine& engine) {
  TRY_VOID(ChangeSome(engine));
  AwaitDestination(engine, [&] { return engine.OutgoingFigures().delivered >= kChanges; });
  return {};
}

Job Deliveries() {
  const auto destination = std::make_shared<Destination>();
  return {.name = "deliveries to Kinesis",
          .prepare = [destination](engine::Engine& engine) { return Enable(engine, *destination); },
          .request = ChangeAndDeliver,
          .is_done =
              [destination](engine::Engine& engine) {
                return AwaitDestination(engine, [&] { return destination->items() >= kChanges; });
              },
          .receiver = destination};
}

TimeToLiveStatus ExpiryOf(Database& database) {
  return database.DescribeTimeToLive({.table_name = kOrders}).value().time_to_live_status;
}

}  // namespace

std::vector<Job> Jobs() {
  return {
      {"back-fill", Nothing, AddIndex,
       [](engine::Engine& database) { return CountIn(database, kOrders, "by_op") == kJobItems; }},
      {"removal of an index", Nothing, DropIndex,
       [](engine::Engine& database) {
         const auto table = database.DescribeTable({.table_name = kOrders}).value().table;
         return table.global_secondary_indexes->size() == 1;
       }},
      {"clean-up of a table", Nothing, DropTable,
       [](engine::Engine& database) {
         return !database.DescribeTable({.table_name = kOrders}).has_value();
       },
       false},
      {"a first backup", Nothing, Backup,
       [](engine::Engine& database) {
         return database.ListBackups({}).value().backup_summaries.size() == 1;
       }},
      {"a restore",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(Backup(database));
         TRY(database.DeleteItem(
             {.table_name = kOrders, .key = {{"customer", "any"}, {"number", 7}}}));
         return {};
       },
       RestoreBackup,
       IsRestored,
       true,
       {},
       IsRestoredOrClosed},
      {"a restore of a table that was dropped",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(Backup(database));
         return DropTable(database);
       },
       RestoreBackup,
       IsRestored,
       false,
       {},
       IsRestoredOrClosed},
      {"an export",
       SwitchRecoveryOn,
       Export,
       [](engine::Engine& database) {
         const auto exported = ExportedIn(database);
         return exported && exported->item_count == kJobItems;
       },
       true,
       {},
       [](engine::Engine& database) {
         const auto exported = ExportedIn(database);
         return !exported || exported->item_count == kJobItems;
       }},
      {"an import",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(SwitchRecoveryOn(database));
         TRY_VOID(Export(database));
         database.AwaitBackgroundJobs();
         return {};
       },
       ImportExported,
       IsImported,
       true,
       {},
       [](engine::Engine& database) { return IsFilledOrClosed(database, kImported); }},
      {"clean-up of a table with recovery", SwitchRecoveryOn, DropTable,
       [](engine::Engine& database) {
         return database.ListBackups({.backup_type = BackupTypeFilter::kSystem})
                        .value()
                        .backup_summaries.size() == 1 &&
                !database.DescribeTable({.table_name = kOrders}).has_value();
       },
       false},
      {"a rewind in one batch",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(BeginRecoveryAnew(database));
         return ChangeSome(database);
       },
       RewindAll, IsAsFilled, true, kAtOnce, IsChangedOrFilled},
      {"a rewind in steps",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(BeginRecoveryAnew(database));
         return ChangeSome(database);
       },
       RewindAll, IsAsFilled, true, kInSteps, IsChangedOrFilled},
      {"a checkpoint", Nothing, MakeCheckpoint,
       [](engine::Engine& database) {
         return database.ListCheckpoints({}).value().checkpoints.size() == 1;
       }},
      {"going back to a checkpoint in one batch",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(MakeCheckpoint(database));
         return ChangeSome(database);
       },
       RestoreCheckpoint, IsAsFilled, true, kAtOnce, IsChangedOrFilled},
      {"going back to a checkpoint in steps, with a table that was dropped",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(MakeCheckpoint(database));
         TRY_VOID(ChangeSome(database));
         return DropTable(database);
       },
       RestoreCheckpoint, IsAsFilled, false, kInSteps, IsChangedOrFilled},
      {"going back to a checkpoint in steps",
       [](engine::Engine& database) -> Result<void> {
         TRY_VOID(MakeCheckpoint(database));
         return ChangeSome(database);
       },
       RestoreCheckpoint, IsAsFilled, true, kInSteps, IsChangedOrFilled},
      {"removal of old history",
       ChangeBehindABackup,
       Trim,
       IsTrimmed,
       true,
       {},
       nullptr,
       RestoreAndCompare,
       kLongAfter},
      Deliveries(),
      {"switching expiry on",
       [](engine::Engine& database) { return SwitchExpiry(database, false); },
       [](engine::Engine& database) { return SwitchExpiry(database, true); },
       [](engine::Engine& database) { return ExpiryOf(database) == TimeToLiveStatus::kEnabled; }},
      {"switching expiry off", Nothing,
       [](engine::Engine& database) { return SwitchExpiry(database, false); },
       [](engine::Engine& database) { return ExpiryOf(database) == TimeToLiveStatus::kDisabled; }},
  };
}

std::string TestNameOf(const Job& job) {
  std::string name;
  for (const char letter : job.name) {
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  }
  return name;
}

Result<void> FillOrders(Database& database) {
  for (int first = 0; first < kJobItems; first += kItemsPerBatch) {
    BatchWriteItemInput batch;
    for (int number = first; number < first + kItemsPerBatch; ++number) {
      batch.request_items[kOrders].emplace_back(PutRequest{Filled(number)});
    }
    TRY(database.BatchWriteItem(batch));
  }
  return {};
}

}  // namespace stator::crash
