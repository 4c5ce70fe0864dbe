#include <algorithm>
#include <utility>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/item_store.h"
#include "engine/operations.h"
#include "engine/shard_iterator.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

Result<ShardIterator> CheckIterator(const EngineCore& core, const GetRecordsInput& input) {
  if (input.limit && *input.limit > limits::kGetRecordsLimitMax) {
    return Invalid(
        "1 validation error detected: Value '" + std::to_string(*input.limit) +
        "' at 'limit' failed to satisfy constraint: Member must have value less than or equal to "
        "1000");
  }
  ShardIterator iterator = TRY(DecodeShardIterator(input.shard_iterator));
  if (core.clock.Now() - iterator.given_at > limits::kShardIteratorValidity) {
    return Fail(ErrorCode::kExpiredIterator,
                "The shard iterator has expired and can no longer be used to retrieve stream "
                "records");
  }
  return iterator;
}

}  // namespace

Result<GetRecordsOutput> GetRecords(EngineCore& core, const GetRecordsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  ShardIterator position = TRY(CheckIterator(core, input));
  const StreamRow row = TRY(FindStream(core, position.stream_arn));
  if (position.sequence <= row.trimmed_through) {
    return Fail(ErrorCode::kTrimmedData,
                "The operation attempted to read past the oldest stream record in a shard");
  }
  const auto limit = static_cast<std::size_t>(input.limit.value_or(limits::kGetRecordsLimitMax));
  // Both before the cursor, which then sees at least that much. Numbers become visible in their
  // order, so whatever it sees may be told.
  const bool closed = row.disabled_at && !core.catalog.IsStreamInUse(row.stream.id);
  const std::uint64_t visible_end = core.store->VisibleSequence() + 1;
  std::string begin;
  keyspace::AppendStreamRecordKey(row.stream.id, position.sequence, begin);
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  GetRecordsOutput output;
  std::size_t bytes = 0;
  storage::Cursor cursor = core.store->NewCursor(nullptr, begin, keyspace::PrefixEnd(prefix));
  cursor.SeekToFirst();
  while (cursor.Valid() && output.records.size() < limit && bytes < limits::kGetRecordsBytesMax) {
    TRY_VOID(base::SpendWork(WorkOfRow(cursor.value().size())));
    const std::uint64_t sequence = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
    output.records.push_back(
        TRY(DecodeStreamRecord(row.stream.id, sequence, cursor.value(), core.account.region)));
    bytes += static_cast<std::size_t>(output.records.back().size_bytes);
    position.sequence = sequence + 1;
    cursor.Next();
  }
  const bool at_end = !cursor.Valid();
  TRY_VOID(cursor.status());
  // A shard that is closed and read to its end has nothing to go on with.
  if (closed && at_end) {
    return output;
  }
  if (at_end) {
    position.sequence = std::max(position.sequence, visible_end);
  }
  position.given_at = core.clock.Now();
  output.next_shard_iterator = EncodeShardIterator(position);
  return output;
}

}  // namespace stator::engine
