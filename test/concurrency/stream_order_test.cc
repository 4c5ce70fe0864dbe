// A stream that is read while others write: every change is told once, those of one item in their
// order, and none is passed over.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "concurrency/stage.h"
#include "stator/base/random.h"

namespace stator::concurrency {
namespace {

constexpr int kWriters = 6;
constexpr int kKeys = 5;

class StreamOrder : public ConcurrencyTest {
 protected:
  explicit StreamOrder(Clock& clock = SystemClock()) : ConcurrencyTest(clock) {}

  void SetUp() override { MakeTable("things", true); }

  std::string Arn() {
    return *Must(db().DescribeTable({.table_name = "things"})).table.latest_stream_arn;
  }
  std::string FirstShard() {
    return Must(db().DescribeStream({.stream_arn = Arn()}))
        .stream_description.shards.front()
        .shard_id;
  }
  std::string FirstIterator() {
    return Must(db().GetShardIterator({.stream_arn = Arn(),
                                       .shard_id = FirstShard(),
                                       .shard_iterator_type = ShardIteratorType::kTrimHorizon}))
        .shard_iterator;
  }

  // Each record begins where the one before it, of the same item, ended.
  void Follow(const StreamRecord& record) {
    std::optional<Item>& last = last_[*record.keys.at("pk").If<std::string>()];
    EXPECT_EQ(record.old_image, last);
    EXPECT_NE(record.new_image, last);
    EXPECT_GT(record.sequence_number, sequence_);
    sequence_ = record.sequence_number;
    last = record.new_image;
    ++records_;
  }

  void Write(Random& random, int number) {
    const std::string pk = std::to_string(random.Below(kKeys));
    const Item item{
        {"pk", pk}, {"n", number}, {"r", static_cast<std::int64_t>(random.Below(1000))}};
    if (random.Below(5) == 0) {
      Must(db().DeleteItem({.table_name = "things", .key = {{"pk", pk}}}));
    } else if (random.Below(3) == 0) {
      const std::string other = std::to_string((random.Below(kKeys - 1) + 1));
      if (other == pk) {
        return;
      }
      Must(db().TransactWriteItems(
          {.transact_items = {TransactPut{.table_name = "things", .item = item},
                              TransactDelete{.table_name = "things", .key = {{"pk", other}}}}}));
    } else {
      Must(db().PutItem({.table_name = "things", .item = item}));
    }
  }

  // What the stream told last is what is there.
  void ExpectToldAll() {
    EXPECT_GT(records_, 0);
    for (const auto& [pk, item] : last_) {
      EXPECT_EQ(Must(db().GetItem({.table_name = "things", .key = {{"pk", pk}}})).item, item);
    }
  }
  [[nodiscard]] const std::string& sequence() const { return sequence_; }

 private:
  std::map<std::string, std::optional<Item>> last_;
  std::string sequence_;
  int records_ = 0;
};

TEST_P(StreamOrder, ReadMeanwhileTellsEveryChangeOnceAndInOrder) {
  const int rounds = 60 * Effort();
  std::atomic<int> writers = kWriters;
  InParallel(kWriters + 1, [&](int thread) {
    if (thread < kWriters) {
      SeededRandom random(static_cast<std::uint64_t>(thread));
      for (int number = 0; number < rounds; ++number) {
        Write(random, thread * rounds + number);
      }
      --writers;
      return;
    }
    std::string iterator = FirstIterator();
    for (bool last_round = false; !last_round;) {
      last_round = writers == 0;
      GetRecordsOutput output = Must(db().GetRecords({.shard_iterator = iterator}));
      while (!output.records.empty()) {
        for (const StreamRecord& record : output.records) {
          Follow(record);
        }
        output = Must(db().GetRecords({.shard_iterator = *output.next_shard_iterator}));
      }
      iterator = *output.next_shard_iterator;
    }
  });
  ExpectToldAll();
}

// The time of day can be moved on; how long things take is what it is.
class ShiftedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint Now() const override { return SystemClock().Now() + shift_.load(); }
  [[nodiscard]] Duration Elapsed() const override { return SystemClock().Elapsed(); }
  void SleepFor(Duration duration) override { SystemClock().SleepFor(duration); }
  void Shift(Duration duration) { shift_ = shift_.load() + duration; }

 private:
  std::atomic<Duration> shift_ = Duration::zero();
};

struct HasShiftedClock {
  ShiftedClock clock;
};

class ShardOrder : private HasShiftedClock, public StreamOrder {
 protected:
  ShardOrder() : StreamOrder(clock) {}

  void NextShard() {
    clock.Shift(std::chrono::hours(4));
    Must(db().RunHousekeeping());
  }

  // A page behind the last record that was followed. Iterators expire when the clock is moved.
  GetRecordsOutput Page(const std::string& shard) {
    for (;;) {
      const bool is_first = sequence() <= start_;
      const std::string iterator =
          Must(db().GetShardIterator(
                   {.stream_arn = Arn(),
                    .shard_id = shard,
                    .shard_iterator_type = is_first ? ShardIteratorType::kTrimHorizon
                                                    : ShardIteratorType::kAfterSequenceNumber,
                    .sequence_number = is_first ? std::nullopt : std::optional(sequence())}))
              .shard_iterator;
      Result<GetRecordsOutput> page = db().GetRecords({.shard_iterator = iterator});
      if (page || page.error().code != ErrorCode::kExpiredIterator) {
        return Must(std::move(page));
      }
    }
  }

  std::string ChildOf(const std::string& shard) {
    const Shard child = Must(db().DescribeStream({.stream_arn = Arn(), .child_shards_of = shard}))
                            .stream_description.shards.at(0);
    start_ = child.starting_sequence_number;
    return child.shard_id;
  }

 private:
  std::string start_;  // of the shard that is read
};

TEST_P(ShardOrder, ShardsThatEndMeanwhileLoseAndRepeatNothing) {
  const int rounds = 60 * Effort();
  constexpr int kShards = 5;  // in less than a day, so that nothing is trimmed
  std::atomic<int> writers = kWriters;
  int read_through = 0;
  InParallel(kWriters + 1, [&](int thread) {
    if (thread < kWriters) {
      SeededRandom random(static_cast<std::uint64_t>(thread));
      for (int number = 0; number < rounds; ++number) {
        if (thread == 0 && number % (rounds / kShards) == rounds / kShards - 1) {
          NextShard();
        }
        Write(random, thread * rounds + number);
      }
      --writers;
      return;
    }
    std::string shard = FirstShard();
    for (bool last_round = false;;) {
      const GetRecordsOutput page = Page(shard);
      for (const StreamRecord& record : page.records) {
        Follow(record);
      }
      if (!page.next_shard_iterator) {
        shard = ChildOf(shard);
        ++read_through;
      } else if (page.records.empty()) {
        if (last_round) {
          break;
        }
        last_round = writers == 0;
      }
    }
  });
  EXPECT_EQ(read_through, kShards);
  ExpectToldAll();
}

INSTANTIATE_TEST_SUITE_P(Homes, ShardOrder, testing::Values(Home::kMemory, Home::kFiles),
                         NameOfHome);
INSTANTIATE_TEST_SUITE_P(Homes, StreamOrder, testing::Values(Home::kMemory, Home::kFiles),
                         NameOfHome);

}  // namespace
}  // namespace stator::concurrency
