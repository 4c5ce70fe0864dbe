// Streams that there are, enabled or within 24 hours of having been disabled, as rows, stored as
// items. docs/format.md, "Streams", names their attributes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/table_row.h"
#include "stator/api/table_types.h"
#include "stator/base/clock.h"
#include "stator/base/result.h"

namespace stator::keyspace {

// A shard holds the records from its first number on up to that of the next one. It was opened later
// than the one before.
struct ShardStart {
  TimePoint opened_at = {};
  std::uint64_t first_sequence = 0;

  friend bool operator==(const ShardStart&, const ShardStart&) = default;
};

// Of the records that are sent to a stream of Kinesis: nobody else reads them, and they are gone once
// they are there.
struct Outgoing {
  std::string kinesis_arn;
  std::uint32_t table = 0;  // the id
  std::optional<CreationTimePrecision> precision = std::nullopt;
  bool abandoned = false;  // what is left is not sent any more, only removed

  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

struct StreamRow {
  Stream stream;
  std::string table_name = {};
  std::string table_arn = {};
  TimePoint created_at = {};
  std::optional<TimePoint> disabled_at = std::nullopt;
  std::vector<KeySchemaElement> key_schema = {};  // the partition key first
  std::uint64_t first_sequence = 0;               // no record has a lower one
  std::uint64_t trimmed_through = 0;              // records up to this one are gone
  // In their order; none while the first shard, which begins with the stream, is the only one.
  std::vector<ShardStart> shards = {};
  std::optional<AttachedPolicy> policy = std::nullopt;
  // Set when this is no stream of DynamoDB's. `trimmed_through` is then the highest number that a
  // record had which is gone, and lower ones may be left.
  std::optional<Outgoing> outgoing = std::nullopt;
};

void AppendStreamRow(const StreamRow& row, std::string& bytes);
// The same with the first number of the last shard to be filled in later: it is the last eight
// bytes. REQUIRES: there are shards.
void AppendUnnumberedStreamRow(const StreamRow& row, std::string& bytes);
Result<StreamRow> DecodeStreamRow(std::string_view bytes);

}  // namespace stator::keyspace
