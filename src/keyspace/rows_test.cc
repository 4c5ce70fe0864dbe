// What the codecs of rows that are stored as items promise: a row survives, whatever lacks a field
// or has one in another form is corruption and nothing else happens.

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "keyspace/backup_row.h"
#include "keyspace/checkpoint_row.h"
#include "keyspace/dropped_table_row.h"
#include "keyspace/export_row.h"
#include "keyspace/import_row.h"
#include "keyspace/keys.h"
#include "keyspace/restore_row.h"
#include "keyspace/stream_record_row.h"
#include "keyspace/stream_row.h"
#include "keyspace/token_row.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

using Decode = std::function<Result<void>(std::string_view)>;

// Every required field of `bytes` is taken away and replaced by one of another form.
void ExpectDamageIsTold(const std::string& bytes, const std::vector<std::string>& required,
                        const Decode& decode) {
  const Map whole = value::DecodeItem(bytes).value();
  for (const std::string& field : required) {
    Map missing = whole;
    ASSERT_TRUE(missing.Erase(field)) << field;
    Map other = whole;
    other.Set(field, Null{});
    for (const Map& damaged : {missing, other}) {
      std::string row;
      value::AppendItem(damaged, row);
      const Result<void> decoded = decode(row);
      ASSERT_FALSE(decoded) << field;
      EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption) << field;
    }
  }
  EXPECT_FALSE(decode(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(decode(""));
}

template <class Row>
Decode Dropping(Result<Row> (*decode)(std::string_view)) {
  return [decode](std::string_view bytes) -> Result<void> {
    if (Result<Row> row = decode(bytes); !row) {
      return std::unexpected(row.error());
    }
    return {};
  };
}

TEST(StreamRow, SurvivesAndTellsDamage) {
  const StreamRow row{
      .stream = {.id = 4000000000, .label = "label", .view = StreamViewType::kOldImage},
      .table_name = "orders",
      .table_arn = "arn",
      .created_at = TimePoint(std::chrono::microseconds(1794782798775123)),
      .disabled_at = TimePoint(std::chrono::microseconds(1794782798775124)),
      .key_schema = {{"pk", KeyType::kHash}, {"sk", KeyType::kRange}},
      .first_sequence = 7,
      .trimmed_through = 9};
  std::string bytes;
  AppendStreamRow(row, bytes);
  const Result<StreamRow> decoded = DecodeStreamRow(bytes);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->stream.id, row.stream.id);
  EXPECT_EQ(decoded->stream.view, row.stream.view);
  EXPECT_EQ(decoded->disabled_at, row.disabled_at);
  EXPECT_EQ(decoded->key_schema.back().key_type, KeyType::kRange);
  std::string again;
  AppendStreamRow(*decoded, again);
  EXPECT_EQ(again, bytes);
  ExpectDamageIsTold(
      bytes,
      {"id", "label", "view", "table", "table_arn", "created_at", "keys", "first", "trimmed"},
      Dropping(DecodeStreamRow));
}

TEST(StreamRow, HasItsShardsInTheirOrder) {
  StreamRow row{.stream = {.id = 1, .label = "l"}, .key_schema = {{"pk", KeyType::kHash}}};
  const auto at = [](int hours) { return TimePoint(std::chrono::hours(hours)); };
  row.shards = {{at(1), 1}, {at(5), 0x0102030405060708}};
  std::string bytes;
  AppendStreamRow(row, bytes);
  EXPECT_EQ(DecodeStreamRow(bytes).value().shards, row.shards);
  // What is filled in later is the last number.
  StreamRow unnumbered = row;
  unnumbered.shards.back().first_sequence = 0;
  std::string filled;
  AppendUnnumberedStreamRow(unnumbered, filled);
  filled.replace(filled.size() - 8, 8, "\x01\x02\x03\x04\x05\x06\x07\x08");
  EXPECT_EQ(filled, bytes);
  for (const std::string& damaged : {std::string(), std::string(15, 'x'), std::string(32, 'x')}) {
    Map fields = value::DecodeItem(bytes).value();
    fields.Set("where_shards_begin", Binary{damaged});
    std::string damaged_row;
    value::AppendItem(fields, damaged_row);
    EXPECT_EQ(DecodeStreamRow(damaged_row).error().code, ErrorCode::kCorruption);
  }
}

TEST(StreamRow, KnowsWhatLeavesForKinesis) {
  StreamRow row{.stream = {.id = 1, .label = "l"}, .key_schema = {{"pk", KeyType::kHash}}};
  row.outgoing = Outgoing{.kinesis_arn = "arn",
                          .table = 7,
                          .precision = CreationTimePrecision::kMicrosecond,
                          .abandoned = true};
  std::string bytes;
  AppendStreamRow(row, bytes);
  EXPECT_EQ(DecodeStreamRow(bytes).value().outgoing, row.outgoing);
  row.outgoing = Outgoing{.kinesis_arn = "arn", .table = 7};
  bytes.clear();
  AppendStreamRow(row, bytes);
  EXPECT_EQ(DecodeStreamRow(bytes).value().outgoing, row.outgoing);
  for (const Map& damaged : {Map{{"kinesis_arn", "arn"}}, Map{{"table", 7}},
                             Map{{"kinesis_arn", "arn"}, {"table", 7}, {"precision", 2}}}) {
    Map fields = value::DecodeItem(bytes).value();
    fields.Set("outgoing", damaged);
    std::string damaged_row;
    value::AppendItem(fields, damaged_row);
    EXPECT_EQ(DecodeStreamRow(damaged_row).error().code, ErrorCode::kCorruption);
  }
}

TEST(StreamRow, NumbersThatNoStreamHasAreDamage) {
  std::string bytes;
  AppendStreamRow({.stream = {.id = 1, .label = "l"}, .key_schema = {{"pk", KeyType::kHash}}},
                  bytes);
  const Map whole = value::DecodeItem(bytes).value();
  for (const auto& [field, value] : {std::pair<std::string, AttributeValue>{"id", -1},
                                     {"id", 0},
                                     {"id", 4294967296},
                                     {"view", 4},
                                     {"first", -1},
                                     {"trimmed", -1}}) {
    Map damaged = whole;
    damaged.Set(field, value);
    std::string row;
    value::AppendItem(damaged, row);
    const Result<StreamRow> decoded = DecodeStreamRow(row);
    ASSERT_FALSE(decoded) << field;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorruption);
  }
}

TEST(StreamRecordRow, SurvivesAndTellsDamage) {
  std::string bytes;
  AppendStreamRecordRow({.event = StreamEventName::kModify,
                         .time = TimePoint(std::chrono::microseconds(5)),
                         .view = StreamViewType::kNewAndOldImages,
                         .keys = {{"pk", "a"}},
                         .new_image = Item{{"pk", "a"}, {"n", 2}},
                         .old_image = Item{{"pk", "a"}, {"n", 1}},
                         .bytes = 11,
                         .by_expiry = true},
                        bytes);
  const Result<StreamRecordRow> record = DecodeStreamRecordRow(bytes);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->event, StreamEventName::kModify);
  EXPECT_EQ(record->new_image->at("n"), AttributeValue(2));
  EXPECT_EQ(record->old_image->at("n"), AttributeValue(1));
  EXPECT_EQ(record->bytes, 11);
  EXPECT_TRUE(record->by_expiry);
  EXPECT_EQ(DecodeStreamRecordTime(bytes).value(), record->time);
  ExpectDamageIsTold(bytes, {"event", "time", "view", "keys", "bytes"},
                     Dropping(DecodeStreamRecordRow));
  for (const Map& damaged : {Map{{"bytes", 1}}, Map{{"time", "now"}}}) {
    std::string row;
    value::AppendItem(damaged, row);
    EXPECT_EQ(DecodeStreamRecordTime(row).error().code, ErrorCode::kCorruption);
  }
}

TEST(TokenRow, SurvivesAndTellsDamage) {
  std::string bytes;
  AppendTokenRow({.until = 1794782798, .digest = std::string(kTokenDigestBytes, 'd')}, bytes);
  const Result<TokenRow> row = DecodeTokenRow(bytes);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->until, 1794782798);
  EXPECT_EQ(row->digest, std::string(kTokenDigestBytes, 'd'));
  ExpectDamageIsTold(bytes, {"until", "digest"}, Dropping(DecodeTokenRow));
  std::string short_digest;
  value::AppendItem(Map{{"until", 1}, {"digest", Binary{"d"}}}, short_digest);
  EXPECT_EQ(DecodeTokenRow(short_digest).error().code, ErrorCode::kCorruption);
}

TEST(TokenKey, GivesItsTokenBack) {
  std::string key;
  AppendTokenKey("token-1", key);
  EXPECT_EQ(TokenOfKey(key).value(), "token-1");
  EXPECT_FALSE(TokenOfKey(TableKey("token-1")));
}

TEST(DroppedTableRow, SurvivesAndTellsDamage) {
  std::string bytes;
  AppendDroppedTableRow({.name = "orders", .ttl_attribute = "at"}, bytes);
  const Result<DroppedTableRow> row = DecodeDroppedTableRow(bytes);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->name, "orders");
  EXPECT_EQ(row->ttl_attribute, "at");
  ExpectDamageIsTold(bytes, {"name"}, Dropping(DecodeDroppedTableRow));
}

// A table that is being restored, and one that keeps history.
TableRow SampleTable() {
  TableRow row;
  row.settings.id = 7;
  row.settings.name = "orders";
  row.settings.uuid = "uuid";
  row.settings.arn = "arn";
  row.settings.attribute_definitions = {{"pk", ScalarAttributeType::kString}};
  row.settings.partition = {.name = "pk", .type = ScalarAttributeType::kString};
  row.settings.history = History{.since = 5, .floor = 6};
  row.settings.recovery = Recovery{.since = 6, .days = 7};
  row.settings.restore =
      Restore{.source = 3, .source_arn = "source", .time = 4, .backup_arn = "backup"};
  row.settings.policy = AttachedPolicy{.text = R"({"Statement": []})", .revision = "r1"};
  row.settings.insights =
      Insights{.enabled = true,
               .mode = ContributorInsightsMode::kThrottledKeys,
               .updated_at = TimePoint(std::chrono::microseconds(1794782798775123))};
  row.figures = {.items = 2, .bytes = 100};
  return row;
}

TEST(BackupRow, SurvivesAndTellsDamage) {
  const BackupRow row{.name = "daily",
                      .type = BackupType::kSystem,
                      .time = 1768387654353205,
                      .expires = TimePoint(std::chrono::microseconds(1794782798775123)),
                      .table = SampleTable()};
  std::string bytes;
  AppendBackupRow(row, bytes);
  const Result<BackupRow> read = DecodeBackupRow(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, "daily");
  EXPECT_EQ(read->type, BackupType::kSystem);
  EXPECT_EQ(read->time, row.time);
  EXPECT_EQ(read->expires, row.expires);
  EXPECT_EQ(read->table.settings.id, 7U);
  EXPECT_EQ(read->table.settings.history, row.table.settings.history);
  EXPECT_EQ(read->table.settings.recovery, row.table.settings.recovery);
  EXPECT_EQ(read->table.settings.restore, row.table.settings.restore);
  EXPECT_EQ(read->table.settings.policy, row.table.settings.policy);
  EXPECT_EQ(read->table.settings.insights, row.table.settings.insights);
  EXPECT_EQ(read->table.figures.bytes, 100);
  ExpectDamageIsTold(bytes, {"name", "type", "time", "table"}, Dropping(DecodeBackupRow));
}

TEST(CheckpointRow, SurvivesAndTellsDamage) {
  CheckpointRow row{.time = 1'794'700'800'000'001,
                    .sequence = 12,
                    .tokens_until = 1'794'701'400,
                    .tokens = {"token", std::string("\0\xFF", 2)},
                    .restoring = true};
  row.tables.emplace_back();
  row.tables[0].settings.id = 7;
  row.tables[0].settings.name = "things";
  row.tables[0].settings.partition = {.name = "id", .type = ScalarAttributeType::kString};
  row.tables[0].settings.rewind = Rewind{.time = 5, .before = 6};
  row.tables[0].figures = {.items = 3, .bytes = 400};
  row.streams.push_back({.stream = {.id = 3, .label = "l"}, .table_name = "things"});
  std::string bytes;
  AppendCheckpointRow(row, bytes);
  const Result<CheckpointRow> read = DecodeCheckpointRow(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->time, row.time);
  EXPECT_EQ(read->sequence, row.sequence);
  EXPECT_EQ(read->tokens_until, row.tokens_until);
  EXPECT_EQ(read->tokens, row.tokens);
  EXPECT_TRUE(read->restoring);
  ASSERT_EQ(read->tables.size(), 1U);
  EXPECT_EQ(read->tables[0].settings.name, "things");
  EXPECT_EQ(read->tables[0].settings.rewind, row.tables[0].settings.rewind);
  EXPECT_EQ(read->tables[0].figures.items, 3);
  ASSERT_EQ(read->streams.size(), 1U);
  EXPECT_EQ(read->streams[0].stream.id, 3U);
  std::string again;
  AppendCheckpointRow(*read, again);
  EXPECT_EQ(again, bytes);
  ExpectDamageIsTold(bytes, {"time", "tables", "streams", "sequence", "tokens_until", "tokens"},
                     Dropping(DecodeCheckpointRow));
}

TEST(ExportRow, SurvivesAndTellsDamage) {
  ExportRow row{.description = {.export_arn = "arn",
                                .export_status = ExportStatus::kFailed,
                                .start_time = TimePoint(std::chrono::microseconds(5)),
                                .end_time = TimePoint(std::chrono::microseconds(6)),
                                .table_arn = "table",
                                .table_id = "uuid",
                                .client_token = "token",
                                .s3_bucket = "bucket",
                                .s3_prefix = "",
                                .s3_sse_algorithm = S3SseAlgorithm::kKms,
                                .failure_code = "code",
                                .failure_message = "message"},
                .request = std::string("\0\xFF", 2),
                .table = 7,
                .partition = "pk",
                .sort = "sk",
                .time = 1768387654353205,
                .before = 1768387654353204,
                .next = std::string("\x10\0", 2),
                .files = 3,
                .name = "name",
                .items = 4,
                .bytes = 5};
  row.description.incremental_export_specification =
      IncrementalExportSpecification{.export_from_time = TimePoint(std::chrono::microseconds(7)),
                                     .export_to_time = TimePoint(std::chrono::microseconds(8)),
                                     .export_view_type = ExportViewType::kNewAndOldImages};
  std::string bytes;
  AppendExportRow(row, bytes);
  const Result<ExportRow> read = DecodeExportRow(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->description.export_status, ExportStatus::kFailed);
  EXPECT_EQ(read->description.end_time, row.description.end_time);
  EXPECT_EQ(read->description.s3_prefix, "");
  EXPECT_EQ(read->description.s3_bucket_owner, std::nullopt);
  EXPECT_EQ(read->description.failure_message, "message");
  EXPECT_EQ(read->description.export_type, ExportType::kIncremental);
  EXPECT_EQ(read->description.incremental_export_specification,
            row.description.incremental_export_specification);
  EXPECT_EQ(read->request, row.request);
  EXPECT_EQ(read->before, row.before);
  EXPECT_EQ(read->next, row.next);
  EXPECT_EQ(read->sort, "sk");
  EXPECT_EQ(read->files, 3U);
  EXPECT_EQ(read->bytes, 5);
  ExpectDamageIsTold(bytes,
                     {"arn", "status", "started", "table_arn", "table_uuid", "bucket", "request",
                      "table", "partition", "time", "next", "files", "name", "items", "bytes"},
                     Dropping(DecodeExportRow));
  bytes.clear();
  AppendExportFileRow({.key = "key", .md5 = "sum", .etag = "tag", .items = 9}, bytes);
  EXPECT_EQ(DecodeExportFileRow(bytes)->items, 9U);
  ExpectDamageIsTold(bytes, {"key", "md5", "etag", "items"}, Dropping(DecodeExportFileRow));
}

TEST(ImportRow, SurvivesAndTellsDamage) {
  ImportRow row{.description = {},
                .request = "r",
                .table = SampleTable(),
                .object = "object",
                .records = -1,
                .figures = {.items = 5, .bytes = 6},
                .first_error = "first"};
  row.description.import_arn = "arn";
  row.description.s3_bucket_source = {.s3_bucket = "bucket", .s3_key_prefix = "p"};
  row.description.error_count = 1;
  row.description.cloud_watch_log_group_arn = "log";
  row.description.input_format = InputFormat::kCsv;
  row.description.input_compression_type = InputCompressionType::kZstd;
  row.description.imported_item_count = 4;
  row.table.settings.importing = true;
  row.description.input_format_options = InputFormatOptions{
      .csv = CsvOptions{.delimiter = ";", .header_list = std::vector<std::string>{"a", "b"}}};
  std::string bytes;
  AppendImportRow(row, bytes);
  const Result<ImportRow> read = DecodeImportRow(bytes);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->description.s3_bucket_source, row.description.s3_bucket_source);
  EXPECT_EQ(read->description.input_format_options, row.description.input_format_options);
  EXPECT_EQ(read->description.input_compression_type, InputCompressionType::kZstd);
  EXPECT_EQ(read->description.imported_item_count, 4);
  EXPECT_TRUE(read->table.settings.importing);
  EXPECT_EQ(read->records, -1);
  EXPECT_EQ(read->figures.bytes, 6);
  EXPECT_EQ(read->first_error, "first");
  ExpectDamageIsTold(bytes,
                     {"arn", "status", "started", "bucket", "format", "compression", "request",
                      "table", "object", "records", "items", "bytes", "first_error", "errors",
                      "processed", "processed_bytes", "imported", "log"},
                     Dropping(DecodeImportRow));
}

TEST(RestoreRow, SurvivesAndTellsDamage) {
  std::string bytes;
  AppendRestoreRow({.next = std::string("\x10\0\xFF", 3), .figures = {.items = 3, .bytes = 400}},
                   bytes);
  const Result<RestoreRow> row = DecodeRestoreRow(bytes);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->next, std::string("\x10\0\xFF", 3));
  EXPECT_EQ(row->figures.items, 3);
  EXPECT_EQ(row->figures.bytes, 400);
  ExpectDamageIsTold(bytes, {"next", "items", "bytes"}, Dropping(DecodeRestoreRow));
}

TEST(DroppedTableRow, HasTheTableThatSomebodyMayRestore) {
  std::string bytes;
  AppendDroppedTableRow(
      {.name = "orders", .table = SampleTable(), .dropped_at = 9, .only_items = true}, bytes);
  const Result<DroppedTableRow> row = DecodeDroppedTableRow(bytes);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->table->settings.name, "orders");
  EXPECT_EQ(row->dropped_at, 9U);
  EXPECT_TRUE(row->only_items);
}

TEST(UnnumberedStreamRecordKey, HasRoomForTheNumberWhereItSays) {
  std::string numbered;
  AppendStreamRecordKey(3, 0, numbered);
  std::string key;
  const std::size_t at = AppendUnnumberedStreamRecordKey(3, key);
  EXPECT_EQ(key, numbered);
  EXPECT_EQ(at + sizeof(std::uint64_t), key.size());
}

}  // namespace
}  // namespace stator::keyspace
