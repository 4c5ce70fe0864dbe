// Reading the past: random histories and random moments against a model that keeps every version.

#include "engine/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/check_database.h"
#include "engine/read_history.h"
#include "engine/sample_database.h"
#include "storage/faulty_disk.h"
#include "storage/temporary_directory.h"

namespace stator::engine {
namespace {

using testing::HasSubstr;

// Partition, number: what a table of the model holds.
using Version = std::map<std::pair<std::string, int>, Item>;

class HistoryTest : public testing::Test {
 protected:
  void Open(storage::StoreOptions store = {.path = "", .in_memory = true}) {
    engine_.reset();
    engine_ = Must(Engine::Open(environment_.Options(std::move(store))));
  }

  void MakeTable() {
    Must(engine_->CreateTable({.table_name = "things",
                               .attribute_definitions = {{"p", ScalarAttributeType::kString},
                                                         {"n", ScalarAttributeType::kNumber}},
                               .key_schema = {{"p", KeyType::kHash}, {"n", KeyType::kRange}},
                               .billing_mode = BillingMode::kPayPerRequest}));
  }

  ContinuousBackupsDescription Switch(bool enabled,
                                      std::optional<std::int64_t> days = std::nullopt) {
    return Must(engine_->UpdateContinuousBackups(
                    {.table_name = "things",
                     .point_in_time_recovery_specification = {.enabled = enabled,
                                                              .recovery_period_in_days = days}}))
        .continuous_backups_description;
  }

  // The latest moment; everything that was answered is in it.
  TimePoint Now() {
    return *Must(engine_->GetItem({.table_name = "things",
                                   .key = {{"p", "none"}, {"n", 0}},
                                   .as_of = TimePoint::max()}))
                .as_of;
  }

  void Put(const std::string& p, int n, int value) {
    Must(engine_->PutItem({.table_name = "things", .item = {{"p", p}, {"n", n}, {"v", value}}}));
    model_[{p, n}] = {{"p", p}, {"n", n}, {"v", value}};
  }
  void Delete(const std::string& p, int n) {
    Must(engine_->DeleteItem({.table_name = "things", .key = {{"p", p}, {"n", n}}}));
    model_.erase({p, n});
  }
  // Two items in one commit.
  void Move(const std::string& p, int from, int to, int value) {
    Must(engine_->TransactWriteItems(
        {.transact_items = {
             TransactDelete{.table_name = "things", .key = {{"p", p}, {"n", from}}},
             TransactPut{.table_name = "things", .item = {{"p", p}, {"n", to}, {"v", value}}}}}));
    model_.erase({p, from});
    model_[{p, to}] = {{"p", p}, {"n", to}, {"v", value}};
  }

  std::vector<Item> Query(const std::string& p, TimePoint moment, bool forward, int limit) {
    std::vector<Item> items;
    QueryInput input{.table_name = "things",
                     .key_condition_expression = "p = :p",
                     .expression_attribute_values = {{{":p", p}}},
                     .limit = limit,
                     .scan_index_forward = forward,
                     .as_of = moment};
    while (true) {
      QueryOutput page = Must(engine_->Query(input));
      EXPECT_EQ(page.as_of, moment);
      items.insert(items.end(), page.items->begin(), page.items->end());
      if (!page.last_evaluated_key) {
        return items;
      }
      input.exclusive_start_key = page.last_evaluated_key;
    }
  }

  std::size_t CountInSegments(TimePoint moment) {
    std::size_t count = 0;
    for (int segment = 0; segment < 3; ++segment) {
      ScanInput input{.table_name = "things",
                      .limit = 4,
                      .segment = segment,
                      .total_segments = 3,
                      .as_of = moment};
      while (true) {
        const ScanOutput page = Must(engine_->Scan(input));
        count += page.items->size();
        if (!page.last_evaluated_key) {
          break;
        }
        input.exclusive_start_key = page.last_evaluated_key;
      }
    }
    return count;
  }

  void ExpectThen(TimePoint moment, const Version& then) {
    for (const char* p : kPartitions) {
      std::vector<Item> expected;
      for (const auto& [key, item] : then) {
        if (key.first == p) {
          expected.push_back(item);
        }
      }
      EXPECT_EQ(Query(p, moment, true, 3), expected);
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(Query(p, moment, false, 2), expected);
      for (int n = 0; n < kNumbers; ++n) {
        const auto found = then.find({p, n});
        const auto read = Must(engine_->GetItem(
            {.table_name = "things", .key = {{"p", p}, {"n", n}}, .as_of = moment}));
        EXPECT_EQ(read.item, found == then.end() ? std::nullopt : std::optional(found->second));
      }
    }
    EXPECT_EQ(CountInSegments(moment), then.size());
  }

  template <class Input>
  std::string Refusal(const Result<Input>& result) {
    EXPECT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kValidation);
    return result.error().message;
  }

  static constexpr const char* kPartitions[] = {"a", "b", "c"};
  static constexpr int kNumbers = 8;

  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
  Version model_;
};

// A random step; the clock goes on, stands still or goes back.
void Step(SeededRandom& random, ManualClock& clock,
          const std::function<void(int, int, int)>& change) {
  const auto draw = [&](std::uint64_t below) { return static_cast<int>(random.Below(below)); };
  const int turn = draw(4);
  if (turn == 0) {
    clock.Advance(-std::chrono::milliseconds(draw(50)));
  } else if (turn < 3) {
    clock.Advance(std::chrono::microseconds(draw(3000)));
  }
  change(draw(3), draw(8), draw(10));
}

class HistoryProperty : public HistoryTest, public testing::WithParamInterface<int> {};

TEST_P(HistoryProperty, EqualsAModelThatKeepsAllVersions) {
  const storage::TemporaryDirectory directory;
  const storage::StoreOptions files{.path = directory.path() + "/db",
                                    .durability = storage::Durability::kRelaxed};
  SeededRandom random(static_cast<std::uint64_t>(GetParam()));
  Open(files);
  MakeTable();
  Put("a", 1, 1);
  Switch(true);
  std::vector<std::pair<TimePoint, Version>> versions = {{Now(), model_}};
  for (int step = 0; step < 120; ++step) {
    Step(random, environment_.clock, [&](int partition, int n, int action) {
      const std::string p = kPartitions[partition];
      if (action < 6) {
        Put(p, n, step);
      } else if (action < 9) {
        Delete(p, n);
      } else {
        Move(p, n, (n + 1) % kNumbers, step);
      }
    });
    versions.emplace_back(Now(), model_);
    if (step % 40 == 39) {
      Open(files);  // closing has written everything to tables
      // What was read before is a promise of that process alone.
      environment_.clock.Advance(std::chrono::seconds(10));
    }
  }
  for (int look = 0; look < 25; ++look) {
    const auto& [moment, then] = versions[random.Below(versions.size())];
    ExpectThen(moment, then);
  }
  ExpectThen(versions.front().first, versions.front().second);
  ExpectThen(versions.back().first, versions.back().second);
  ASSERT_TRUE(engine_->Close().has_value());
  const CheckReport report = Must(CheckDatabase({.path = files.path}));
  EXPECT_THAT(report.problems.texts, testing::IsEmpty());
  EXPECT_GT(report.undo_rows, 50U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HistoryProperty, testing::Range(1, 5));

TEST_F(HistoryTest, AnItemWithManyVersionsIsReadByJumps) {
  Open();
  MakeTable();
  Switch(true);
  std::vector<std::pair<TimePoint, Version>> versions;
  for (int step = 0; step < 100; ++step) {
    environment_.clock.Advance(std::chrono::milliseconds(1));
    Put("a", 3, step);
    Put("a", step % 2 == 0 ? 2 : 4, step);
    versions.emplace_back(Now(), model_);
  }
  for (const std::size_t at : {0U, 1U, 49U, 90U, 98U, 99U}) {
    ExpectThen(versions[at].first, versions[at].second);
  }
}

TEST_F(HistoryTest, IsRefusedWhereThereIsNone) {
  Open();
  MakeTable();
  const auto read = [&](TimePoint moment) {
    return engine_->GetItem(
        {.table_name = "things", .key = {{"p", "a"}, {"n", 1}}, .as_of = moment});
  };
  EXPECT_THAT(Refusal(read(TimePoint::max())),
              HasSubstr("recovery is not enabled for table 'things'"));
  Switch(true);
  const TimePoint since = Now();
  EXPECT_TRUE(read(since).has_value());
  EXPECT_THAT(Refusal(read(since - std::chrono::seconds(2))), HasSubstr("must be within"));
  EXPECT_THAT(Refusal(read(environment_.clock.Now() + std::chrono::seconds(2))),
              HasSubstr("must be within"));
  Switch(false);
  EXPECT_THAT(Refusal(read(since)), HasSubstr("recovery is not enabled"));
}

TEST_F(HistoryTest, IsOneMomentForAllItemsOfABatch) {
  Open();
  MakeTable();
  FillSample(*engine_);
  Put("a", 1, 1);
  const BatchGetItemInput batch{
      .request_items = {{"things", {.keys = {{{"p", "a"}, {"n", 1}}, {{"p", "b"}, {"n", 1}}}}},
                        {"files", {.keys = {{{"digest", Binary{"a"}}}}}}}};
  const TransactGetItemsInput transaction{
      .transact_items = {{.table_name = "things", .key = {{"p", "a"}, {"n", 1}}},
                         {.table_name = "files", .key = {{"digest", Binary{"a"}}}}}};
  const auto at = [](auto input, TimePoint moment) {
    input.as_of = moment;
    return input;
  };
  Switch(true);
  EXPECT_THAT(Refusal(engine_->BatchGetItem(at(batch, TimePoint::max()))),
              HasSubstr("recovery is not enabled for table 'files'"));
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "files", .point_in_time_recovery_specification = {.enabled = true}}));
  const TimePoint moment = Now();
  Put("a", 1, 2);
  Put("b", 1, 2);
  Must(engine_->DeleteItem({.table_name = "files", .key = {{"digest", Binary{"a"}}}}));
  const BatchGetItemOutput then = Must(engine_->BatchGetItem(at(batch, moment)));
  EXPECT_EQ(then.as_of, moment);
  ASSERT_EQ(then.responses.at("things").size(), 1U);
  EXPECT_EQ(then.responses.at("things")[0].at("v"), AttributeValue(1));
  EXPECT_EQ(then.responses.at("files").size(), 1U);
  const TransactGetItemsOutput both = Must(engine_->TransactGetItems(at(transaction, moment)));
  EXPECT_EQ(both.as_of, moment);
  EXPECT_EQ(both.responses[0]->at("v"), AttributeValue(1));
  EXPECT_TRUE(both.responses[1].has_value());
  const TransactGetItemsOutput now =
      Must(engine_->TransactGetItems(at(transaction, TimePoint::max())));
  EXPECT_EQ(now.responses[0]->at("v"), AttributeValue(2));
  EXPECT_FALSE(now.responses[1].has_value());
  EXPECT_FALSE(Must(engine_->BatchGetItem(batch)).as_of.has_value());
}

TEST_F(HistoryTest, OfAnIndexIsRefused) {
  Open();
  FillSample(*engine_);
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "orders", .point_in_time_recovery_specification = {.enabled = true}}));
  EXPECT_THAT(Refusal(engine_->Scan(
                  {.table_name = "orders", .index_name = "by_city", .as_of = TimePoint::max()})),
              HasSubstr("An index has no history"));
}

TEST_F(HistoryTest, SwitchedOffAndOnBeginsAnew) {
  Open();
  MakeTable();
  Switch(true);
  Put("a", 1, 1);
  Put("a", 1, 2);
  Switch(false);
  Put("a", 1, 3);  // nobody remembers
  environment_.clock.Advance(std::chrono::minutes(1));
  const auto on = Switch(true);
  EXPECT_EQ(on.earliest_restorable_date_time, environment_.clock.Now());
  ExpectThen(Now(), model_);
  engine_->AwaitBackgroundJobs();
  ExpectThen(Now(), model_);
}

TEST_F(HistoryTest, ReachesBackAsFarAsItsDays) {
  const storage::TemporaryDirectory directory;
  const std::string path = directory.path() + "/db";
  Open({.path = path});
  MakeTable();
  Switch(true, 1);
  for (int step = 0; step < 20; ++step) {
    Put("a", 1, step);
  }
  const TimePoint early = Now();
  environment_.clock.Advance(std::chrono::hours(60));
  Put("a", 2, 100);
  const TimePoint late = Now();
  const Version then = model_;
  Put("a", 1, 100);
  ASSERT_TRUE(engine_->RunHousekeeping().has_value());
  EXPECT_THAT(Refusal(engine_->GetItem(
                  {.table_name = "things", .key = {{"p", "a"}, {"n", 1}}, .as_of = early})),
              HasSubstr("must be within"));
  ExpectThen(late, then);
  // More days do not bring back what is gone.
  const auto longer = Switch(true, 35);
  EXPECT_GT(*longer.earliest_restorable_date_time, early);
  ASSERT_TRUE(engine_->Close().has_value());
  const CheckReport report = Must(CheckDatabase({.path = path}));
  EXPECT_THAT(report.problems.texts, testing::IsEmpty());
  EXPECT_LE(report.undo_rows, 2U);  // the others went in the compaction
}

TEST_F(HistoryTest, IsReadFromTheDirectoryByTools) {
  const storage::TemporaryDirectory directory;
  const std::string path = directory.path() + "/db";
  Open({.path = path});
  MakeTable();
  Put("a", 1, 1);
  EXPECT_FALSE(HistoryReader::Open(path, "things").has_value());
  Switch(true);
  Put("b", 1, 1);
  const TimePoint moment = Now();
  Put("a", 1, 2);
  Put("c", 1, 1);
  Delete("b", 1);
  Put("a", 1, 3);
  const HistoryReader reader = Must(HistoryReader::Open(path, "things"));  // beside the engine
  const auto versions = Must(reader.VersionsOf({{"p", "a"}, {"n", 1}}));
  ASSERT_EQ(versions.size(), 3U);
  EXPECT_FALSE(versions[0].since.has_value());
  EXPECT_LT(*versions[1].since, *versions[2].since);
  for (int at = 0; at < 3; ++at) {
    EXPECT_EQ(versions[static_cast<std::size_t>(at)].item->at("v"), AttributeValue(at + 1));
  }
  EXPECT_EQ(Must(reader.VersionsOf({{"p", "none"}, {"n", 1}})).size(), 1U);
  EXPECT_FALSE(reader.VersionsOf({{"p", "a"}}).has_value());
  int added = 0;
  int changed = 0;
  int removed = 0;
  ASSERT_TRUE(reader
                  .Compare(moment, TimePoint::max(),
                           [&](const ItemDifference& difference) -> Result<void> {
                             ++(!difference.before ? added : !difference.after ? removed : changed);
                             return {};
                           })
                  .has_value());
  EXPECT_EQ(added, 1);
  EXPECT_EQ(changed, 1);
  EXPECT_EQ(removed, 1);
  EXPECT_THAT(Refusal(reader.Compare(moment - std::chrono::hours(1), moment, nullptr)),
              HasSubstr("begins at"));
}

TEST_F(HistoryTest, TellsTheVersionsOfAnItemPageByPageNewestFirst) {
  Open();
  MakeTable();
  const Item key = {{"p", "a"}, {"n", 1}};
  EXPECT_FALSE(engine_->VersionsOf({.table_name = "things", .key = key}).has_value());
  Switch(true);
  for (int value = 1; value <= 4; ++value) {
    Put("a", 1, value);
  }
  Delete("a", 1);
  Put("a", 2, 9);  // another item beside it
  VersionsAsked asked = {.table_name = "things", .key = key, .versions_max = 2};
  std::vector<std::optional<AttributeValue>> seen;
  std::optional<std::uint64_t> later;
  bool has_more = true;
  while (has_more) {
    const VersionsPage page = Must(engine_->VersionsOf(asked));
    ASSERT_FALSE(page.versions.empty());
    EXPECT_LE(page.versions.size(), 2U);
    for (const ItemVersion& version : page.versions) {
      seen.push_back(version.item ? std::optional(version.item->at("v")) : std::nullopt);
      EXPECT_TRUE(!later || !version.since || *version.since < *later);
      later = version.since;
    }
    has_more = page.has_more;
    asked.before = page.versions.back().since;
  }
  const std::vector<std::optional<AttributeValue>> expected = {std::nullopt,      AttributeValue(4),
                                                               AttributeValue(3), AttributeValue(2),
                                                               AttributeValue(1), std::nullopt};
  EXPECT_EQ(seen, expected);
  EXPECT_FALSE(later.has_value());  // from before what is remembered
  // The version that goes beyond the bytes is the last of its page.
  const VersionsPage one = Must(engine_->VersionsOf(
      {.table_name = "things", .key = key, .before = std::nullopt, .bytes_max = 0}));
  EXPECT_EQ(one.versions.size(), 2U);  // nothing is there now, which has no bytes
  EXPECT_TRUE(one.has_more);
  EXPECT_TRUE(Must(engine_->VersionsOf({.table_name = "things", .key = key, .before = 1}))
                  .versions.empty());
  EXPECT_FALSE(engine_->VersionsOf({.table_name = "things", .key = {{"p", "a"}}}).has_value());
  EXPECT_FALSE(engine_->VersionsOf({.table_name = "none", .key = key}).has_value());
}

// Times of commits over ends of both kinds, while the clock goes back: a power cut loses the rest of what
// was reserved, a clean end gives it back.
class CommitTimesTest : public HistoryTest,
                        public testing::WithParamInterface<storage::Durability> {
 protected:
  void Start() { Open({.path = "/db", .durability = GetParam(), .disk = disk_}); }
  void LosePower() {
    disk_->CutPower();
    engine_.reset();
    disk_->RestorePower();
    disk_->Heal();
  }
  // When the item was written last.
  std::uint64_t Written() {
    return *Must(engine_->VersionsOf({.table_name = "things", .key = {{"p", "a"}, {"n", 1}}}))
                .versions.front()
                .since;
  }

  const std::shared_ptr<storage::FaultyDisk> disk_ = storage::FaultyDisk::InMemory();
};

INSTANTIATE_TEST_SUITE_P(, CommitTimesTest,
                         testing::Values(storage::Durability::kDurable,
                                         storage::Durability::kRelaxed),
                         [](const auto& each) {
                           return each.param == storage::Durability::kDurable ? "Durable"
                                                                              : "Relaxed";
                         });

TEST_P(CommitTimesTest, RiseWhateverEndsTheEngine) {
  constexpr std::uint64_t kAhead = 100'000;
  Start();
  MakeTable();
  Switch(true);
  std::uint64_t last = 0;
  for (int round = 0; round < 6; ++round) {
    const bool is_cut = round % 2 == 0;
    for (int write = 0; write < 3; ++write) {
      Put("a", 1, 10 * round + write);
      const std::uint64_t written = Written();
      EXPECT_GT(written, last);
      EXPECT_LE(written, last == 0 ? CommitTimeOf(kSampleTime) + 100 : last + kAhead + 10)
          << "and not further ahead of the clock than they must";
      last = written;
      environment_.clock.Advance(std::chrono::seconds(-1));
    }
    Must(engine_->Close());
    Start();  // with what is synced
    Put("a", 1, -round);
    EXPECT_LE(Written(), last + 10) << "a clean end gives back what was reserved";
    last = Written();
    if (is_cut) {
      LosePower();
      Start();
      last = Written();  // a relaxed store has lost what was written last
    }
    EXPECT_EQ(Must(CheckDatabase({.path = "/db", .disk = disk_})).problems.texts,
              std::vector<std::string>());
  }
}

TEST_F(HistoryTest, GoesWithTheBackupOfItsTable) {
  const storage::TemporaryDirectory directory;
  const std::string path = directory.path() + "/db";
  Open({.path = path});
  MakeTable();
  Switch(true);
  Put("a", 1, 1);
  Must(engine_->DeleteTable({.table_name = "things"}));
  engine_->AwaitBackgroundJobs();
  environment_.clock.Advance(std::chrono::days(36));
  ASSERT_TRUE(engine_->RunHousekeeping().has_value());
  engine_->AwaitBackgroundJobs();
  ASSERT_TRUE(engine_->Close().has_value());
  const CheckReport report = Must(CheckDatabase({.path = path}));
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(report.undo_rows, 0U);
}

TEST(HistoryKeeper, RemovesNothingThatIsLeased) {
  HistoryKeeper keeper;
  const auto removes = [&](std::uint64_t time) {
    std::string item;
    keyspace::AppendItemKey(7, AttributeValue("a"), nullptr, item);
    std::string key;
    keyspace::AppendUndoKey(item, time, key);
    const std::unique_ptr<storage::RowFilter> filter = keeper.Make();
    return filter != nullptr && filter->Removes(key, 0);
  };
  EXPECT_FALSE(removes(1));
  {
    const auto lease = keeper.Take(7, 50);
    ASSERT_TRUE(lease.has_value());
    keeper.SetHorizon(7, 100);
    EXPECT_TRUE(removes(50));
    EXPECT_FALSE(removes(51));
    EXPECT_FALSE(keeper.Take(7, 99).has_value());
    EXPECT_TRUE(keeper.Take(7, 100).has_value());
  }
  EXPECT_TRUE(removes(100));
  EXPECT_FALSE(removes(101));
  keeper.SetHorizon(7, 20);
  EXPECT_TRUE(removes(100)) << "a horizon does not move back";
  EXPECT_EQ(keeper.rows_removed(), 3U);
}

}  // namespace
}  // namespace stator::engine
