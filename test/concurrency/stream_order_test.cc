// A stream that is read while others write: every change is told once, those of one item in their
// order, and none is passed over.

#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "concurrency/stage.h"
#include "stator/base/random.h"

namespace stator::concurrency {
namespace {

constexpr int kWriters = 6;
constexpr int kKeys = 5;

class StreamOrder : public ConcurrencyTest {
 protected:
  void SetUp() override { MakeTable("things", true); }

  std::string FirstIterator() {
    const std::string arn =
        *Must(db().DescribeTable({.table_name = "things"})).table.latest_stream_arn;
    const auto stream = Must(db().DescribeStream({.stream_arn = arn})).stream_description;
    return Must(db().GetShardIterator({.stream_arn = arn,
                                       .shard_id = stream.shards.front().shard_id,
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

  [[nodiscard]] const std::map<std::string, std::optional<Item>>& last() const { return last_; }
  [[nodiscard]] int records() const { return records_; }

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
  EXPECT_GT(records(), 0);
  // What the stream tells last is what is there.
  for (const auto& [pk, item] : last()) {
    EXPECT_EQ(Must(db().GetItem({.table_name = "things", .key = {{"pk", pk}}})).item, item);
  }
}

INSTANTIATE_TEST_SUITE_P(Homes, StreamOrder, testing::Values(Home::kMemory, Home::kFiles),
                         NameOfHome);

}  // namespace
}  // namespace stator::concurrency
