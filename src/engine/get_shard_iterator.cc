#include <algorithm>
#include <optional>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/shard_iterator.h"
#include "engine/shards.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"

namespace stator::engine {
namespace {

Result<std::uint64_t> GivenSequence(const GetShardIteratorInput& input, const StreamRow& row,
                                    const ShardRange& shard) {
  if (!input.sequence_number) {
    return Invalid("One or more parameter values were invalid: Invalid SequenceNumber");
  }
  const std::optional<std::uint64_t> sequence = SequenceFrom(*input.sequence_number);
  // Where it begins is a number of a shard also when it never had a record.
  const bool is_behind = shard.end && sequence >= shard.end && sequence != shard.first;
  if (!sequence || *sequence < shard.first || is_behind) {
    return Invalid("Invalid SequenceNumber: it is not from the shard " + shard.id);
  }
  if (*sequence <= row.trimmed_through) {
    return Fail(ErrorCode::kTrimmedData,
                "The operation attempted to read past the oldest stream record in a shard");
  }
  return *sequence;
}

Result<std::uint64_t> FirstSequence(const EngineCore& core, const GetShardIteratorInput& input,
                                    const StreamRow& row, const ShardRange& shard) {
  const bool at_an_end = input.shard_iterator_type == ShardIteratorType::kTrimHorizon ||
                         input.shard_iterator_type == ShardIteratorType::kLatest;
  if (at_an_end && input.sequence_number) {
    return Invalid(
        "One or more parameter values were invalid: SequenceNumber should not be passed for this "
        "iterator type");
  }
  switch (input.shard_iterator_type) {
    case ShardIteratorType::kTrimHorizon:
      return std::max(shard.first, row.trimmed_through + 1);
    case ShardIteratorType::kLatest:
      return shard.end.value_or(core.store->VisibleSequence() + 1);
    case ShardIteratorType::kAtSequenceNumber:
      return GivenSequence(input, row, shard);
    case ShardIteratorType::kAfterSequenceNumber:
      return TRY(GivenSequence(input, row, shard)) + 1;
  }
  return Invalid("unknown ShardIteratorType");
}

}  // namespace

Result<GetShardIteratorOutput> GetShardIterator(EngineCore& core,
                                                const GetShardIteratorInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const StreamRow row = TRY(FindStream(core, input.stream_arn));
  const std::optional<ShardRange> shard = FindShard(row, input.shard_id);
  if (!shard) {
    return Fail(ErrorCode::kResourceNotFound, "Requested resource not found: Shard does not exist");
  }
  const std::uint64_t sequence = TRY(FirstSequence(core, input, row, *shard));
  return GetShardIteratorOutput{.shard_iterator =
                                    EncodeShardIterator({.stream_arn = ArnOf(row),
                                                         .shard_opened_at = shard->opened_at,
                                                         .sequence = sequence,
                                                         .given_at = core.clock.Now()})};
}

}  // namespace stator::engine
