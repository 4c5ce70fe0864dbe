#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/constraints.h"
#include "base/limits.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/item_store.h"
#include "engine/operations.h"
#include "engine/shard_iterator.h"
#include "engine/shards.h"
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

std::unexpected<Error> Trimmed() {
  return Fail(ErrorCode::kTrimmedData,
              "The operation attempted to read past the oldest stream record in a shard");
}

// The records that the cursor finds, at most `limit`, and the iterator behind them. True when the
// cursor finds no more.
Result<bool> ReadRecords(const EngineCore& core, const StreamRow& row, std::size_t limit,
                         storage::Cursor cursor, ShardIterator& position,
                         std::vector<StreamRecord>& records) {
  std::size_t bytes = 0;
  cursor.SeekToFirst();
  while (cursor.Valid() && records.size() < limit && bytes < limits::kGetRecordsBytesMax) {
    TRY_VOID(base::SpendWork(WorkOfRow(cursor.value().size())));
    const std::uint64_t sequence = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
    records.push_back(
        TRY(DecodeStreamRecord(row.stream.id, sequence, cursor.value(), core.account.region)));
    bytes += static_cast<std::size_t>(records.back().size_bytes);
    position.sequence = sequence + 1;
    cursor.Next();
  }
  TRY_VOID(cursor.status());
  return !cursor.Valid();
}

}  // namespace

Result<GetRecordsOutput> GetRecords(EngineCore& core, const GetRecordsInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  ShardIterator position = TRY(CheckIterator(core, input));
  const StreamRow known = TRY(FindStream(core, position.stream_arn));
  const auto limit = static_cast<std::size_t>(input.limit.value_or(limits::kGetRecordsLimitMax));
  // Both before the snapshot, which then sees at least that much. Numbers become visible in their
  // order, so whatever it sees may be told.
  const bool closed = known.disabled_at && !core.catalog.IsStreamInUse(known.stream.id);
  const std::uint64_t visible_end = core.store->VisibleSequence() + 1;
  const storage::Snapshot snapshot = core.store->TakeSnapshot();
  const std::optional<StreamRow> row = TRY(ReadStream(core, known.stream.id, &snapshot));
  const std::optional<ShardRange> shard =
      row ? FindShard(*row, position.shard_opened_at) : std::nullopt;
  if (!shard || position.sequence <= row->trimmed_through) {
    return Trimmed();
  }
  GetRecordsOutput output;
  bool at_end = true;
  if (!shard->end || position.sequence < *shard->end) {
    std::string begin;
    keyspace::AppendStreamRecordKey(row->stream.id, position.sequence, begin);
    std::string end;
    if (shard->end) {
      keyspace::AppendStreamRecordKey(row->stream.id, *shard->end, end);
    } else {
      keyspace::AppendStreamRecordsPrefix(row->stream.id, end);
      end = keyspace::PrefixEnd(end);
    }
    at_end = TRY(ReadRecords(core, *row, limit, core.store->NewCursor(&snapshot, begin, end),
                             position, output.records));
  }
  // A shard that is closed and read to its end has nothing to go on with.
  if (at_end && (closed || shard->end)) {
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
