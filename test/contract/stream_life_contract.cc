// Streams: switching them on and off, listing and describing them.

#include "contract/stream_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class StreamLife : public StreamTest {
 protected:
  [[nodiscard]] Result<UpdateTableOutput> Enable(StreamViewType view) {
    const auto result = db().UpdateTable({.table_name = "things",
                                          .stream_specification = StreamSpecification{
                                              .stream_enabled = true, .stream_view_type = view}});
    home().Settle();
    return result;
  }
  [[nodiscard]] Result<UpdateTableOutput> Disable() {
    const auto result =
        db().UpdateTable({.table_name = "things",
                          .stream_specification = StreamSpecification{.stream_enabled = false}});
    home().Settle();
    return result;
  }
};

TEST_F(StreamLife, IsDescribedWithItsTableAndOneOpenShard) {
  MakeTable({.name = "things", .keys = "pk:S | sk:N", .stream = StreamViewType::kNewImage});
  const StreamDescription stream = Stream(StreamOf("things"));
  EXPECT_EQ(stream.stream_arn, StreamOf("things"));
  EXPECT_EQ(stream.table_name, "things");
  EXPECT_EQ(stream.stream_label, Describe("things").latest_stream_label);
  EXPECT_EQ(stream.stream_status, StreamStatus::kEnabled);
  EXPECT_EQ(stream.stream_view_type, StreamViewType::kNewImage);
  EXPECT_EQ(stream.key_schema, KeySchema("pk:S | sk:N"));
  ASSERT_THAT(stream.shards, SizeIs(1));
  EXPECT_TRUE(stream.shards[0].shard_id.starts_with("shardId-"));
  EXPECT_FALSE(stream.shards[0].ending_sequence_number.has_value());
  EXPECT_FALSE(stream.shards[0].parent_shard_id.has_value());
}

TEST_F(StreamLife, NothingComesBehindTheLastShard) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  const StreamDescription stream = Stream(StreamOf("things"));
  EXPECT_THAT(Must(db().DescribeStream({.stream_arn = stream.stream_arn,
                                        .exclusive_start_shard_id = stream.shards.at(0).shard_id}))
                  .stream_description.shards,
              IsEmpty());
}

TEST_F(StreamLife, CanBeSwitchedOnLater) {
  MakeTable({.name = "things", .keys = "pk:S"});
  Put("things", {{"pk", "before"}});
  ASSERT_TRUE(Succeeds(Enable(StreamViewType::kKeysOnly)));
  Put("things", {{"pk", "after"}});
  ASSERT_THAT(Records("things"), SizeIs(1));
  EXPECT_EQ(Records("things")[0].keys, (Item{{"pk", "after"}}));
}

TEST_F(StreamLife, SwitchedOffItCanStillBeReadToItsEnd) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string arn = StreamOf("things");
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(Disable()));
  Put("things", {{"pk", "b"}});
  EXPECT_FALSE(Describe("things").stream_specification.has_value());
  EXPECT_EQ(Describe("things").latest_stream_arn, arn);
  const StreamDescription stream = Stream(arn);
  EXPECT_EQ(stream.stream_status, StreamStatus::kDisabled);
  ASSERT_THAT(stream.shards, SizeIs(1));
  EXPECT_TRUE(stream.shards[0].ending_sequence_number.has_value());
  const auto iterator = Must(Iterator(arn, ShardIteratorType::kTrimHorizon)).shard_iterator;
  const auto output = Must(db().GetRecords({.shard_iterator = iterator}));
  EXPECT_THAT(output.records, SizeIs(1));
  EXPECT_FALSE(output.next_shard_iterator.has_value());
}

TEST_F(StreamLife, SwitchedOnAgainItIsAnotherStream) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string first = StreamOf("things");
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(Disable()));
  ASSERT_TRUE(Succeeds(Enable(StreamViewType::kNewImage)));
  const std::string second = StreamOf("things");
  EXPECT_NE(first, second);
  Put("things", {{"pk", "b"}});
  ASSERT_THAT(Records("things"), SizeIs(1));
  EXPECT_EQ(Records("things")[0].new_image, (Item{{"pk", "b"}}));
  EXPECT_EQ(Stream(first).stream_status, StreamStatus::kDisabled);
  EXPECT_THAT(Must(db().ListStreams({.table_name = "things"})).streams, SizeIs(2));
}

TEST_F(StreamLife, RefusesToEnableTwiceToDisableTwiceAndToChangeTheView) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(Disable(), ErrorCode::kValidation));
  ASSERT_TRUE(Succeeds(Enable(StreamViewType::kKeysOnly)));
  EXPECT_TRUE(FailsWith(Enable(StreamViewType::kKeysOnly), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(Enable(StreamViewType::kNewImage), ErrorCode::kValidation));
  EXPECT_EQ(Describe("things").stream_specification->stream_view_type, StreamViewType::kKeysOnly);
}

TEST_F(StreamLife, AViewIsNeededExactlyWhenEnabling) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(
      db().UpdateTable({.table_name = "things",
                        .stream_specification = StreamSpecification{.stream_enabled = true}}),
      ErrorCode::kValidation));
}

TEST_F(StreamLife, ListsTheStreamsThatThereAre) {
  EXPECT_THAT(Must(db().ListStreams({})).streams, IsEmpty());
  for (const char* name : {"aaa", "bbb", "ccc"}) {
    MakeTable({.name = name, .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  }
  MakeTable({.name = "silent", .keys = "pk:S"});
  const auto all = Must(db().ListStreams({})).streams;
  ASSERT_THAT(all, SizeIs(3));
  const auto some = Must(db().ListStreams({.table_name = "bbb"})).streams;
  ASSERT_THAT(some, SizeIs(1));
  EXPECT_EQ(some[0].stream_arn, StreamOf("bbb"));
  EXPECT_EQ(some[0].table_name, "bbb");
  EXPECT_EQ(some[0].stream_label, Describe("bbb").latest_stream_label);
  EXPECT_THAT(Must(db().ListStreams({.table_name = "silent"})).streams, IsEmpty());
}

TEST_F(StreamLife, ListsInPages) {
  for (const char* name : {"aaa", "bbb", "ccc"}) {
    MakeTable({.name = name, .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  }
  std::vector<std::string> tables;
  std::optional<std::string> start;
  for (int page = 0; page < 5; ++page) {
    const auto output = Must(db().ListStreams({.limit = 2, .exclusive_start_stream_arn = start}));
    for (const StreamSummary& stream : output.streams) {
      tables.push_back(stream.table_name);
    }
    start = output.last_evaluated_stream_arn;
    if (!start) {
      break;
    }
  }
  EXPECT_THAT(tables, testing::UnorderedElementsAre("aaa", "bbb", "ccc"));
}

TEST_F(StreamLife, SaysWhenThereIsNoStream) {
  MakeTable({.name = "things", .keys = "pk:S"});
  EXPECT_TRUE(FailsWith(db().DescribeStream({.stream_arn = Describe("things").table_arn +
                                                           "/stream/2026-01-01T00:00:00.000"}),
                        ErrorCode::kResourceNotFound));
}

TEST_F(StreamLife, OfADeletedTableIsStillReadable) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string arn = StreamOf("things");
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  home().Settle();
  EXPECT_EQ(Stream(arn).stream_status, StreamStatus::kDisabled);
  const auto iterator = Must(Iterator(arn, ShardIteratorType::kTrimHorizon)).shard_iterator;
  EXPECT_THAT(ReadFrom(iterator), SizeIs(1));
}

TEST_F(StreamLife, ATableOfTheSameNameHasItsOwn) {
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string first = StreamOf("things");
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(db().DeleteTable({.table_name = "things"})));
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  EXPECT_NE(StreamOf("things"), first);
  EXPECT_THAT(Records("things"), IsEmpty());
}

TEST_F(StreamLife, IsForgottenADayAfterItWasSwitchedOff) {
  if (!ThisHome().controls_time) {
    GTEST_SKIP() << "time is not ours";
  }
  MakeTable({.name = "things", .keys = "pk:S", .stream = StreamViewType::kKeysOnly});
  const std::string arn = StreamOf("things");
  Put("things", {{"pk", "a"}});
  ASSERT_TRUE(Succeeds(Disable()));
  home().Advance(std::chrono::hours(24) + std::chrono::seconds(1));
  home().Housekeep();
  EXPECT_TRUE(FailsWith(db().DescribeStream({.stream_arn = arn}), ErrorCode::kResourceNotFound));
  EXPECT_THAT(Must(db().ListStreams({})).streams, IsEmpty());
}

}  // namespace
}  // namespace stator::contract
