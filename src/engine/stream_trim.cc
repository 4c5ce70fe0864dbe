// Removes stream records after 24 hours, and streams that were disabled that long ago.

#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "engine/background.h"
#include "engine/stream_record.h"
#include "engine/stream_row.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// The numbers of removed records are remembered with their removal, so that an iterator which
// points at them is told, instead of silently skipping on.
Result<std::size_t> TrimStream(Core& core, StreamRow row, TimePoint horizon, std::size_t limit) {
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  storage::WriteBatch batch;
  std::size_t trimmed = 0;
  bool empty = true;
  {
    storage::Cursor cursor = core.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
    for (cursor.SeekToFirst(); cursor.Valid() && trimmed < limit; cursor.Next()) {
      if (TRY(TimeOfStreamRecord(cursor.value())) >= horizon) {
        empty = false;
        break;
      }
      row.trimmed_through = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
      batch.Delete(cursor.key());
      ++trimmed;
    }
    TRY_VOID(cursor.status());
    empty = empty && !cursor.Valid();
  }
  const bool forget = empty && row.disabled_at && *row.disabled_at < horizon;
  if (forget) {
    batch.Delete(keyspace::StreamKey(row.stream.id));
  } else if (trimmed > 0) {
    PutStream(row, batch);
  }
  if (!batch.empty()) {
    TRY_VOID(core.store->Write(std::move(batch)));
  }
  if (forget) {
    core.streams.Remove(row.stream.id);
  }
  return trimmed;
}

}  // namespace

Result<std::size_t> TrimStreams(Core& core, std::size_t limit) {
  // Enabling and disabling write the same rows.
  const auto lock = core.catalog.ChangeLock();
  const TimePoint horizon = core.clock.Now() - limits::kStreamRetention;
  std::size_t trimmed = 0;
  for (StreamRow& row : TRY(ReadStreams(core))) {
    if (trimmed >= limit) {
      break;
    }
    trimmed += TRY(TrimStream(core, std::move(row), horizon, limit - trimmed));
  }
  return trimmed;
}

}  // namespace stator::engine
