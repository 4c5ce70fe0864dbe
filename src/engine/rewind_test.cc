// Rewinding a table: random histories and random moments against every version that there was, in one
// batch and in steps; what others see meanwhile; what is refused.

#include "engine/rewind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/check_database.h"
#include "engine/history.h"
#include "engine/sample_database.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Contents = std::map<std::string, int>;

// Whether what there is to do is little or much.
constexpr GoingBackLimits kLittle{};
constexpr GoingBackLimits kMuch{.at_once = {.items = 1, .bytes = 1 << 20},
                                .per_step = {.items = 3, .bytes = 1 << 20}};

class RewindTest : public testing::TestWithParam<bool> {
 protected:
  void Open() {
    engine_.reset();
    EngineOptions options =
        environment_.Options({.path = path_, .durability = storage::Durability::kRelaxed});
    options.going_back = GetParam() ? kMuch : kLittle;
    options.lock_wait_max = lock_wait_max_;
    engine_ = Must(Engine::Open(options));
  }
  void SetUp() override { Open(); }

  void MakeTable(bool with_recovery = true) {
    Must(engine_->CreateTable(
        {.table_name = "things",
         .attribute_definitions = {{"id", ScalarAttributeType::kString},
                                   {"parity", ScalarAttributeType::kNumber}},
         .key_schema = {{"id", KeyType::kHash}},
         .billing_mode = BillingMode::kPayPerRequest,
         .global_secondary_indexes = {{{.index_name = "by_parity",
                                        .key_schema = {{"parity", KeyType::kHash}},
                                        .projection = {.projection_type = ProjectionType::kAll}}}},
         .stream_specification = {
             {.stream_enabled = true, .stream_view_type = StreamViewType::kNewAndOldImages}}}));
    Must(engine_->UpdateTimeToLive(
        {.table_name = "things",
         .time_to_live_specification = {.enabled = true, .attribute_name = "expires"}}));
    engine_->AwaitBackgroundJobs();
    if (with_recovery) {
      Must(engine_->UpdateContinuousBackups(
          {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
    }
  }
  void Put(const std::string& id, int value) {
    Must(engine_->PutItem({.table_name = "things",
                           .item = {{"id", id},
                                    {"value", value},
                                    {"parity", value % 2},
                                    {"expires", kSampleExpiry + value}}}));
  }
  void Delete(const std::string& id) {
    Must(engine_->DeleteItem({.table_name = "things", .key = {{"id", id}}}));
  }
  Contents Read(const std::optional<std::string>& index = std::nullopt,
                std::optional<TimePoint> as_of = std::nullopt) {
    Contents contents;
    const ScanOutput page =
        Must(engine_->Scan({.table_name = "things", .index_name = index, .as_of = as_of}));
    for (const Item& item : *page.items) {
      contents[*item.at("id").If<std::string>()] =
          static_cast<int>(item.at("value").If<Number>()->ToInt64().value());
    }
    return contents;
  }
  TimePoint Now() {
    return *Must(engine_->GetItem(
                     {.table_name = "things", .key = {{"id", "none"}}, .as_of = TimePoint::max()}))
                .as_of;
  }
  RewindTableOutput Rewind(TimePoint to) {
    RewindTableOutput output =
        Must(engine_->RewindTable({.table_name = "things", .rewind_date_time = to}));
    engine_->AwaitBackgroundJobs();
    EXPECT_EQ(Status(), TableStatus::kActive);
    return output;
  }
  TableStatus Status() {
    return Must(engine_->DescribeTable({.table_name = "things"})).table.table_status;
  }
  std::size_t Records() {
    const std::string arn =
        *Must(engine_->DescribeTable({.table_name = "things"})).table.latest_stream_arn;
    const auto stream = Must(engine_->DescribeStream({.stream_arn = arn})).stream_description;
    const std::string iterator =
        Must(engine_->GetShardIterator({.stream_arn = arn,
                                        .shard_id = stream.shards.front().shard_id,
                                        .shard_iterator_type = ShardIteratorType::kTrimHorizon}))
            .shard_iterator;
    return Must(engine_->GetRecords({.shard_iterator = iterator})).records.size();
  }
  void CheckClosed() {
    EXPECT_TRUE(engine_->Close().has_value());
    const CheckReport report = Must(CheckDatabase({.path = path_}));
    EXPECT_THAT(report.problems.texts, IsEmpty());
    EXPECT_THAT(report.warnings.texts, IsEmpty());
    EXPECT_THAT(report.notes.texts, IsEmpty());
  }

  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/db";
  std::chrono::milliseconds lock_wait_max_{5000};
  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

INSTANTIATE_TEST_SUITE_P(AtOnceAndInSteps, RewindTest, testing::Bool(),
                         [](const auto& each) { return each.param ? "InSteps" : "AtOnce"; });

TEST_P(RewindTest, TakesItemsBackAndCanBeUndone) {
  MakeTable();
  Put("a", 1);
  Put("b", 2);
  const TimePoint then = Now();
  Put("a", 3);
  Delete("b");
  Put("c", 4);
  const Contents before = Read();
  const std::size_t records = Records();
  environment_.clock.Advance(std::chrono::seconds(1));
  const RewindTableOutput rewound = Rewind(then);
  EXPECT_EQ(rewound.rewind_date_time, then);
  EXPECT_EQ(rewound.rewind_in_progress, GetParam());
  EXPECT_EQ(rewound.items_changed, GetParam() ? 0 : 3);
  EXPECT_EQ(Read(), (Contents{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(Read("by_parity"), Read());
  EXPECT_EQ(Records(), records + 3) << "streams tell of it as of any change";
  EXPECT_EQ(Must(engine_->DescribeTable({.table_name = "things"})).table.item_count, 2);
  // The past was not changed, and the rewind is one step of it.
  EXPECT_EQ(Read(std::nullopt, rewound.undo_date_time), before);
  if (GetParam()) {
    EXPECT_EQ(Read(std::nullopt, rewound.undo_date_time + Duration(1)), Read());
  }
  EXPECT_EQ(Read(std::nullopt, then), Read());
  environment_.clock.Advance(std::chrono::seconds(1));
  Rewind(rewound.undo_date_time);
  EXPECT_EQ(Read(), before);
  EXPECT_EQ(Read("by_parity"), before);
  CheckClosed();
}

TEST_P(RewindTest, EqualsWhatWasAtAnyMoment) {
  MakeTable();
  SeededRandom random(GetParam() ? 3 : 4);
  std::vector<std::pair<TimePoint, Contents>> versions = {{Now(), Read()}};
  for (int step = 1; step < 120; ++step) {
    environment_.clock.Advance(std::chrono::milliseconds(random.Below(3)));
    const std::string id(1, static_cast<char>('a' + random.Below(9)));
    const std::uint64_t what = random.Below(12);
    if (what == 0) {
      Rewind(versions[random.Below(versions.size())].first);
    } else if (what < 4) {
      Delete(id);
    } else {
      Put(id, step);
    }
    versions.emplace_back(Now(), Read());
    if (what == 1) {
      Open();
      // What was promised to readers, and not written, is promised for as long as the program runs.
      environment_.clock.Advance(std::chrono::milliseconds(1));
    }
  }
  for (int look = 0; look < 15; ++look) {
    const auto& [moment, then] = versions[random.Below(versions.size())];
    Rewind(moment);
    EXPECT_EQ(Read(), then);
    EXPECT_EQ(Read("by_parity"), then);
  }
  for (const auto& [moment, then] : versions) {
    EXPECT_EQ(Read(std::nullopt, moment), then)
        << "rewinds add to history, and change nothing of it";
  }
  CheckClosed();
}

TEST_P(RewindTest, NothingToDoChangesNothing) {
  MakeTable();
  Put("a", 1);
  const TimePoint then = Now();
  environment_.clock.Advance(std::chrono::seconds(1));
  const RewindTableOutput rewound = Rewind(then);
  EXPECT_EQ(rewound.items_changed, 0);
  EXPECT_FALSE(rewound.rewind_in_progress);
  EXPECT_EQ(Read(), (Contents{{"a", 1}}));
  CheckClosed();
}

TEST_P(RewindTest, IsRefusedOutsideOfWhatIsRemembered) {
  MakeTable(/*with_recovery=*/false);
  const auto rewind = [&](const std::string& table, TimePoint to) {
    return engine_->RewindTable({.table_name = table, .rewind_date_time = to}).error();
  };
  const TimePoint now = environment_.clock.Now();
  EXPECT_EQ(rewind("things", now).code, ErrorCode::kRecoveryUnavailable);
  EXPECT_EQ(rewind("nowhere", now).code, ErrorCode::kTableNotFound);
  EXPECT_EQ(rewind("", now).code, ErrorCode::kValidation);
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  EXPECT_EQ(rewind("things", now - std::chrono::hours(1)).code, ErrorCode::kInvalidRestoreTime);
  const Error late = rewind("things", now + std::chrono::hours(1));
  EXPECT_EQ(late.code, ErrorCode::kInvalidRestoreTime);
  EXPECT_THAT(late.message, HasSubstr("must be within EarliestRestorableDateTime"));
  CheckClosed();
}

// Others write to the table and to another one, and read, while it goes back and forth: no write is
// lost or refused, and no reader sees a part of it.
TEST_P(RewindTest, OthersSeeAllOfItOrNothing) {
  MakeTable();
  Must(engine_->CreateTable({.table_name = "others",
                             .attribute_definitions = {{"id", ScalarAttributeType::kString}},
                             .key_schema = {{"id", KeyType::kHash}},
                             .billing_mode = BillingMode::kPayPerRequest}));
  constexpr int kItems = 24;
  const auto set_all = [&](int value) {
    TransactWriteItemsInput transaction;
    for (int item = 0; item < kItems; ++item) {
      transaction.transact_items.emplace_back(TransactPut{
          .table_name = "things",
          .item = {
              {"id", "item" + std::to_string(item)}, {"value", value}, {"parity", value % 2}}});
    }
    Must(engine_->TransactWriteItems(transaction));
  };
  set_all(1);
  const TimePoint first = Now();
  environment_.clock.Advance(std::chrono::seconds(1));
  set_all(2);
  const TimePoint second = Now();
  std::atomic<bool> done = false;
  std::atomic<int> torn = 0;
  std::atomic<int> written = 0;
  std::thread reader([&] {
    while (!done) {
      for (const std::optional<std::string>& index :
           {std::optional<std::string>(), std::optional<std::string>("by_parity")}) {
        const ScanOutput page = Must(engine_->Scan({.table_name = "things", .index_name = index}));
        std::set<std::string> values;
        for (const Item& item : *page.items) {
          values.insert(item.at("value").If<Number>()->ToString());
        }
        torn += values.size() == 1 && page.count == kItems ? 0 : 1;
      }
    }
  });
  std::thread stranger([&] {
    while (!done) {
      Must(engine_->PutItem({.table_name = "others", .item = {{"id", "x"}}}));
      // An item of its own, which goes and comes back unseen.
      Must(engine_->UpdateItem({.table_name = "things",
                                .key = {{"id", "item0"}},
                                .update_expression = "REMOVE nothing"}));
      ++written;
    }
  });
  for (int round = 0; round < 12; ++round) {
    environment_.clock.Advance(std::chrono::seconds(1));
    const int before = written;
    Must(engine_->RewindTable(
        {.table_name = "things", .rewind_date_time = round % 2 == 0 ? first : second}));
    engine_->AwaitBackgroundJobs();
    // A writer waits for some seconds of this clock, so it goes on only when the writer did.
    while (written == before) {
      std::this_thread::yield();
    }
  }
  done = true;
  reader.join();
  stranger.join();
  EXPECT_EQ(torn, 0);
  EXPECT_GT(written, 0);
  EXPECT_EQ(Read().at("item0"), 2);
  CheckClosed();
}

TEST_P(RewindTest, WaitsForNobodyWhoIsNotDoneAndRefusesTwoAtOnce) {
  MakeTable();
  const auto index_under_way = [&] {
    return engine_->RewindTable(
        {.table_name = "things", .rewind_date_time = environment_.clock.Now()});
  };
  Must(engine_->UpdateTable({.table_name = "things",
                             .attribute_definitions = {{{"value", ScalarAttributeType::kNumber}}},
                             .global_secondary_index_updates = {{GlobalSecondaryIndex{
                                 .index_name = "by_value",
                                 .key_schema = {{"value", KeyType::kHash}},
                                 .projection = {.projection_type = ProjectionType::kAll}}}}}));
  const auto refused = index_under_way();
  engine_->AwaitBackgroundJobs();
  EXPECT_TRUE(refused.has_value() || refused.error().code == ErrorCode::kResourceInUse);
  EXPECT_TRUE(index_under_way().has_value());
  CheckClosed();
}

}  // namespace
}  // namespace stator::engine
