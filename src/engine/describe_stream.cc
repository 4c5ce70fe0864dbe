#include <algorithm>
#include <vector>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/shards.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"

namespace stator::engine {

namespace {

Result<Shard> Describe(const EngineCore& core, const StreamRow& row, const ShardRange& range) {
  Shard shard;
  shard.shard_id = range.id;
  shard.parent_shard_id = range.parent;
  shard.starting_sequence_number = SequenceText(range.first);
  if (range.end) {
    shard.ending_sequence_number = SequenceText(std::max(range.first, *range.end - 1));
  } else if (row.disabled_at) {
    shard.ending_sequence_number = SequenceText(TRY(LastSequence(core, row)));
  }
  return shard;
}

}  // namespace

Result<DescribeStreamOutput> DescribeStream(EngineCore& core, const DescribeStreamInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  if (input.limit.value_or(1) > kStreamsPerAnswerMax) {
    return Invalid(
        "One or more parameter values were invalid: Limit cannot be greater than the maximum: " +
        std::to_string(kStreamsPerAnswerMax));
  }
  const StreamRow row = TRY(FindStream(core, input.stream_arn));
  DescribeStreamOutput output;
  StreamDescription& description = output.stream_description;
  description.stream_arn = ArnOf(row);
  description.stream_label = row.stream.label;
  description.stream_status = row.disabled_at ? StreamStatus::kDisabled : StreamStatus::kEnabled;
  description.stream_view_type = row.stream.view;
  description.creation_request_date_time = row.created_at;
  description.table_name = row.table_name;
  description.key_schema = row.key_schema;
  std::vector<ShardRange> shards = ShardsOf(row);
  std::erase_if(shards, [&input](const ShardRange& shard) {
    return (input.exclusive_start_shard_id && shard.id <= *input.exclusive_start_shard_id) ||
           (input.child_shards_of && shard.parent != input.child_shards_of);
  });
  const auto limit = static_cast<std::size_t>(input.limit.value_or(kStreamsPerAnswerMax));
  for (const ShardRange& shard : shards) {
    if (description.shards.size() == limit) {
      description.last_evaluated_shard_id = description.shards.back().shard_id;
      break;
    }
    description.shards.push_back(TRY(Describe(core, row, shard)));
  }
  return output;
}

}  // namespace stator::engine
