// Removes stream records after 24 hours, shards that ended and streams that were disabled that long
// ago, and ends shards that are old enough. Costs what it removes: a stream is looked at when its
// oldest record or its newest shard is due, not before.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/outgoing.h"
#include "engine/shards.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/stream_record_row.h"

namespace stator::engine {
namespace {

// The numbers of removed records are remembered with their removal, so that an iterator which
// points at them is told, instead of silently skipping on.
Result<std::size_t> TrimStream(EngineCore& core, StreamRow row, TimePoint horizon,
                               std::size_t limit) {
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  storage::WriteBatch batch;
  std::size_t trimmed = 0;
  bool empty = true;
  std::optional<std::uint64_t> oldest;  // the number of the oldest record that stays
  // When there may be something again: what is written from now on is newer.
  TimePoint due = row.disabled_at.value_or(core.clock.Now()) + limits::kStreamRetention;
  {
    storage::Cursor cursor = core.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
    for (cursor.SeekToFirst(); cursor.Valid() && trimmed < limit; cursor.Next()) {
      const TimePoint time = TRY(keyspace::DecodeStreamRecordTime(cursor.value()));
      if (time >= horizon) {
        due = std::min(due, time + limits::kStreamRetention);
        empty = false;
        oldest = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
        break;
      }
      row.trimmed_through = std::max(row.trimmed_through,
                                     TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence);
      batch.Delete(cursor.key());
      ++trimmed;
    }
    TRY_VOID(cursor.status());
    if (empty && cursor.Valid()) {
      due = TimePoint::min();  // the limit was reached
      empty = false;
      oldest = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
    }
    DCHECK(trimmed <= limit);
  }
  const bool dropped = DropOldShards(horizon, oldest, row);
  if (const std::optional<TimePoint> drop = DropTime(row)) {
    due = std::min(due, *drop);
  }
  // Of what leaves for Kinesis the one who sends it takes care.
  const bool forget = empty && row.disabled_at && *row.disabled_at < horizon && !row.outgoing;
  if (forget) {
    batch.Delete(keyspace::StreamKey(row.stream.id));
  } else if (trimmed > 0 || dropped) {
    PutStream(row, batch);
  }
  if (!batch.empty()) {
    TRY_VOID(core.store->Write(std::move(batch)));
  }
  if (row.outgoing && trimmed > 0) {
    core.outgoing->CountDropped(row, trimmed);
  }
  if (forget) {
    core.streams.Remove(row.stream.id);
  } else {
    due += std::chrono::milliseconds(1);  // what is a day old stays
    DirectoryOf(core, row).SetDue(row.stream.id, std::min(due, RollOverTime(row).value_or(due)));
  }
  return trimmed;
}

}  // namespace

Result<std::size_t> TrimStreams(EngineCore& core, std::size_t limit) {
  const TimePoint now = core.clock.Now();
  std::vector<std::uint32_t> due = core.streams.Due(now);
  std::ranges::copy(core.outgoing_streams.Due(now), std::back_inserter(due));
  if (due.empty()) {
    return std::size_t{0};
  }
  // Enabling and disabling write the same rows.
  const auto lock = core.catalog.ChangeLock();
  std::size_t trimmed = 0;
  for (const std::uint32_t id : due) {
    if (trimmed >= limit) {
      break;
    }
    std::optional<StreamRow> row = TRY(ReadStream(core, id));
    if (!row) {
      core.streams.Remove(id);  // it was never made: nobody makes one while we hold the lock
      core.outgoing_streams.Remove(id);
      continue;
    }
    if (const auto roll_over = RollOverTime(*row); roll_over && *roll_over <= now) {
      row = TRY(RollOver(core, *std::move(row)));
    }
    trimmed +=
        TRY(TrimStream(core, *std::move(row), now - limits::kStreamRetention, limit - trimmed));
  }
  return trimmed;
}

}  // namespace stator::engine
