// Streams: shards that end after some hours, their children, and consumers that work through them.

#include <functional>
#include <map>
#include <set>

#include "contract/stream_test.h"
#include "stator/base/random.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::chrono::hours kShardAge{4};

class StreamShards : public StreamTest {
 protected:
  void SetUp() override {
    if (!ThisHome().controls_time) {
      GTEST_SKIP() << "time is not ours";
    }
    MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewAndOldImages});
    arn_ = StreamOf("things");
  }

  void Pass(Duration duration) {
    home().Advance(duration);
    home().Housekeep();
  }
  [[nodiscard]] std::vector<Shard> Shards() { return Stream(arn_).shards; }
  [[nodiscard]] Result<GetShardIteratorOutput> IteratorIn(
      const Shard& shard, ShardIteratorType type,
      std::optional<std::string> sequence = std::nullopt) {
    return db().GetShardIterator({.stream_arn = arn_,
                                  .shard_id = shard.shard_id,
                                  .shard_iterator_type = type,
                                  .sequence_number = std::move(sequence)});
  }
  [[nodiscard]] GetRecordsOutput ReadIn(const Shard& shard, ShardIteratorType type,
                                        std::optional<std::string> sequence = std::nullopt) {
    return Must(db().GetRecords(
        {.shard_iterator = Must(IteratorIn(shard, type, std::move(sequence))).shard_iterator}));
  }
  [[nodiscard]] const std::string& arn() const { return arn_; }

 private:
  std::string arn_;
};

TEST_F(StreamShards, OneThatIsHoursOldEndsAndHasAChild) {
  Put("things", {{"pk", "a"}});
  Pass(kShardAge - std::chrono::seconds(1));
  ASSERT_THAT(Shards(), SizeIs(1));
  Pass(std::chrono::seconds(1));
  const std::vector<Shard> shards = Shards();
  ASSERT_THAT(shards, SizeIs(2));
  EXPECT_EQ(shards[0].parent_shard_id, std::nullopt);
  ASSERT_TRUE(shards[0].ending_sequence_number);
  EXPECT_EQ(shards[1].parent_shard_id, shards[0].shard_id);
  EXPECT_EQ(shards[1].ending_sequence_number, std::nullopt);
  EXPECT_LT(shards[0].shard_id, shards[1].shard_id);
  EXPECT_LT(*shards[0].ending_sequence_number, shards[1].starting_sequence_number);
  EXPECT_EQ(Stream(arn()).stream_status, StreamStatus::kEnabled);
  Pass(kShardAge);
  EXPECT_THAT(Shards(), SizeIs(3));
}

TEST_F(StreamShards, AreListedInPagesAndByTheirParent) {
  for (int round = 0; round < 3; ++round) {
    Pass(kShardAge);
  }
  const std::vector<Shard> shards = Shards();
  ASSERT_THAT(shards, SizeIs(4));
  std::vector<std::string> seen;
  std::optional<std::string> start;
  do {
    const StreamDescription page =
        Must(db().DescribeStream(
                 {.stream_arn = arn(), .limit = 3, .exclusive_start_shard_id = start}))
            .stream_description;
    for (const Shard& shard : page.shards) {
      seen.push_back(shard.shard_id);
    }
    start = page.last_evaluated_shard_id;
  } while (start);
  ASSERT_THAT(seen, SizeIs(4));
  for (std::size_t at = 0; at < seen.size(); ++at) {
    EXPECT_EQ(seen[at], shards[at].shard_id);
  }
  const auto children = [&](const Shard& shard) {
    return Must(db().DescribeStream({.stream_arn = arn(), .child_shards_of = shard.shard_id}))
        .stream_description.shards;
  };
  ASSERT_THAT(children(shards[1]), SizeIs(1));
  EXPECT_EQ(children(shards[1])[0].shard_id, shards[2].shard_id);
  EXPECT_THAT(children(shards[3]), IsEmpty());
}

TEST_F(StreamShards, TheirRecordsAreInOneOfThem) {
  Put("things", {{"pk", "a"}});
  Pass(kShardAge);
  Put("things", {{"pk", "b"}});
  const std::vector<Shard> shards = Shards();
  ASSERT_THAT(shards, SizeIs(2));
  const GetRecordsOutput first = ReadIn(shards[0], ShardIteratorType::kTrimHorizon);
  ASSERT_THAT(first.records, SizeIs(1));
  EXPECT_EQ(first.records[0].keys, (Item{{"pk", "a"}}));
  EXPECT_EQ(first.next_shard_iterator, std::nullopt);
  const GetRecordsOutput second = ReadIn(shards[1], ShardIteratorType::kTrimHorizon);
  ASSERT_THAT(second.records, SizeIs(1));
  EXPECT_EQ(second.records[0].keys, (Item{{"pk", "b"}}));
  EXPECT_TRUE(second.next_shard_iterator);
}

TEST_F(StreamShards, AnIteratorFromBeforeTheEndMeetsIt) {
  Put("things", {{"pk", "a"}});
  home().Advance(kShardAge);
  const std::string before =
      Must(IteratorIn(Shards().at(0), ShardIteratorType::kTrimHorizon)).shard_iterator;
  const auto at_end = Must(db().GetRecords({.shard_iterator = before}));
  ASSERT_TRUE(at_end.next_shard_iterator);
  home().Housekeep();
  Put("things", {{"pk", "b"}});
  const auto behind = Must(db().GetRecords({.shard_iterator = *at_end.next_shard_iterator}));
  EXPECT_THAT(behind.records, IsEmpty());
  EXPECT_EQ(behind.next_shard_iterator, std::nullopt);
  EXPECT_THAT(Must(db().GetRecords({.shard_iterator = before})).records, SizeIs(1));
}

TEST_F(StreamShards, AnEndedOneHasNothingLaterAndOnlyItsOwnNumbers) {
  Put("things", {{"pk", "a"}});
  Pass(kShardAge);
  Put("things", {{"pk", "b"}});
  const std::vector<Shard> shards = Shards();
  const std::string first = Records("things").at(0).sequence_number;
  const std::string second = Records("things").at(1).sequence_number;
  const GetRecordsOutput latest = ReadIn(shards[0], ShardIteratorType::kLatest);
  EXPECT_THAT(latest.records, IsEmpty());
  EXPECT_EQ(latest.next_shard_iterator, std::nullopt);
  EXPECT_THAT(ReadIn(shards[0], ShardIteratorType::kAtSequenceNumber, first).records, SizeIs(1));
  EXPECT_THAT(
      ReadIn(shards[0], ShardIteratorType::kAtSequenceNumber, shards[0].starting_sequence_number)
          .records,
      SizeIs(1));
  EXPECT_THAT(
      ReadIn(shards[0], ShardIteratorType::kAfterSequenceNumber, shards[0].ending_sequence_number)
          .records,
      IsEmpty());
  EXPECT_TRUE(FailsWith(IteratorIn(shards[0], ShardIteratorType::kAtSequenceNumber, second),
                        ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(IteratorIn(shards[1], ShardIteratorType::kAtSequenceNumber, first),
                        ErrorCode::kValidation));
}

TEST_F(StreamShards, AreGoneADayAfterTheirEnd) {
  Put("things", {{"pk", "a"}});
  Pass(kShardAge);
  const Shard old = Shards().at(0);
  Put("things", {{"pk", "b"}});
  Pass(std::chrono::hours(24));
  EXPECT_EQ(Shards().front().shard_id, old.shard_id);
  const std::string iterator =
      Must(IteratorIn(old, ShardIteratorType::kTrimHorizon)).shard_iterator;
  Pass(std::chrono::seconds(1));
  ASSERT_FALSE(Shards().empty());
  EXPECT_NE(Shards().front().shard_id, old.shard_id);
  EXPECT_EQ(Shards().front().parent_shard_id, std::nullopt);
  EXPECT_TRUE(
      FailsWith(IteratorIn(old, ShardIteratorType::kTrimHorizon), ErrorCode::kResourceNotFound));
  EXPECT_TRUE(FailsWith(db().GetRecords({.shard_iterator = iterator}), ErrorCode::kTrimmedData));
  // What is left of an idle stream is bounded.
  for (int round = 0; round < 20; ++round) {
    Pass(kShardAge);
  }
  EXPECT_LE(Shards().size(), 8U);
}

TEST_F(StreamShards, AllOfADisabledStreamHaveEnded) {
  Put("things", {{"pk", "a"}});
  Pass(kShardAge);
  Put("things", {{"pk", "b"}});
  ASSERT_TRUE(Succeeds(
      db().UpdateTable({.table_name = "things",
                        .stream_specification = StreamSpecification{.stream_enabled = false}})));
  home().Settle();
  Pass(kShardAge);
  const std::vector<Shard> shards = Shards();
  ASSERT_THAT(shards, SizeIs(2));
  for (const Shard& shard : shards) {
    EXPECT_TRUE(shard.ending_sequence_number);
    const GetRecordsOutput output = ReadIn(shard, ShardIteratorType::kTrimHorizon);
    EXPECT_THAT(output.records, SizeIs(1));
    EXPECT_EQ(output.next_shard_iterator, std::nullopt);
  }
}

TEST_F(StreamShards, OutliveTheProcess) {
  if (!ThisHome().keeps_data) {
    GTEST_SKIP() << "nothing is kept";
  }
  Put("things", {{"pk", "a"}});
  Pass(kShardAge);
  const std::vector<Shard> before = Shards();
  home().Reopen();
  const std::vector<Shard> after = Shards();
  ASSERT_EQ(before.size(), after.size());
  EXPECT_EQ(before[1].shard_id, after[1].shard_id);
  EXPECT_EQ(before[1].starting_sequence_number, after[1].starting_sequence_number);
  Put("things", {{"pk", "b"}});
  const GetRecordsOutput output = ReadIn(after[1], ShardIteratorType::kTrimHorizon);
  ASSERT_THAT(output.records, SizeIs(1));
  EXPECT_GT(output.records[0].sequence_number, after[1].starting_sequence_number);
}

// A consumer as Lambda and the Kinesis client library are: a shard is read when its parent is
// through, from the record behind the last one that was worked on, which is all that it remembers.
class Consumer {
 public:
  Consumer(Database& database, std::string arn) : database_(&database), arn_(std::move(arn)) {}

  // One page of every shard whose turn it is. Whether there was anything to do.
  bool Poll(std::int32_t limit, const std::function<void(const StreamRecord&)>& work) {
    bool progress = false;
    for (const Shard& shard : FindShards()) {
      const bool waits = shard.parent_shard_id && known_.contains(*shard.parent_shard_id) &&
                         !through_.contains(*shard.parent_shard_id);
      if (!waits && !through_.contains(shard.shard_id)) {
        progress = ReadPage(shard.shard_id, limit, work) || progress;
      }
    }
    return progress;
  }

 private:
  std::vector<Shard> FindShards() {
    std::vector<Shard> shards;
    std::optional<std::string> start;
    do {
      StreamDescription page =
          database_
              ->DescribeStream({.stream_arn = arn_, .limit = 2, .exclusive_start_shard_id = start})
              .value()
              .stream_description;
      for (Shard& shard : page.shards) {
        known_.insert(shard.shard_id);
        shards.push_back(std::move(shard));
      }
      start = page.last_evaluated_shard_id;
    } while (start);
    return shards;
  }

  bool ReadPage(const std::string& shard, std::int32_t limit,
                const std::function<void(const StreamRecord&)>& work) {
    const auto last = last_.find(shard);
    GetShardIteratorInput input{.stream_arn = arn_,
                                .shard_id = shard,
                                .shard_iterator_type = ShardIteratorType::kTrimHorizon};
    if (last != last_.end()) {
      input.shard_iterator_type = ShardIteratorType::kAfterSequenceNumber;
      input.sequence_number = last->second;
    }
    const std::string iterator = database_->GetShardIterator(input).value().shard_iterator;
    const GetRecordsOutput page =
        database_->GetRecords({.shard_iterator = iterator, .limit = limit}).value();
    for (const StreamRecord& record : page.records) {
      work(record);
      last_[shard] = record.sequence_number;
    }
    if (!page.next_shard_iterator) {
      through_.insert(shard);
    }
    return !page.records.empty() || !page.next_shard_iterator;
  }

  Database* database_;
  std::string arn_;
  std::set<std::string> known_;
  std::set<std::string> through_;
  std::map<std::string, std::string> last_;
};

TEST_F(StreamShards, AConsumerSeesEveryChangeOnceAndThoseOfAnItemInTheirOrder) {
  SeededRandom random(20261117);
  Consumer consumer(db(), arn());
  std::map<std::string, std::optional<Item>> told;   // by the stream
  std::map<std::string, std::optional<Item>> there;  // in the table
  int changes = 0;
  int records = 0;
  const auto work = [&](const StreamRecord& record) {
    std::optional<Item>& item = told[*record.keys.at("pk").If<std::string>()];
    EXPECT_EQ(record.old_image, item);
    item = record.new_image;
    ++records;
  };
  for (int step = 0; step < 400; ++step) {
    const std::string pk = std::to_string(random.Below(5));
    switch (random.Below(8)) {
      case 0:
        changes += there[pk] ? 1 : 0;
        Must(db().DeleteItem({.table_name = "things", .key = {{"pk", pk}}}));
        there[pk].reset();
        break;
      case 1:
        Pass(std::chrono::minutes(random.Below(300)));
        break;
      case 2:
        consumer.Poll(static_cast<std::int32_t>(1 + random.Below(5)), work);
        break;
      case 3:
        for (int round = 0; round < 100 && consumer.Poll(3, work); ++round) {
        }
        break;
      default:
        there[pk] = Item{{"pk", pk}, {"step", step}};
        Put("things", *there[pk]);
        ++changes;
    }
  }
  for (int round = 0; round < 1000 && consumer.Poll(3, work); ++round) {
  }
  EXPECT_EQ(records, changes);
  for (const auto& [pk, item] : there) {
    EXPECT_EQ(told[pk], item) << pk;
  }
  EXPECT_GT(Shards().size(), 2U);
}

}  // namespace
}  // namespace stator::contract
