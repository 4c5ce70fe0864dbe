#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"

namespace stator::engine {

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
  // There is one shard. Nothing comes behind it, and it has no children.
  if (!input.exclusive_start_shard_id && !input.child_shards_of) {
    Shard shard;
    shard.shard_id = ShardIdOf(row);
    shard.starting_sequence_number = SequenceText(row.first_sequence);
    if (row.disabled_at) {
      shard.ending_sequence_number = SequenceText(TRY(LastSequence(core, row)));
    }
    description.shards.push_back(std::move(shard));
  }
  return output;
}

}  // namespace stator::engine
