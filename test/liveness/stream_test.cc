// A stream on a disk that stands still or fails: readers are told what is durable, and never pass a
// record that turns up later.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "liveness/held_disk.h"

namespace stator::liveness {
namespace {

class StreamTest : public HeldDisk {
 protected:
  StreamTest() { MakeTable("streamed", true); }

  Answer<PutItemOutput> StartStreamed(const std::string& pk) {
    Answer<PutItemOutput> answer;
    db().StartPutItem({.table_name = "streamed", .item = {{"pk", pk}}}, answer.Expect());
    return answer;
  }

  std::string StreamArn() {
    return *db().DescribeTable({.table_name = "streamed"}).value().table.latest_stream_arn;
  }

  std::string Iterator(const std::string& arn, ShardIteratorType type) {
    const auto stream = db().DescribeStream({.stream_arn = arn}).value().stream_description;
    return db()
        .GetShardIterator({.stream_arn = arn,
                           .shard_id = stream.shards.front().shard_id,
                           .shard_iterator_type = type})
        .value()
        .shard_iterator;
  }

  // The keys of the records from the iterator on, which it moves behind them.
  std::vector<std::string> Poll(std::optional<std::string>& iterator) {
    std::vector<std::string> keys;
    auto output = db().GetRecords({.shard_iterator = *iterator}).value();
    for (const StreamRecord& record : output.records) {
      keys.push_back(*record.keys.at("pk").If<std::string>());
    }
    iterator = output.next_shard_iterator;
    return keys;
  }
};

using Keys = std::vector<std::string>;

// A number that was given to a write whose sync failed was given back before: a reader passed it,
// and when the record was on the disk after all it was never delivered.
TEST_F(StreamTest, AReaderNeverPassesARecordWhoseSyncFailed) {
  std::optional<std::string> iterator = Iterator(StreamArn(), ShardIteratorType::kTrimHorizon);
  ASSERT_TRUE(StartStreamed("a").Await().has_value());
  EXPECT_EQ(Poll(iterator), Keys{"a"});
  disk().HoldSyncs();
  Answer<PutItemOutput> failed = StartStreamed("b");
  disk().AwaitHeldSync();
  EXPECT_EQ(Poll(iterator), Keys{});
  disk().FailHeldSync();
  EXPECT_EQ(failed.Await().error().code, ErrorCode::kIo);
  EXPECT_EQ(Poll(iterator), Keys{});
  disk().Heal();
  Open();
  const bool is_there =
      db().GetItem({.table_name = "streamed", .key = {{"pk", "b"}}}).value().item.has_value();
  EXPECT_TRUE(is_there) << "this disk keeps what it failed to sync; the case needs it";
  ASSERT_TRUE(StartStreamed("c").Await().has_value());
  EXPECT_EQ(Poll(iterator), (is_there ? Keys{"b", "c"} : Keys{"c"}));
}

TEST_F(StreamTest, ReadersSeeOnlyWhatIsDurable) {
  std::optional<std::string> all = Iterator(StreamArn(), ShardIteratorType::kTrimHorizon);
  disk().HoldSyncs();
  Answer<PutItemOutput> first = StartStreamed("a");
  Answer<PutItemOutput> second = StartStreamed("b");
  disk().AwaitHeldSync();
  std::optional<std::string> latest = Iterator(StreamArn(), ShardIteratorType::kLatest);
  EXPECT_EQ(Poll(all), Keys{});
  EXPECT_EQ(Poll(latest), Keys{});
  disk().LetSyncs(2);
  ASSERT_TRUE(first.Await().has_value());
  ASSERT_TRUE(second.Await().has_value());
  EXPECT_EQ(Poll(all), (Keys{"a", "b"}));
  EXPECT_EQ(Poll(latest), (Keys{"a", "b"})) << "they came after the iterator was given";
}

// A stream that was switched off is at its end only when its last record is there.
TEST_F(StreamTest, AClosedStreamEndsBehindItsLastRecord) {
  const std::string arn = StreamArn();
  std::optional<std::string> iterator = Iterator(arn, ShardIteratorType::kTrimHorizon);
  ASSERT_TRUE(StartStreamed("a").Await().has_value());
  EXPECT_EQ(Poll(iterator), Keys{"a"});
  ASSERT_TRUE(iterator.has_value());
  ASSERT_TRUE(
      db().UpdateTable({.table_name = "streamed",
                        .stream_specification = StreamSpecification{.stream_enabled = false}})
          .has_value());
  EXPECT_EQ(Poll(iterator), Keys{});
  EXPECT_FALSE(iterator.has_value()) << "it was read to its end";
}

}  // namespace
}  // namespace stator::liveness
