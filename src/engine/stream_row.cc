#include "engine/stream_row.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "base/work.h"
#include "engine/arn.h"
#include "engine/row_fields.h"
#include "engine/table_description.h"
#include "keyspace/item_codec.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"

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
std::string UnusedLabel(const Core& core, const std::string& table_arn, TimePoint now) {
  for (TimePoint time = now;; time += std::chrono::milliseconds(1)) {
    std::string label = LabelOf(time);
    if (core.streams.Find(StreamArn(table_arn, label)).empty()) {
      return label;
    }
  }
}

}  // namespace

std::string StreamRow::Arn() const {
  return StreamArn(table_arn, stream.label);
}

std::string StreamRow::ShardId() const {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(created_at);
  return "shardId-" +
         Padded(static_cast<std::uint64_t>(milliseconds.time_since_epoch().count()), 20) + "-" +
         Padded(stream.id, 8);
}

void PutStream(const StreamRow& row, storage::WriteBatch& batch) {
  List keys;
  for (const KeySchemaElement& element : row.key_schema) {
    keys.emplace_back(element.attribute_name);
  }
  Map fields{{"id", row.stream.id},
             {"label", row.stream.label},
             {"view", EnumValue(row.stream.view)},
             {"table", row.table_name},
             {"table_arn", row.table_arn},
             {"created_at", TimeValue(row.created_at)},
             {"keys", std::move(keys)},
             {"first", row.first_sequence},
             {"trimmed", row.trimmed_through}};
  if (row.disabled_at) {
    fields.Set("disabled_at", TimeValue(*row.disabled_at));
  }
  std::string bytes;
  keyspace::AppendItem(fields, bytes);
  batch.Put(keyspace::StreamKey(row.stream.id), bytes);
}

Result<StreamRow> DecodeStreamRow(std::string_view bytes) {
  const Map fields = TRY(keyspace::DecodeItem(bytes));
  StreamRow row;
  row.stream.id = static_cast<std::uint32_t>(TRY(IntegerField(fields, "id")));
  row.stream.label = TRY(Field<std::string>(fields, "label"));
  row.stream.view = TRY(EnumField(fields, "view", StreamViewType::kKeysOnly));
  row.table_name = TRY(Field<std::string>(fields, "table"));
  row.table_arn = TRY(Field<std::string>(fields, "table_arn"));
  row.created_at = TimeFrom(TRY(IntegerField(fields, "created_at")));
  if (const auto disabled_at = TRY(OptionalIntegerField(fields, "disabled_at"))) {
    row.disabled_at = TimeFrom(*disabled_at);
  }
  KeyType type = KeyType::kHash;
  for (const AttributeValue& name : TRY(Field<List>(fields, "keys"))) {
    if (!name.Is<std::string>()) {
      return DamagedField("keys");
    }
    row.key_schema.push_back({.attribute_name = *name.If<std::string>(), .key_type = type});
    type = KeyType::kRange;
  }
  row.first_sequence = static_cast<std::uint64_t>(TRY(IntegerField(fields, "first")));
  row.trimmed_through = static_cast<std::uint64_t>(TRY(IntegerField(fields, "trimmed")));
  return row;
}

Result<void> EnableStream(Core& core, StreamViewType view, Table& table,
                          storage::WriteBatch& batch) {
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
  core.streams.Add(table.stream->id, StreamArn(table.arn, table.stream->label), table.name);
  return {};
}

Result<void> DisableStream(Core& core, Table& table, storage::WriteBatch& batch) {
  StreamRow row = TRY(FindStream(core, StreamArn(table.arn, table.stream->label)));
  row.disabled_at = core.clock.Now();
  PutStream(row, batch);
  table.stream.reset();
  return {};
}

Result<std::vector<StreamRow>> ReadStreams(const Core& core) {
  const keyspace::KeyRange range =
      keyspace::RangeOfPrefix(keyspace::KindPrefix(keyspace::KeyKind::kStream));
  std::vector<StreamRow> rows;
  storage::Cursor cursor = core.store->NewCursor(nullptr, range.begin, range.end);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    TRY_VOID(base::SpendWork(base::kRowUnits));
    rows.push_back(TRY(DecodeStreamRow(cursor.value())));
  }
  TRY_VOID(cursor.status());
  return rows;
}

Result<std::optional<StreamRow>> ReadStream(const Core& core, std::uint32_t id) {
  TRY_VOID(base::SpendWork(base::kRowUnits));
  storage::PinnedValue value;
  if (!TRY(core.store->Get(keyspace::StreamKey(id), value))) {
    return std::nullopt;
  }
  return TRY(DecodeStreamRow(value.view()));
}

Result<StreamRow> FindStream(const Core& core, std::string_view arn) {
  for (const std::uint32_t id : core.streams.Find(arn)) {
    if (std::optional<StreamRow> row = TRY(ReadStream(core, id))) {
      return *std::move(row);
    }
  }
  return Fail(ErrorCode::kResourceNotFound,
              "Requested resource not found: Stream: " + std::string(arn) + " not found");
}

Result<std::uint64_t> LastSequence(const Core& core, const StreamRow& row) {
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  storage::Cursor cursor = core.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
  cursor.SeekToLast();
  std::uint64_t last = std::max(row.first_sequence, row.trimmed_through);
  if (cursor.Valid()) {
    last = std::max(last, TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence);
  }
  TRY_VOID(cursor.status());
  return last;
}

Result<void> LoadStreamDirectory(Core& core) {
  for (const StreamRow& row : TRY(ReadStreams(core))) {
    core.streams.Add(row.stream.id, row.Arn(), row.table_name);
  }
  return {};
}

Result<void> StartNumbering(Core& core) {
  std::uint64_t last = 0;
  for (const StreamRow& row : TRY(ReadStreams(core))) {
    last = std::max(last, TRY(LastSequence(core, row)));
  }
  core.store->queue().StartSequencesBehind(last);
  return {};
}

}  // namespace stator::engine
