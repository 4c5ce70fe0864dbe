// Checkpoints: everything is what it was, whatever happened since, and nothing is left of that; in one
// batch and in steps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/check_database.h"
#include "engine/checkpoints.h"
#include "engine/sample_database.h"
#include "storage/temporary_directory.h"
#include "value/dynamodb_json.h"

namespace stator::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CheckpointTest : public testing::TestWithParam<bool> {
 protected:
  void Open() {
    engine_.reset();
    EngineOptions options =
        environment_.Options({.path = path_, .durability = storage::Durability::kRelaxed});
    if (GetParam()) {
      options.going_back = {.at_once = {.items = 1, .bytes = 64},
                            .per_step = {.items = 2, .bytes = 1 << 20}};
    }
    engine_ = Must(Engine::Open(options));
  }
  void SetUp() override { Open(); }

  void MakeTable(const std::string& name, bool with_stream = false) {
    CreateTableInput input{
        .table_name = name,
        .attribute_definitions = {{"id", ScalarAttributeType::kString},
                                  {"parity", ScalarAttributeType::kNumber}},
        .key_schema = {{"id", KeyType::kHash}},
        .billing_mode = BillingMode::kPayPerRequest,
        .global_secondary_indexes = {{{.index_name = "by_parity",
                                       .key_schema = {{"parity", KeyType::kHash}},
                                       .projection = {.projection_type = ProjectionType::kAll}}}}};
    if (with_stream) {
      input.stream_specification = {
          {.stream_enabled = true, .stream_view_type = StreamViewType::kNewImage}};
    }
    Must(engine_->CreateTable(input));
  }
  void Put(const std::string& table, const std::string& id, int value) {
    Must(engine_->PutItem({.table_name = table,
                           .item = {{"id", id},
                                    {"value", value},
                                    {"parity", value % 2},
                                    {"expires", kSampleExpiry + value},
                                    {"other", kSampleExpiry + 2 * value}}}));
  }
  void Create(const std::string& name, bool replace = false) {
    Must(engine_->CreateCheckpoint({.checkpoint_name = name, .replace = replace}));
  }
  RestoreCheckpointOutput Restore(const std::string& name) {
    return Must(engine_->RestoreCheckpoint({.checkpoint_name = name}));
  }

  std::string ItemsOf(const std::string& table, const std::optional<std::string>& index) {
    std::vector<std::string> lines;
    ScanInput input{.table_name = table, .index_name = index};
    const ScanOutput page = Must(engine_->Scan(input));
    for (const Item& item : *page.items) {
      lines.push_back(value::ToDynamoDbJson(item));
    }
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines) {
      text += "  " + line + "\n";
    }
    return text;
  }
  std::size_t RecordsOf(const std::string& arn) {
    const auto stream = Must(engine_->DescribeStream({.stream_arn = arn})).stream_description;
    const std::string iterator =
        Must(engine_->GetShardIterator({.stream_arn = arn,
                                        .shard_id = stream.shards.front().shard_id,
                                        .shard_iterator_type = ShardIteratorType::kTrimHorizon}))
            .shard_iterator;
    return Must(engine_->GetRecords({.shard_iterator = iterator})).records.size();
  }
  // All that can be learned of the tables.
  std::string Everything() {
    engine_->AwaitBackgroundJobs();
    std::string text;
    for (const std::string& name : Must(engine_->ListTables({})).table_names) {
      const TableDescription table = Must(engine_->DescribeTable({.table_name = name})).table;
      text += "table " + name + " " + table.table_id + " " + std::to_string(table.item_count) +
              " items, " + std::to_string(static_cast<int>(table.table_status)) + "\n";
      text += ItemsOf(name, std::nullopt);
      if (table.global_secondary_indexes) {
        for (const auto& index : *table.global_secondary_indexes) {
          text += " index " + index.index_name + " " + std::to_string(index.item_count) + "\n" +
                  ItemsOf(name, index.index_name);
        }
      }
      for (const Tag& tag :
           Must(engine_->ListTagsOfResource({.resource_arn = table.table_arn})).tags) {
        text += " tag " + tag.key + " " + tag.value + "\n";
      }
      text += " expiry by " +
              Must(engine_->DescribeTimeToLive({.table_name = name})).attribute_name.value_or("-") +
              "\n";
      text += " recovery " +
              std::to_string(static_cast<int>(
                  Must(engine_->DescribeContinuousBackups({.table_name = name}))
                      .continuous_backups_description.point_in_time_recovery_enabled)) +
              "\n";
    }
    for (const StreamSummary& stream : Must(engine_->ListStreams({})).streams) {
      text += "stream " + stream.stream_arn + " with " +
              std::to_string(RecordsOf(stream.stream_arn)) + " records\n";
    }
    for (const BackupSummary& backup :
         Must(engine_->ListBackups({.backup_type = BackupTypeFilter::kAll})).backup_summaries) {
      text += "backup " + backup.backup_name + "\n";
    }
    return text;
  }
  CheckReport CheckClosed() {
    engine_->AwaitBackgroundJobs();
    EXPECT_TRUE(engine_->Close().has_value());
    CheckReport report = Must(CheckDatabase({.path = path_}));
    EXPECT_THAT(report.problems.texts, IsEmpty());
    EXPECT_THAT(report.warnings.texts, IsEmpty());
    EXPECT_THAT(report.notes.texts, IsEmpty());
    return report;
  }
  void SetExpiry(const std::string& table, const std::string& attribute, bool on) {
    Must(engine_->UpdateTimeToLive(
        {.table_name = table,
         .time_to_live_specification = {.enabled = on, .attribute_name = attribute}}));
    engine_->AwaitBackgroundJobs();
  }
  void ChangeIndexes(const std::string& table, const std::string& add, const std::string& remove) {
    std::vector<GlobalSecondaryIndexUpdate> updates;
    if (!add.empty()) {
      updates.emplace_back(
          GlobalSecondaryIndex{.index_name = add,
                               .key_schema = {{"parity", KeyType::kHash}},
                               .projection = {.projection_type = ProjectionType::kKeysOnly}});
    } else {
      updates.emplace_back(DeleteGlobalSecondaryIndexAction{.index_name = remove});
    }
    Must(
        engine_->UpdateTable({.table_name = table,
                              .attribute_definitions = {{{"parity", ScalarAttributeType::kNumber}}},
                              .global_secondary_index_updates = updates}));
    engine_->AwaitBackgroundJobs();
  }

  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/db";
  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

INSTANTIATE_TEST_SUITE_P(AtOnceAndInSteps, CheckpointTest, testing::Bool(),
                         [](const auto& each) { return each.param ? "InSteps" : "AtOnce"; });

TEST_P(CheckpointTest, EverythingIsWhatItWasAsOftenAsOneLikes) {
  MakeTable("kept", /*with_stream=*/true);
  MakeTable("dropped");
  SetExpiry("dropped", "expires", true);
  for (int item = 0; item < 20; ++item) {
    Put("kept", "k" + std::to_string(item), item);
    Put("dropped", "d" + std::to_string(item), item);
  }
  const std::string then = Everything();
  Create("fixtures");
  EXPECT_EQ(Everything(), then);
  for (int round = 0; round < 3; ++round) {
    Put("kept", "k1", 100 + round);
    Put("kept", "new", round);
    Must(engine_->DeleteItem({.table_name = "kept", .key = {{"id", "k2"}}}));
    Put("dropped", "d3", 55);
    Must(engine_->DeleteTable({.table_name = "dropped"}));
    MakeTable("made", /*with_stream=*/true);
    Put("made", "m", 1);
    MakeTable("dropped");  // another one of the name
    Put("dropped", "other", 1);
    const RestoreCheckpointOutput restored = Restore("fixtures");
    EXPECT_EQ(restored.items_changed, 4);
    EXPECT_EQ(restored.tables_removed, 2);
    EXPECT_EQ(restored.tables_returned, 1);
    EXPECT_EQ(Everything(), then) << "round " << round;
    if (round == 1) {
      Open();
      EXPECT_EQ(Everything(), then);
    }
  }
  EXPECT_EQ(Restore("fixtures").items_changed, 0);
  EXPECT_EQ(CheckClosed().undo_rows, 0U) << "nothing is left of what came between";
}

TEST_P(CheckpointTest, SettingsIndexesAndExpiryGoBack) {
  MakeTable("table");
  SetExpiry("table", "expires", true);
  for (int item = 0; item < 10; ++item) {
    Put("table", "i" + std::to_string(item), item);
  }
  const std::string arn = Must(engine_->DescribeTable({.table_name = "table"})).table.table_arn;
  Must(engine_->TagResource({.resource_arn = arn, .tags = {{.key = "team", .value = "blue"}}}));
  const std::string then = Everything();
  Create("one");
  Must(engine_->UntagResource({.resource_arn = arn, .tag_keys = {"team"}}));
  ChangeIndexes("table", "further", "");
  ChangeIndexes("table", "", "by_parity");
  Put("table", "i1", 30);
  SetExpiry("table", "expires", false);
  SetExpiry("table", "other", true);
  Put("table", "i2", 31);
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "table", .point_in_time_recovery_specification = {.enabled = true}}));
  Must(engine_->CreateBackup({.table_name = "table", .backup_name = "later"}));
  Put("table", "i3", 32);
  Restore("one");
  EXPECT_EQ(Everything(), then);
  CheckClosed();
  Open();
  // Still of use.
  Put("table", "i4", 33);
  ChangeIndexes("table", "by_others", "");
  Restore("one");
  EXPECT_EQ(Everything(), then);
  CheckClosed();
}

TEST_P(CheckpointTest, RecoveryGoesOnAsIfNothingHadBeen) {
  MakeTable("table");
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "table", .point_in_time_recovery_specification = {.enabled = true}}));
  Put("table", "a", 1);
  Must(engine_->CreateBackup({.table_name = "table", .backup_name = "before"}));
  environment_.clock.Advance(std::chrono::seconds(10));
  Put("table", "a", 2);
  environment_.clock.Advance(std::chrono::seconds(10));
  Create("one");
  environment_.clock.Advance(std::chrono::seconds(10));
  Put("table", "a", 3);
  environment_.clock.Advance(std::chrono::seconds(10));
  Must(engine_->DeleteTable({.table_name = "table"}));
  engine_->AwaitBackgroundJobs();
  Restore("one");
  environment_.clock.Advance(std::chrono::seconds(10));
  const auto value = [&](std::optional<TimePoint> as_of) {
    const auto got =
        Must(engine_->GetItem({.table_name = "table", .key = {{"id", "a"}}, .as_of = as_of}));
    return got.item->at("value").If<Number>()->ToString();
  };
  EXPECT_EQ(value(std::nullopt), "2");
  Put("table", "a", 4);
  EXPECT_EQ(value(std::nullopt), "4");
  EXPECT_THAT(Everything(), HasSubstr("backup before\n"));
  EXPECT_THAT(Everything(), testing::Not(HasSubstr("DeletedTableBackup")));
  const std::string arn = Must(engine_->ListBackups({})).backup_summaries.at(0).backup_arn;
  Must(engine_->RestoreTableFromBackup({.target_table_name = "again", .backup_arn = arn}));
  engine_->AwaitBackgroundJobs();
  EXPECT_THAT(ItemsOf("again", std::nullopt), HasSubstr(R"("value":{"N":"1"})"));
  CheckClosed();
}

TEST_P(CheckpointTest, TokensFromSinceAreNewAgain) {
  MakeTable("table");
  const auto transact = [&](const std::string& token, const std::string& id) {
    return engine_->TransactWriteItems(
        {.transact_items = {TransactPut{.table_name = "table", .item = {{"id", id}}}},
         .client_request_token = token});
  };
  Must(transact("before", "a"));
  Create("one");
  Must(transact("since", "b"));
  Restore("one");
  Must(transact("since", "b"));
  EXPECT_TRUE(Must(engine_->GetItem({.table_name = "table", .key = {{"id", "b"}}})).item);
  EXPECT_EQ(transact("before", "other").error().code, ErrorCode::kIdempotentParameterMismatch)
      << "those from before are known";
  CheckClosed();
}

TEST_P(CheckpointTest, HasANameOfItsOwn) {
  MakeTable("table");
  Put("table", "a", 1);
  Create("one");
  Put("table", "a", 2);
  Create("two");
  Put("table", "a", 3);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& each : Must(engine_->ListCheckpoints({})).checkpoints) {
      found.push_back(each.checkpoint_name);
    }
    return found;
  };
  EXPECT_THAT(names(), ElementsAre("one", "two"));
  EXPECT_EQ(engine_->CreateCheckpoint({.checkpoint_name = "one"}).error().code,
            ErrorCode::kResourceInUse);
  EXPECT_EQ(engine_->CreateCheckpoint({.checkpoint_name = "no/name"}).error().code,
            ErrorCode::kValidation);
  EXPECT_EQ(engine_->RestoreCheckpoint({.checkpoint_name = "none"}).error().code,
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(engine_->DeleteCheckpoint({.checkpoint_name = "none"}).error().code,
            ErrorCode::kResourceNotFound);
  Restore("two");
  EXPECT_THAT(ItemsOf("table", std::nullopt), HasSubstr(R"("value":{"N":"2"})"));
  Restore("one");
  EXPECT_THAT(ItemsOf("table", std::nullopt), HasSubstr(R"("value":{"N":"1"})"));
  EXPECT_THAT(names(), ElementsAre("one")) << "the later moment has not been";
  Put("table", "a", 4);
  Create("one", /*replace=*/true);
  Put("table", "a", 5);
  Restore("one");
  EXPECT_THAT(ItemsOf("table", std::nullopt), HasSubstr(R"("value":{"N":"4"})"));
  Must(engine_->DeleteCheckpoint({.checkpoint_name = "one"}));
  EXPECT_THAT(names(), IsEmpty());
  Put("table", "a", 6);
  EXPECT_EQ(CheckClosed().undo_rows, 0U) << "history is not kept for nobody";
}

TEST_P(CheckpointTest, AnEmptyDatabaseIsOneToGoBackTo) {
  Create("empty");
  MakeTable("table", /*with_stream=*/true);
  Put("table", "a", 1);
  Must(engine_->CreateBackup({.table_name = "table", .backup_name = "daily"}));
  EXPECT_EQ(Restore("empty").tables_removed, 1);
  EXPECT_EQ(Everything(), "");
  Must(engine_->DeleteCheckpoint({.checkpoint_name = "empty"}));
  const CheckReport report = CheckClosed();
  EXPECT_EQ(report.items, 0U);
  EXPECT_EQ(report.undo_rows, 0U);
  EXPECT_THAT(report.kept.texts, IsEmpty());
}

// Writers and readers go on meanwhile; whoever was answered before it is undone, nobody is refused.
TEST_P(CheckpointTest, OthersWaitAndAreNotRefused) {
  MakeTable("table");
  for (int item = 0; item < 30; ++item) {
    Put("table", "i" + std::to_string(item), 0);
  }
  Create("one");
  std::atomic<bool> done = false;
  std::atomic<int> written = 0;
  std::atomic<int> torn = 0;
  std::thread writer([&] {
    for (int value = 2; !done; value += 2) {
      TransactWriteItemsInput transaction;
      for (int item = 0; item < 30; ++item) {
        transaction.transact_items.emplace_back(TransactPut{
            .table_name = "table",
            .item = {{"id", "i" + std::to_string(item)}, {"value", value}, {"parity", 0}}});
      }
      Must(engine_->TransactWriteItems(transaction));
      ++written;
    }
  });
  std::thread reader([&] {
    while (!done) {
      const ScanOutput page =
          Must(engine_->Scan({.table_name = "table", .index_name = "by_parity"}));
      std::set<std::string> values;
      for (const Item& item : *page.items) {
        values.insert(item.at("value").If<Number>()->ToString());
      }
      torn += values.size() == 1 && page.count == 30 ? 0 : 1;
    }
  });
  while (written == 0) {
    std::this_thread::yield();
  }
  for (int round = 0; round < 15; ++round) {
    Restore("one");
  }
  done = true;
  writer.join();
  reader.join();
  EXPECT_EQ(torn, 0);
  Restore("one");
  EXPECT_EQ(Must(engine_->DescribeTable({.table_name = "table"})).table.item_count, 30);
  CheckClosed();
}

}  // namespace
}  // namespace stator::engine
