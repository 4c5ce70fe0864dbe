// The four operations of streams, field by field in both directions.

#include <gtest/gtest.h>

#include <chrono>

#include "wire/fake_database.h"

namespace stator::wire {
namespace {

constexpr std::string_view kStream =
    "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026-11-15T22:58:30.306";
constexpr std::string_view kShard = "shardId-00000001794783510309-8cfef59c";

std::string Body(std::string_view rest) {
  return R"({"StreamArn": ")" + std::string(kStream) + "\"" + std::string(rest) + "}";
}

TEST(ListStreamsMessage, GoesBothWays) {
  FakeServer server;
  EXPECT_EQ(server.AskStreams("ListStreams", "{}"), R"({"Streams":[]})");
  EXPECT_FALSE(server.database().Last<ListStreamsInput>()->table_name.has_value());
  server.database().Script(ListStreamsOutput{
      .streams = {{.stream_arn = "arn", .table_name = "abc", .stream_label = "label"}},
      .last_evaluated_stream_arn = "arn"});
  EXPECT_EQ(server.AskStreams("ListStreams", R"({"TableName": "abc", "Limit": 3,
                                                 "ExclusiveStartStreamArn": ")" +
                                                 std::string(kStream) + "\"}"),
            R"({"Streams":[{"StreamArn":"arn","TableName":"abc","StreamLabel":"label"}],)"
            R"("LastEvaluatedStreamArn":"arn"})");
  const auto* input = server.database().Last<ListStreamsInput>();
  EXPECT_EQ(input->table_name, "abc");
  EXPECT_EQ(input->limit, 3);
  EXPECT_EQ(input->exclusive_start_stream_arn, kStream);
}

TEST(DescribeStreamMessage, GoesBothWays) {
  FakeServer server;
  server.database().Script(DescribeStreamOutput{
      .stream_description = {
          .stream_arn = "arn",
          .stream_label = "label",
          .stream_status = StreamStatus::kDisabling,
          .stream_view_type = StreamViewType::kOldImage,
          .creation_request_date_time = TimePoint(std::chrono::seconds(1'733'000'000)),
          .table_name = "abc",
          .key_schema = {{"pk", KeyType::kHash}},
          .shards =
              {{.shard_id = "one",
                .starting_sequence_number = "100",
                .ending_sequence_number = "200"},
               {.shard_id = "two", .starting_sequence_number = "201", .parent_shard_id = "one"}},
          .last_evaluated_shard_id = "two"}});
  EXPECT_EQ(server.AskStreams("DescribeStream", Body(R"(, "Limit": 5, "ExclusiveStartShardId": ")" +
                                                     std::string(kShard) + R"(", "ShardFilter":
                                     {"Type": "CHILD_SHARDS", "ShardId": ")" +
                                                     std::string(kShard) + "\"}")),
            R"({"StreamDescription":{"StreamArn":"arn","StreamLabel":"label",)"
            R"("StreamStatus":"DISABLING","StreamViewType":"OLD_IMAGE",)"
            R"("CreationRequestDateTime":1733000000.000,"TableName":"abc",)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
            R"("Shards":[{"ShardId":"one","SequenceNumberRange":)"
            R"({"StartingSequenceNumber":"100","EndingSequenceNumber":"200"}},)"
            R"({"ShardId":"two","SequenceNumberRange":{"StartingSequenceNumber":"201"},)"
            R"("ParentShardId":"one"}],"LastEvaluatedShardId":"two"}})");
  const auto* input = server.database().Last<DescribeStreamInput>();
  EXPECT_EQ(input->stream_arn, kStream);
  EXPECT_EQ(input->limit, 5);
  EXPECT_EQ(input->exclusive_start_shard_id, kShard);
  EXPECT_EQ(input->child_shards_of, kShard);
}

TEST(DescribeStreamMessage, AFilterNeedsTypeAndShard) {
  FakeServer server;
  EXPECT_EQ(server.AskStreams("DescribeStream", Body(R"(, "ShardFilter": {"Type": "ALL"})")),
            ValidationBody("2 validation errors detected: Value 'ALL' at 'shardFilter.type' failed "
                           "to satisfy constraint: Member must satisfy enum value set: "
                           "[CHILD_SHARDS]; Value null at 'shardFilter.shardId' failed to satisfy "
                           "constraint: Member must not be null"));
  EXPECT_EQ(server.AskStreams("DescribeStream", Body(R"(, "ShardFilter": null)")).find("__type"),
            std::string::npos);
  EXPECT_FALSE(server.database().Last<DescribeStreamInput>()->child_shards_of.has_value());
}

TEST(GetShardIteratorMessage, GoesBothWays) {
  FakeServer server;
  server.database().Script(GetShardIteratorOutput{.shard_iterator = "arn|1|x"});
  EXPECT_EQ(
      server.AskStreams("GetShardIterator", Body(R"(, "ShardId": ")" + std::string(kShard) +
                                                 R"(", "ShardIteratorType": "AFTER_SEQUENCE_NUMBER",
                                      "SequenceNumber": "000000000000000000010")")),
      R"({"ShardIterator":"arn|1|x"})");
  const auto* input = server.database().Last<GetShardIteratorInput>();
  EXPECT_EQ(input->stream_arn, kStream);
  EXPECT_EQ(input->shard_id, kShard);
  EXPECT_EQ(input->shard_iterator_type, ShardIteratorType::kAfterSequenceNumber);
  EXPECT_EQ(input->sequence_number, "000000000000000000010");
}

TEST(GetRecordsMessage, GoesBothWays) {
  FakeServer server;
  EXPECT_EQ(server.AskStreams("GetRecords", R"({"ShardIterator": "it", "Limit": 9})"),
            R"({"Records":[]})");
  EXPECT_EQ(server.database().Last<GetRecordsInput>()->shard_iterator, "it");
  EXPECT_EQ(server.database().Last<GetRecordsInput>()->limit, 9);
  server.database().Script(GetRecordsOutput{
      .records = {{.event_id = "id",
                   .event_name = StreamEventName::kModify,
                   .aws_region = "us-east-1",
                   .approximate_creation_date_time = TimePoint(std::chrono::seconds(1'733'000'000)),
                   .keys = {{"pk", "a"}},
                   .new_image = Item{{"pk", "a"}, {"x", 1}},
                   .old_image = Item{{"pk", "a"}},
                   .sequence_number = "000000000000000000011",
                   .size_bytes = 12,
                   .stream_view_type = StreamViewType::kNewAndOldImages},
                  {.event_id = "id2",
                   .event_name = StreamEventName::kRemove,
                   .aws_region = "us-east-1",
                   .keys = {{"pk", "b"}},
                   .sequence_number = "000000000000000000012",
                   .user_identity = StreamIdentity{.principal_id = "dynamodb.amazonaws.com",
                                                   .type = "Service"}}},
      .next_shard_iterator = "next"});
  EXPECT_EQ(server.AskStreams("GetRecords", R"({"ShardIterator": "it"})"),
            R"({"Records":[{"eventID":"id","eventName":"MODIFY","eventVersion":"1.1",)"
            R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":)"
            R"({"ApproximateCreationDateTime":1733000000.000,"Keys":{"pk":{"S":"a"}},)"
            R"("NewImage":{"pk":{"S":"a"},"x":{"N":"1"}},"OldImage":{"pk":{"S":"a"}},)"
            R"("SequenceNumber":"000000000000000000011","SizeBytes":12,)"
            R"("StreamViewType":"NEW_AND_OLD_IMAGES"}},)"
            R"({"eventID":"id2","eventName":"REMOVE","eventVersion":"1.1",)"
            R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":)"
            R"({"ApproximateCreationDateTime":0.000,"Keys":{"pk":{"S":"b"}},)"
            R"("SequenceNumber":"000000000000000000012","SizeBytes":0,)"
            R"("StreamViewType":"KEYS_ONLY"},)"
            R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}],)"
            R"("NextShardIterator":"next"})");
}

}  // namespace
}  // namespace stator::wire
