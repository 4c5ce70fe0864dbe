// Records on their way: how they are begun, read, written as JSON, and ended.

#include <chrono>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/digest.h"
#include "base/hex.h"
#include "base/limits.h"
#include "base/try.h"
#include "engine/outgoing.h"
#include "engine/stream_record.h"
#include "engine/table_description.h"
#include "keyspace/key_range.h"
#include "keyspace/keys.h"
#include "keyspace/stream_record_row.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::engine {
namespace {

// Only for what the check of a database says of it.
constexpr std::string_view kLabel = "kinesis";

// How far behind the front is looked for records of other items.
constexpr std::size_t kRowsPerLook = 2'000;
constexpr std::size_t kPartitionKeyBytes = 16;

std::string_view NameOf(StreamEventName name) {
  switch (name) {
    case StreamEventName::kInsert:
      return "INSERT";
    case StreamEventName::kModify:
      return "MODIFY";
    case StreamEventName::kRemove:
      return "REMOVE";
  }
  std::unreachable();
}

// Of Kinesis: says which of its shards takes the record, so that those of an item stay in order.
std::string PartitionKeyOf(const Item& keys) {
  return base::HexOf(base::Sha256(value::ToDynamoDbJson(keys)).substr(0, kPartitionKeyBytes));
}

// 32 digits with hyphens, as Kinesis' consumers know it.
std::string UuidOf(std::string_view digits) {
  CHECK(digits.size() == 32);
  std::string text;
  for (const std::size_t part : {8U, 4U, 4U, 4U, 12U}) {
    text.append(text.empty() ? "" : "-").append(digits.substr(0, part));
    digits.remove_prefix(part);
  }
  return text;
}

void AppendImage(std::string_view name, const std::optional<Item>& image, std::string& out) {
  if (image) {
    out.append(",\"").append(name).append("\":");
    value::AppendDynamoDbJson(*image, out);
  }
}

// The part that is DynamoDB's own.
void AppendChange(const keyspace::StreamRecordRow& record,
                  std::optional<CreationTimePrecision> precision, std::string& out) {
  const Duration made = record.time.time_since_epoch();
  const bool is_micro = precision == CreationTimePrecision::kMicrosecond;
  const std::int64_t time =
      is_micro ? made.count() : std::chrono::floor<std::chrono::milliseconds>(made).count();
  out += R"({"ApproximateCreationDateTime":)" + std::to_string(time) + R"(,"Keys":)";
  value::AppendDynamoDbJson(record.keys, out);
  AppendImage("NewImage", record.new_image, out);
  AppendImage("OldImage", record.old_image, out);
  out += R"(,"SizeBytes":)" + std::to_string(record.bytes);
  if (precision) {
    out += R"(,"ApproximateCreationDateTimePrecision":")";
    out += is_micro ? "MICROSECOND" : "MILLISECOND";
    out += '"';
  }
  out += '}';
}

}  // namespace

Result<api::ChangeRecord> ChangeRecordOf(const StreamRow& row, std::uint64_t sequence,
                                         std::string_view record, const std::string& region) {
  CHECK(row.outgoing);
  const keyspace::StreamRecordRow stored = TRY(keyspace::DecodeStreamRecordRow(record));
  api::ChangeRecord change;
  change.partition_key = PartitionKeyOf(stored.keys);
  std::string& out = change.data;
  out.reserve(record.size() * 2);
  out += R"({"awsRegion":)";
  value::AppendJsonString(region, out);
  out += R"(,"eventID":")" + UuidOf(EventId(row.stream.id, sequence)) + R"(","eventName":")";
  out += NameOf(stored.event);
  out += R"(","userIdentity":)";
  out += stored.by_expiry ? R"({"principalId":"dynamodb.amazonaws.com","type":"Service"})" : "null";
  out += R"(,"recordFormat":"application/json","tableName":)";
  value::AppendJsonString(row.table_name, out);
  out += R"(,"dynamodb":)";
  AppendChange(stored, row.outgoing->precision, out);
  out += R"(,"eventSource":"aws:dynamodb"})";
  return change;
}

Result<OutgoingWork::Batch> OutgoingWork::ReadBatch(const StreamRow& row,
                                                    std::size_t records_max) const {
  std::string prefix;
  keyspace::AppendStreamRecordsPrefix(row.stream.id, prefix);
  storage::Cursor cursor = core_.store->NewCursor(nullptr, prefix, keyspace::PrefixEnd(prefix));
  Batch batch;
  std::set<std::string> items;
  std::size_t bytes = 0;
  std::size_t rows = 0;
  for (cursor.SeekToFirst(); cursor.Valid() && batch.records.size() < records_max &&
                             rows < kRowsPerLook && bytes < api::kReceivedBytesMax;
       cursor.Next(), ++rows) {
    const std::uint64_t sequence = TRY(keyspace::DecodeStreamRecordKey(cursor.key())).sequence;
    if (rows == 0) {
      batch.oldest = TRY(keyspace::DecodeStreamRecordTime(cursor.value()));
    }
    // Its turn comes when the earlier one of its item was taken.
    if (!items.insert(PartitionKeyOf(TRY(keyspace::DecodeStreamRecordKeys(cursor.value()))))
             .second) {
      continue;
    }
    api::ChangeRecord record =
        TRY(ChangeRecordOf(row, sequence, cursor.value(), core_.account.region));
    const std::size_t size = record.data.size() + record.partition_key.size();
    if (!batch.records.empty() && bytes + size > api::kReceivedBytesMax) {
      break;
    }
    bytes += size;
    batch.records.push_back(std::move(record));
    batch.sequences.push_back(sequence);
  }
  TRY_VOID(cursor.status());
  return batch;
}

Result<void> BeginOutgoing(EngineCore& core, std::string kinesis_arn,
                           std::optional<CreationTimePrecision> precision, Table& table,
                           storage::WriteBatch& batch) {
  CHECK_THAT(!table.outgoing, "a table has one destination at a time");
  const TimePoint now = core.clock.Now();
  table.outgoing = Stream{.id = core.catalog.TakeStreamId(batch),
                          .label = std::string(kLabel),
                          .view = StreamViewType::kNewAndOldImages};
  const StreamRow row{
      .stream = *table.outgoing,
      .table_name = table.name,
      .table_arn = table.arn,
      .created_at = now,
      .key_schema = KeySchemaOf(table),
      .first_sequence = core.store->VisibleSequence() + 1,
      .outgoing = keyspace::Outgoing{
          .kinesis_arn = std::move(kinesis_arn), .table = table.id, .precision = precision}};
  PutStream(row, batch);
  core.outgoing_streams.Add(row.stream.id, ArnOf(row), row.table_name,
                            now + limits::kStreamRetention);
  return {};
}

Result<void> EndOutgoing(EngineCore& core, bool abandon, Table& table, storage::WriteBatch& batch) {
  CHECK(table.outgoing);
  if (std::optional<StreamRow> row = TRY(ReadStream(core, table.outgoing->id))) {
    row->disabled_at = core.clock.Now();
    row->outgoing->abandoned = abandon;
    PutStream(*row, batch);
  }
  table.outgoing.reset();
  return {};
}

}  // namespace stator::engine
