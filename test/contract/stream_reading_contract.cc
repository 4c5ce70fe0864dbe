// Streams: iterators of every type, pages, expiry and trimming.

#include "contract/stream_test.h"

namespace stator::contract {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class StreamReading : public StreamTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:N", .stream = StreamViewType::kKeysOnly});
    arn_ = StreamOf("things");
  }

  void Write(int from, int to) {
    for (int number = from; number <= to; ++number) {
      Put("things", {{"pk", number}});
    }
  }

  [[nodiscard]] std::vector<int> Numbers(const std::vector<StreamRecord>& records) {
    std::vector<int> numbers;
    for (const StreamRecord& record : records) {
      numbers.push_back(
          static_cast<int>(record.keys.at("pk").If<Number>()->ToInt64().value_or(-1)));
    }
    return numbers;
  }

  [[nodiscard]] std::vector<int> From(ShardIteratorType type,
                                      std::optional<std::string> sequence = std::nullopt) {
    return Numbers(ReadFrom(Must(Iterator(arn_, type, std::move(sequence))).shard_iterator));
  }

  [[nodiscard]] const std::string& arn() const { return arn_; }

 private:
  std::string arn_;
};

TEST_F(StreamReading, FromTheHorizonReadsEverything) {
  Write(1, 5);
  EXPECT_EQ(From(ShardIteratorType::kTrimHorizon), (std::vector<int>{1, 2, 3, 4, 5}));
}

TEST_F(StreamReading, FromTheLatestReadsWhatComesLater) {
  Write(1, 3);
  const std::string iterator = Must(Iterator(arn(), ShardIteratorType::kLatest)).shard_iterator;
  EXPECT_THAT(ReadFrom(iterator), IsEmpty());
  Write(4, 5);
  EXPECT_EQ(Numbers(ReadFrom(iterator)), (std::vector<int>{4, 5}));
}

TEST_F(StreamReading, FromASequenceNumberReadsWithOrWithoutIt) {
  Write(1, 5);
  const std::string third = Records("things").at(2).sequence_number;
  EXPECT_EQ(From(ShardIteratorType::kAtSequenceNumber, third), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(From(ShardIteratorType::kAfterSequenceNumber, third), (std::vector<int>{4, 5}));
}

TEST_F(StreamReading, ComesInPages) {
  Write(1, 5);
  std::optional<std::string> iterator =
      Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator;
  std::vector<std::vector<int>> pages;
  for (int page = 0; page < 3; ++page) {
    ASSERT_TRUE(iterator.has_value());
    const auto output = Must(db().GetRecords({.shard_iterator = *iterator, .limit = 2}));
    pages.push_back(Numbers(output.records));
    iterator = output.next_shard_iterator;
  }
  EXPECT_EQ(pages, (std::vector<std::vector<int>>{{1, 2}, {3, 4}, {5}}));
  Write(6, 6);
  EXPECT_EQ(Numbers(ReadFrom(iterator)), (std::vector<int>{6}));
}

TEST_F(StreamReading, AnOpenShardAlwaysHasANextIterator) {
  const auto output = Must(db().GetRecords(
      {.shard_iterator = Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator}));
  EXPECT_THAT(output.records, IsEmpty());
  EXPECT_TRUE(output.next_shard_iterator.has_value());
}

TEST_F(StreamReading, AnIteratorCanBeUsedAgain) {
  Write(1, 2);
  const std::string iterator =
      Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator;
  EXPECT_EQ(Numbers(ReadFrom(iterator)), (std::vector<int>{1, 2}));
  EXPECT_EQ(Numbers(ReadFrom(iterator)), (std::vector<int>{1, 2}));
}

TEST_F(StreamReading, NoAnswerIsMuchLargerThanAMegabyte) {
  MakeTable({.name = "large", .keys = "pk:S", .stream = StreamViewType::kNewImage});
  for (int number = 0; number < 5; ++number) {
    Put("large", {{"pk", std::to_string(number)}, {"text", Text(400'000)}});
  }
  const auto output = Must(db().GetRecords(
      {.shard_iterator =
           Must(Iterator(StreamOf("large"), ShardIteratorType::kTrimHorizon)).shard_iterator}));
  EXPECT_LT(output.records.size(), 5U);
  EXPECT_THAT(Records("large"), SizeIs(5));
}

TEST_F(StreamReading, RefusesWhatIsNoIterator) {
  EXPECT_FALSE(db().GetRecords({.shard_iterator = "nonsense"}));
  EXPECT_FALSE(db().GetRecords({.shard_iterator = arn() + "|1|AAAA"}));
}

TEST_F(StreamReading, RefusesALimitOutOfRange) {
  const std::string iterator =
      Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator;
  EXPECT_TRUE(
      FailsWith(db().GetRecords({.shard_iterator = iterator, .limit = 0}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().GetRecords({.shard_iterator = iterator, .limit = 1001}),
                        ErrorCode::kValidation));
}

TEST_F(StreamReading, RefusesASequenceNumberThatIsMissingOrForeign) {
  EXPECT_TRUE(
      FailsWith(Iterator(arn(), ShardIteratorType::kAtSequenceNumber), ErrorCode::kValidation));
  EXPECT_TRUE(
      FailsWith(Iterator(arn(), ShardIteratorType::kAtSequenceNumber, "nonsense-nonsense-nons"),
                ErrorCode::kValidation));
}

TEST_F(StreamReading, RefusesASequenceNumberWhereNoneIsWanted) {
  EXPECT_TRUE(Refused(Iterator(arn(), ShardIteratorType::kLatest, "100000000000000000001"),
                      "One or more parameter values were invalid: SequenceNumber should not be "
                      "passed for this iterator type"));
}

TEST_F(StreamReading, RefusesToListMoreThanAHundred) {
  EXPECT_TRUE(Refused(db().DescribeStream({.stream_arn = arn(), .limit = 101}),
                      "One or more parameter values were invalid: Limit cannot be greater than "
                      "the maximum: 100"));
  EXPECT_TRUE(Refused(db().ListStreams({.limit = 101}),
                      "One or more parameter values were invalid: Limit cannot be greater than "
                      "the maximum allowed size: 100"));
}

TEST_F(StreamReading, RefusesAShardThatIsNotThere) {
  EXPECT_TRUE(
      FailsWith(db().GetShardIterator({.stream_arn = arn(),
                                       .shard_id = "shardId-00000000000000000000-00000000",
                                       .shard_iterator_type = ShardIteratorType::kTrimHorizon}),
                ErrorCode::kResourceNotFound));
}

class StreamTime : public StreamReading {
 protected:
  void SetUp() override {
    if (!ThisHome().controls_time) {
      GTEST_SKIP() << "time is not ours";
    }
    StreamReading::SetUp();
  }
};

TEST_F(StreamTime, IteratorsExpireAfterFifteenMinutes) {
  Write(1, 1);
  const std::string iterator =
      Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator;
  home().Advance(std::chrono::minutes(15));
  EXPECT_TRUE(Succeeds(db().GetRecords({.shard_iterator = iterator})));
  home().Advance(std::chrono::seconds(1));
  EXPECT_TRUE(
      FailsWith(db().GetRecords({.shard_iterator = iterator}), ErrorCode::kExpiredIterator));
}

TEST_F(StreamTime, RecordsLiveForADay) {
  Write(1, 2);
  home().Advance(std::chrono::hours(12));
  Write(3, 4);
  home().Advance(std::chrono::hours(12));
  home().Housekeep();
  EXPECT_EQ(Numbers(Records("things")), (std::vector<int>{1, 2, 3, 4}));
  home().Advance(std::chrono::seconds(1));
  home().Housekeep();
  EXPECT_EQ(Numbers(Records("things")), (std::vector<int>{3, 4}));
  Write(5, 5);
  home().Advance(std::chrono::hours(24));
  home().Housekeep();
  EXPECT_EQ(Numbers(Records("things")), (std::vector<int>{5}));
}

TEST_F(StreamTime, WhatWasTrimmedIsSaidToBeGone) {
  Write(1, 2);
  const std::string first = Records("things").at(0).sequence_number;
  home().Advance(std::chrono::hours(24) - std::chrono::minutes(1));
  const std::string iterator =
      Must(Iterator(arn(), ShardIteratorType::kTrimHorizon)).shard_iterator;
  home().Advance(std::chrono::minutes(2));
  home().Housekeep();
  EXPECT_TRUE(FailsWith(db().GetRecords({.shard_iterator = iterator}), ErrorCode::kTrimmedData));
  EXPECT_TRUE(FailsWith(Iterator(arn(), ShardIteratorType::kAtSequenceNumber, first),
                        ErrorCode::kTrimmedData));
  EXPECT_THAT(Numbers(Records("things")), IsEmpty());
}

TEST_F(StreamTime, NumbersGoOnAfterTrimming) {
  Write(1, 2);
  const std::string last = Records("things").at(1).sequence_number;
  home().Advance(std::chrono::hours(25));
  home().Housekeep();
  Write(3, 3);
  EXPECT_GT(Records("things").at(0).sequence_number, last);
}

}  // namespace
}  // namespace stator::contract
