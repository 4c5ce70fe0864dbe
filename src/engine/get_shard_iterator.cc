#include "api/constraints.h"
#include "base/try.h"
#include "engine/operations.h"
#include "engine/shard_iterator.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"

namespace stator::engine {
namespace {

Result<std::uint64_t> GivenSequence(const GetShardIteratorInput& input, const StreamRow& row) {
  if (!input.sequence_number) {
    return Invalid("One or more parameter values were invalid: Invalid SequenceNumber");
  }
  const std::optional<std::uint64_t> sequence = SequenceFrom(*input.sequence_number);
  if (!sequence || *sequence < row.first_sequence) {
    return Invalid("Invalid SequenceNumber: it is not from the shard " + ShardIdOf(row));
  }
  if (*sequence <= row.trimmed_through) {
    return Fail(ErrorCode::kTrimmedData,
                "The operation attempted to read past the oldest stream record in a shard");
  }
  return *sequence;
}

Result<std::uint64_t> FirstSequence(const EngineCore& core, const GetShardIteratorInput& input,
                                    const StreamRow& row) {
  const bool at_an_end = input.shard_iterator_type == ShardIteratorType::kTrimHorizon ||
                         input.shard_iterator_type == ShardIteratorType::kLatest;
  if (at_an_end && input.sequence_number) {
    return Invalid(
        "One or more parameter values were invalid: SequenceNumber should not be passed for this "
        "iterator type");
  }
  switch (input.shard_iterator_type) {
    case ShardIteratorType::kTrimHorizon:
      return std::max(row.first_sequence, row.trimmed_through + 1);
    case ShardIteratorType::kLatest:
      return core.store->VisibleSequence() + 1;
    case ShardIteratorType::kAtSequenceNumber:
      return GivenSequence(input, row);
    case ShardIteratorType::kAfterSequenceNumber:
      return TRY(GivenSequence(input, row)) + 1;
  }
  return Invalid("unknown ShardIteratorType");
}

}  // namespace

Result<GetShardIteratorOutput> GetShardIterator(EngineCore& core,
                                                const GetShardIteratorInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  const StreamRow row = TRY(FindStream(core, input.stream_arn));
  if (input.shard_id != ShardIdOf(row)) {
    return Fail(ErrorCode::kResourceNotFound, "Requested resource not found: Shard does not exist");
  }
  const std::uint64_t sequence = TRY(FirstSequence(core, input, row));
  return GetShardIteratorOutput{
      .shard_iterator = EncodeShardIterator(
          {.stream_arn = ArnOf(row), .sequence = sequence, .given_at = core.clock.Now()})};
}

}  // namespace stator::engine
