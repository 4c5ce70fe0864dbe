// Streams: the changes of a table in the last 24 hours, in order.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/value/attribute_value.h"

namespace stator {

enum class StreamStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };
enum class ShardIteratorType : std::uint8_t {
  kTrimHorizon,
  kLatest,
  kAtSequenceNumber,
  kAfterSequenceNumber,
};
enum class StreamEventName : std::uint8_t { kInsert, kModify, kRemove };

struct ListStreamsInput {
  std::optional<std::string> table_name = std::nullopt;
  std::optional<std::int32_t> limit = std::nullopt;
  std::optional<std::string> exclusive_start_stream_arn = std::nullopt;
};

struct StreamSummary {
  std::string stream_arn;
  std::string table_name;
  std::string stream_label;
};

struct ListStreamsOutput {
  std::vector<StreamSummary> streams;
  std::optional<std::string> last_evaluated_stream_arn = std::nullopt;
};

struct DescribeStreamInput {
  std::string stream_arn;
  std::optional<std::int32_t> limit = std::nullopt;
  std::optional<std::string> exclusive_start_shard_id = std::nullopt;
  // ShardFilter of type CHILD_SHARDS: only the children of this shard.
  std::optional<std::string> child_shards_of = std::nullopt;
};

struct Shard {
  std::string shard_id;
  std::string starting_sequence_number;
  std::optional<std::string> ending_sequence_number = std::nullopt;  // absent while it is open
  std::optional<std::string> parent_shard_id = std::nullopt;
};

struct StreamDescription {
  std::string stream_arn;
  std::string stream_label;
  StreamStatus stream_status = StreamStatus::kEnabled;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  std::optional<TimePoint> creation_request_date_time = std::nullopt;
  std::string table_name;
  std::vector<KeySchemaElement> key_schema;
  std::vector<Shard> shards;
  std::optional<std::string> last_evaluated_shard_id = std::nullopt;
};

struct DescribeStreamOutput {
  StreamDescription stream_description;
};

struct GetShardIteratorInput {
  std::string stream_arn;
  std::string shard_id;
  ShardIteratorType shard_iterator_type;
  std::optional<std::string> sequence_number = std::nullopt;
};

struct GetShardIteratorOutput {
  std::string shard_iterator;
};

struct StreamIdentity {
  std::string principal_id;
  std::string type;
};

struct StreamRecord {
  std::string event_id;
  StreamEventName event_name = StreamEventName::kInsert;
  std::string aws_region;
  TimePoint approximate_creation_date_time = {};
  Item keys;
  std::optional<Item> new_image = std::nullopt;
  std::optional<Item> old_image = std::nullopt;
  std::string sequence_number;
  std::int64_t size_bytes = 0;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  // Set on what the service did itself, such as deleting an expired item.
  std::optional<StreamIdentity> user_identity = std::nullopt;
};

struct GetRecordsInput {
  std::string shard_iterator;
  std::optional<std::int32_t> limit = std::nullopt;
};

struct GetRecordsOutput {
  std::vector<StreamRecord> records;
  std::optional<std::string> next_shard_iterator = std::nullopt;  // absent at the end of a shard
};

}  // namespace stator
