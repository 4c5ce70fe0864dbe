#include "stator/api/streams.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_shapes.h"

namespace stator::wire {
namespace {

enum class ShardFilterType : std::uint8_t { kChildShards };

// There is one type of filter, so the api keeps only what it filters by.
struct ShardFilter {
  ShardFilterType type = ShardFilterType::kChildShards;
  std::string shard_id;
};

struct DescribeStreamBody {
  DescribeStreamInput input;
  std::optional<ShardFilter> shard_filter = std::nullopt;
};

}  // namespace

template <>
struct EnumNames<ShardFilterType> {
  static constexpr std::array<std::string_view, 1> kNames = {"CHILD_SHARDS"};
  static constexpr std::string_view kSet = "CHILD_SHARDS";
};

template <>
struct Shape<ListStreamsInput> {
  static constexpr std::string_view kName = "ListStreamsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("TableName", input.table_name);
    visit.Optional("Limit", input.limit);
    visit.Optional("ExclusiveStartStreamArn", input.exclusive_start_stream_arn);
  }
};

template <>
struct Shape<StreamSummary> {
  static constexpr std::string_view kName = "StreamSummary";
  static void Visit(auto& visit, auto& stream) {
    visit.Required("StreamArn", stream.stream_arn);
    visit.Required("TableName", stream.table_name);
    visit.Required("StreamLabel", stream.stream_label);
  }
};

template <>
struct Shape<ListStreamsOutput> {
  static constexpr std::string_view kName = "ListStreamsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Streams", output.streams);
    visit.Optional("LastEvaluatedStreamArn", output.last_evaluated_stream_arn);
  }
};

template <>
struct Shape<ShardFilter> {
  static constexpr std::string_view kName = "ShardFilter";
  static void Visit(auto& visit, auto& filter) {
    visit.Required("Type", filter.type);
    visit.Required("ShardId", filter.shard_id);
  }
};

template <>
struct Shape<DescribeStreamBody> {
  static constexpr std::string_view kName = "DescribeStreamInput";
  static void Visit(auto& visit, auto& body) {
    visit.Required("StreamArn", body.input.stream_arn);
    visit.Optional("Limit", body.input.limit);
    visit.Optional("ExclusiveStartShardId", body.input.exclusive_start_shard_id);
    visit.Optional("ShardFilter", body.shard_filter);
  }
};

template <>
struct Shape<Shard> {
  static constexpr std::string_view kName = "Shard";
  static void Visit(auto& visit, auto& shard) {
    visit.Required("ShardId", shard.shard_id);
    visit.Nested("SequenceNumberRange", [&shard](auto& range) {
      range.Required("StartingSequenceNumber", shard.starting_sequence_number);
      range.Optional("EndingSequenceNumber", shard.ending_sequence_number);
    });
    visit.Optional("ParentShardId", shard.parent_shard_id);
  }
};

template <>
struct Shape<StreamDescription> {
  static constexpr std::string_view kName = "StreamDescription";
  static void Visit(auto& visit, auto& stream) {
    visit.Required("StreamArn", stream.stream_arn);
    visit.Required("StreamLabel", stream.stream_label);
    visit.Required("StreamStatus", stream.stream_status);
    visit.Required("StreamViewType", stream.stream_view_type);
    visit.Optional("CreationRequestDateTime", stream.creation_request_date_time);
    visit.Required("TableName", stream.table_name);
    visit.Required("KeySchema", stream.key_schema);
    visit.Required("Shards", stream.shards);
    visit.Optional("LastEvaluatedShardId", stream.last_evaluated_shard_id);
  }
};

template <>
struct Shape<DescribeStreamOutput> {
  static constexpr std::string_view kName = "DescribeStreamOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("StreamDescription", output.stream_description);
  }
};

template <>
struct Shape<GetShardIteratorInput> {
  static constexpr std::string_view kName = "GetShardIteratorInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("StreamArn", input.stream_arn);
    visit.Required("ShardId", input.shard_id);
    visit.Required("ShardIteratorType", input.shard_iterator_type);
    visit.Optional("SequenceNumber", input.sequence_number);
  }
};

template <>
struct Shape<GetShardIteratorOutput> {
  static constexpr std::string_view kName = "GetShardIteratorOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ShardIterator", output.shard_iterator);
  }
};

template <>
struct Shape<StreamIdentity> {
  static constexpr std::string_view kName = "StreamIdentity";
  static void Visit(auto& visit, auto& identity) {
    visit.Required("PrincipalId", identity.principal_id);
    visit.Required("Type", identity.type);
  }
};

template <>
struct Shape<StreamRecord> {
  static constexpr std::string_view kName = "StreamRecord";
  static void Visit(auto& visit, auto& record) {
    visit.Required("eventID", record.event_id);
    visit.Required("eventName", record.event_name);
    visit.Text("eventVersion", "1.1");
    visit.Text("eventSource", "aws:dynamodb");
    visit.Required("awsRegion", record.aws_region);
    visit.Nested("dynamodb", [&record](auto& change) {
      change.Required("ApproximateCreationDateTime", record.approximate_creation_date_time);
      change.Required("Keys", record.keys);
      change.Optional("NewImage", record.new_image);
      change.Optional("OldImage", record.old_image);
      change.Required("SequenceNumber", record.sequence_number);
      change.Required("SizeBytes", record.size_bytes);
      change.Required("StreamViewType", record.stream_view_type);
    });
    visit.Optional("userIdentity", record.user_identity);
  }
};

template <>
struct Shape<GetRecordsInput> {
  static constexpr std::string_view kName = "GetRecordsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("ShardIterator", input.shard_iterator);
    visit.Optional("Limit", input.limit);
  }
};

template <>
struct Shape<GetRecordsOutput> {
  static constexpr std::string_view kName = "GetRecordsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("Records", output.records);
    visit.Optional("NextShardIterator", output.next_shard_iterator);
  }
};

template <>
struct Shape<DescribeStreamInput> {
  static void Read(JsonObject json, Decoding& decoding, DescribeStreamInput& input) {
    DescribeStreamBody body;
    ReadBody(json, decoding, body);
    input = std::move(body.input);
    if (body.shard_filter) {
      input.child_shards_of = std::move(body.shard_filter->shard_id);
    }
  }
  static void Append(const DescribeStreamInput& input, std::string& out) {
    DescribeStreamBody body{.input = input};
    if (input.child_shards_of) {
      body.shard_filter = {.shard_id = *input.child_shards_of};
    }
    Codec<DescribeStreamBody>::Append(body, out);
  }
};

template struct Body<ListStreamsInput>;
template struct Body<ListStreamsOutput>;
template struct Body<DescribeStreamInput>;
template struct Body<DescribeStreamOutput>;
template struct Body<GetShardIteratorInput>;
template struct Body<GetShardIteratorOutput>;
template struct Body<GetRecordsInput>;
template struct Body<GetRecordsOutput>;

}  // namespace stator::wire
