#include "engine/stream_row.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/arn.h"
#include "engine/table_description.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/stream_row.h"

namespace stator::engine {
namespace {

std::string Padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

// 2026-11-15T22:46:39.024
std::string LabelOf(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::milliseconds>(time - day));
  const auto two = [](auto number) { return Padded(static_cast<std::uint64_t>(number), 2); };
  return Padded(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4) + "-" +
         two(static_cast<unsigned>(date.month())) + "-" + two(static_cast<unsigned>(date.day())) +
         "T" + two(clock.hours().count()) + ":" + two(clock.minutes().count()) + ":" +
         two(clock.seconds().count()) + "." +
         Padded(static_cast<std::uint64_t>(clock.subseconds().count()), 3);
}

// A label says when its stream was enabled; of two within a millisecond the second is a little
// ahead.
std::string UnusedLabel(const EngineCore& core, const std::string& table_arn, TimePoint now) {
  for (TimePoint time = now;; time += std::chrono::milliseconds(1)) {
    std::string label = LabelOf(time);
    if (core.streams.Find(StreamArn(table_arn, label)).empty()) {
      return label;
    }
  }
}

}  // namespace

std::string ArnOf(const StreamRow& row) {
  return StreamArn(row.table_arn, row.stream.label);
}

std::string ShardIdOf(std::uint32_t stream, TimePoint opened_at) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(opened_at);
  return "shardId-" +
         Padded(static_cast<std::uint64_t>(milliseconds.time_since_epoch().count()), 20) + "-" +
         Padded(stream, 8);
}

StreamDirectory& DirectoryOf(EngineCore& core, const StreamRow& row) {
  return row.outgoing ? core.outgoing_streams : core.streams;
}

void PutStream(const StreamRow& row, storage::WriteBatch& batch) {
  CHECK(row.stream.id != 0);
  std::string bytes;
  keyspace::AppendStreamRow(row, bytes);
  batch.Put(keyspace::StreamKey(row.stream.id), bytes);
}

Result<void> EnableStream(EngineCore& core, StreamViewType view, Table& table,
                          storage::WriteBatch& batch) {
  CHECK_THAT(!table.stream, "a table has one stream at a time");
  const TimePoint now = core.clock.Now();
  table.stream = Stream{.id = core.catalog.TakeStreamId(batch),
                        .label = UnusedLabel(core, table.arn, now),
                        .view = view};
  table.latest_stream = table.stream;
  PutStream({.stream = *table.stream,
             .table_name = table.name,
             .table_arn = table.arn,
             .created_at = now,
             .disabled_at = std::nullopt,
             .key_schema = KeySchemaOf(table),
             .first_sequence = core.store->VisibleSequence() + 1},
            batch);
  core.streams.Add(table.stream->id, StreamArn(table.arn, table.stream->label), table.name,
                   now + kShardAge);
  return {};
}

Result<void> DisableStream(EngineCore& core, Table& table, storage::WriteBatch& batch) {
  CHECK(table.stream);
  StreamRow row = TRY(FindStream(core, StreamArn(table.arn, table.stream->label)));
  row.disabled_at = core.clock.Now();
  PutStream(row, batch);
  // No shard ends any more, and no record is older.
  core.streams.SetDue(row.stream.id, row.created_at + limits::kStreamRetention);
  table.stream.reset();
  return {};
}

Result<std::vector<StreamRow>> ReadStreams(const EngineCore& core) {
  const keyspace::KeyRange range =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kStream));
  std::vector<StreamRow> rows;
  storage::Cursor cursor = core.store->NewCursor(nullptr, range.begin, range.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    TRY_VOID(base::SpendWork(base::kRowUnits));
    rows.push_back(TRY(keyspace::DecodeStreamRow(cursor.value())));
  }
  TRY_VOID(cursor.status());
  return rows;
}

Result<std::optional<StreamRow>> ReadStream(const EngineCore& core, std::uint32_t id,
                                            const storage::Snapshot* snapshot) {
  TRY_VOID(base::SpendWork(base::kRowUnits));
  storage::PinnedValue value;
  if (!TRY(core.store->Get(keyspace::StreamKey(id), value, snapshot))) {
    return std::nullopt;
  }
  return TRY(keyspace::DecodeStreamRow(value.view()));
}

Result<StreamRow> FindStream(const EngineCore& core, std::string_view arn) {
  if (!IsStreamArn(arn)) {
    return Invalid("Invalid StreamArn: " + std::string(arn));
  }
  for (const std::uint32_t id : core.streams.Find(arn)) {
    if (std::optional<StreamRow> row = TRY(ReadStream(core, id))) {
      return *std::move(row);
    }
  }
  return Fail(ErrorCode::kResourceNotFound,
              "Requested resource not found: Stream: " + std::string(arn) + " not found");
}

Result<std::uint64_t> LastSequence(const EngineCore& core, const StreamRow& row) {
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  storage::Cursor cursor = core.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
  cursor.SeekToLast();
  std::uint64_t last = std::max(row.first_sequence, row.trimmed_through);
  if (!row.shards.empty()) {
    last = std::max(last, row.shards.back().first_sequence);
  }
  if (cursor.Valid()) {
    last = std::max(last, TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence);
  }
  TRY_VOID(cursor.status());
  return last;
}

Result<void> LoadStreamDirectory(EngineCore& core) {
  for (const StreamRow& row : TRY(ReadStreams(core))) {
    // When its oldest record is due is not known yet.
    DirectoryOf(core, row).Add(row.stream.id, ArnOf(row), row.table_name, TimePoint::min());
  }
  return {};
}

Result<void> StartNumbering(EngineCore& core) {
  std::uint64_t last = 0;
  for (const StreamRow& row : TRY(ReadStreams(core))) {
    last = std::max(last, TRY(LastSequence(core, row)));
  }
  core.store->queue().StartSequencesBehind(last);
  return {};
}

}  // namespace stator::engine
