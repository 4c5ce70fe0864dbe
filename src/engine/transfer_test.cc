// Exports and imports: what comes back equals what was, whatever happened meanwhile, and what is wrong
// with files is counted and told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/digest.h"
#include "bulk/export_files.h"
#include "bulk/file_bucket.h"
#include "engine/check_database.h"
#include "engine/sample_database.h"
#include "storage/temporary_directory.h"
#include "value/dynamodb_json.h"
#include "value/plain_json.h"

namespace stator::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Contents = std::map<std::string, Item>;

constexpr char kArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/things";

// A bucket whose puts fail from some point on.
class FailingBucket final : public bulk::Bucket {
 public:
  FailingBucket(std::unique_ptr<bulk::Bucket> inner, int& puts_left, Error error)
      : inner_(std::move(inner)), puts_left_(puts_left), error_(std::move(error)) {}
  Result<std::string> Put(const std::string& key, std::string_view bytes) override {
    return puts_left_-- > 0 ? inner_->Put(key, bytes) : std::unexpected(error_);
  }
  Result<std::vector<bulk::Object>> List(const std::string& prefix, std::size_t max) override {
    return inner_->List(prefix, max);
  }
  Result<std::string> Read(const std::string& key, std::uint64_t offset, std::size_t max) override {
    return inner_->Read(key, offset, max);
  }

 private:
  std::unique_ptr<bulk::Bucket> inner_;
  int& puts_left_;
  Error error_;
};

class TransferTest : public testing::Test {
 protected:
  TransferTest() : folder_(path_ + "-buckets") {}
  ~TransferTest() override { std::filesystem::remove_all(path_ + "-buckets"); }

  void Open() {
    engine_.reset();
    EngineOptions options =
        environment_.Options({.path = path_, .durability = storage::Durability::kRelaxed});
    options.buckets = path_ + "-buckets";
    options.open_bucket = opener_;
    options.log = [this](std::string_view line) { log_.emplace_back(line); };
    engine_ = Must(Engine::Open(options));
  }
  void SetUp() override {
    Open();
    Must(engine_->CreateTable({.table_name = "things",
                               .attribute_definitions = {{"id", ScalarAttributeType::kString}},
                               .key_schema = {{"id", KeyType::kHash}},
                               .billing_mode = BillingMode::kPayPerRequest}));
    Must(engine_->UpdateContinuousBackups(
        {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  }

  void Put(const std::string& id, int value) {
    Must(engine_->PutItem({.table_name = "things", .item = {{"id", id}, {"value", value}}}));
  }
  void Delete(const std::string& id) {
    Must(engine_->DeleteItem({.table_name = "things", .key = {{"id", id}}}));
  }
  Contents Read(const std::string& table) {
    Contents contents;
    ScanInput input{.table_name = table};
    do {
      const ScanOutput page = Must(engine_->Scan(input));
      for (const Item& item : *page.items) {
        contents.emplace(*item.at("id").If<std::string>(), item);
      }
      input.exclusive_start_key = page.last_evaluated_key;
    } while (input.exclusive_start_key);
    return contents;
  }

  ExportDescription Describe(const std::string& arn) {
    return Must(engine_->DescribeExport({.export_arn = arn})).export_description;
  }
  ImportTableDescription DescribeImported(const std::string& arn) {
    return Must(engine_->DescribeImport({.import_arn = arn})).import_table_description;
  }
  ExportDescription Export(ExportTableToPointInTimeInput input = {.table_arn = kArn,
                                                                  .s3_bucket = "bucket"}) {
    const auto begun = Must(engine_->ExportTableToPointInTime(input)).export_description;
    EXPECT_EQ(begun.export_status, ExportStatus::kInProgress);
    engine_->AwaitBackgroundJobs();
    return Describe(begun.export_arn);
  }
  static ImportTableInput Importing(const std::string& prefix, const std::string& table) {
    return {.s3_bucket_source = {.s3_bucket = "bucket", .s3_key_prefix = prefix},
            .input_format = InputFormat::kDynamoDbJson,
            .table_creation_parameters = {
                .table_name = table,
                .attribute_definitions = {{"id", ScalarAttributeType::kString}},
                .key_schema = {{"id", KeyType::kHash}},
                .billing_mode = BillingMode::kPayPerRequest}};
  }
  ImportTableDescription Import(const ImportTableInput& input) {
    const auto begun = Must(engine_->ImportTable(input)).import_table_description;
    EXPECT_EQ(begun.import_status, ImportStatus::kInProgress);
    engine_->AwaitBackgroundJobs();
    return DescribeImported(begun.import_arn);
  }
  void PutObject(const std::string& key, std::string_view bytes) {
    ASSERT_TRUE(Must(folder_.Open("bucket"))->Put(key, bytes).has_value());
  }
  std::string TextOf(const std::string& key) {
    return Must(Must(folder_.Open("bucket"))->Read(key, 0, 1 << 20));
  }
  // The lines of all data files of an export, by the manifest.
  std::vector<std::string> LinesOf(const ExportDescription& description) {
    const std::string folder =
        std::filesystem::path(*description.export_manifest).parent_path().string();
    const std::string list = TextOf(folder + "/manifest-files.json");
    EXPECT_EQ(TextOf(folder + "/manifest-files.md5"), base::EncodeBase64(base::Md5(list)));
    std::vector<std::string> lines;
    const auto bucket = Must(folder_.Open("bucket"));
    for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1) {
      const AttributeValue entry =
          Must(value::ValueFromPlainJson(list.substr(at, list.find('\n', at) - at)));
      const std::size_t before = lines.size();
      bulk::LineSplitter splitter([&](std::string_view line) {
        lines.emplace_back(line);
        return Result<void>();
      });
      const std::string md5 = Must(bulk::UnpackObject(
          *bucket, *entry.If<Map>()->at("dataFileS3Key").If<std::string>(), bulk::Packing::kGzip,
          [&](std::string_view bytes) { return splitter.Add(bytes); }));
      EXPECT_EQ(*entry.If<Map>()->at("md5Checksum").If<std::string>(), base::EncodeBase64(md5));
      EXPECT_EQ(entry.If<Map>()->at("itemCount"),
                AttributeValue(static_cast<std::int64_t>(lines.size() - before)));
    }
    return lines;
  }
  CheckReport Check() {
    Must(engine_->RunHousekeeping());
    engine_.reset();
    CheckReport report = Must(CheckDatabase({.path = path_}));
    Open();
    return report;
  }

  const storage::TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/database";
  bulk::BucketFolder folder_;
  bulk::BucketOpener opener_;
  SampleEnvironment environment_;
  std::vector<std::string> log_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(TransferTest, AnExportIsWhatTheTableWas) {
  for (int number = 0; number < 40; ++number) {
    Put(std::to_string(number), number);
  }
  const Contents then = Read("things");
  environment_.clock.Advance(seconds(10));
  const TimePoint moment = environment_.clock.Now();
  environment_.clock.Advance(seconds(10));
  Put("0", 100);
  Delete("1");
  const ExportDescription now = Export();
  EXPECT_EQ(now.export_status, ExportStatus::kCompleted) << now.failure_message.value_or("");
  EXPECT_EQ(now.item_count, 39);
  EXPECT_FALSE(now.export_type.has_value());
  const ExportDescription past =
      Export({.table_arn = kArn, .s3_bucket = "bucket", .export_time = moment, .s3_prefix = "a/b"});
  EXPECT_EQ(past.export_time, moment);
  EXPECT_THAT(past.export_manifest.value(), testing::StartsWith("a/b/AWSDynamoDB/"));
  Contents exported;
  for (const std::string& line : LinesOf(past)) {
    Item item = Must(value::ParseDynamoDbItems(line)).at("Item");
    const std::string id = *item.at("id").If<std::string>();
    exported.emplace(id, std::move(item));
  }
  EXPECT_EQ(exported, then);
  EXPECT_THAT(LinesOf(now), SizeIs(39));
  const std::string folder = std::filesystem::path(*now.export_manifest).parent_path().string();
  EXPECT_EQ(TextOf(folder + "/_started"), "");
  EXPECT_THAT(TextOf(*now.export_manifest), HasSubstr(R"("exportArn":")" + now.export_arn + '"'));
  EXPECT_THAT(log_, testing::Contains(HasSubstr("39 items in 4 files")));
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

TEST_F(TransferTest, AnIncrementalExportHasEachChangedItemOnce) {
  Put("kept", 1);
  Put("changed", 1);
  Put("removed", 1);
  Put("back", 1);
  environment_.clock.Advance(minutes(10));
  const TimePoint from = environment_.clock.Now();
  Put("changed", 2);
  Put("changed", 3);
  Put("made", 1);
  Delete("removed");
  Put("gone", 1);
  Delete("gone");
  Put("back", 2);
  Put("back", 1);
  environment_.clock.Advance(minutes(20));
  const TimePoint to = environment_.clock.Now();
  Put("changed", 4);
  Put("later", 1);
  environment_.clock.Advance(minutes(5));
  ExportTableToPointInTimeInput input{
      .table_arn = kArn,
      .s3_bucket = "bucket",
      .export_type = ExportType::kIncremental,
      .incremental_export_specification =
          IncrementalExportSpecification{.export_from_time = from, .export_to_time = to}};
  const ExportDescription both = Export(input);
  ASSERT_EQ(both.export_status, ExportStatus::kCompleted) << both.failure_message.value_or("");
  EXPECT_EQ(both.item_count, 4);
  EXPECT_EQ(both.export_type, ExportType::kIncremental);
  std::map<std::string, std::pair<std::string, std::string>> images;
  for (const std::string& line : LinesOf(both)) {
    auto record = Must(value::ParseDynamoDbItems(line));
    const auto value_of = [&](const char* image) {
      return record.contains(image) ? value::ToDynamoDbJson(record.at(image).at("value")) : "";
    };
    images[*record.at("Keys").at("id").If<std::string>()] = {value_of("OldImage"),
                                                             value_of("NewImage")};
    EXPECT_THAT(line, testing::StartsWith(R"({"Metadata":{"WriteTimestampMicros":{"N":")"));
  }
  using Images = std::pair<std::string, std::string>;
  EXPECT_EQ(images, (std::map<std::string, Images>{{"changed", {R"({"N":"1"})", R"({"N":"3"})"}},
                                                   {"made", {"", R"({"N":"1"})"}},
                                                   {"removed", {R"({"N":"1"})", ""}},
                                                   {"back", {R"({"N":"1"})", R"({"N":"1"})"}}}));
  input.incremental_export_specification->export_view_type = ExportViewType::kNewImage;
  for (const std::string& line : LinesOf(Export(input))) {
    EXPECT_THAT(line, testing::Not(HasSubstr("OldImage")));
  }
  // Data files of incremental exports stand beside the exports.
  const std::string text = TextOf(
      std::filesystem::path(*both.export_manifest).parent_path().string() + "/manifest-files.json");
  EXPECT_THAT(text, HasSubstr(R"("dataFileS3Key":"AWSDynamoDB/data/)"));
}

TEST_F(TransferTest, TimesOfIncrementalExportsAreChecked) {
  environment_.clock.Advance(hours(48));
  const TimePoint now = environment_.clock.Now();
  const auto refusal = [&](std::optional<TimePoint> from, std::optional<TimePoint> to) {
    const auto refused = engine_->ExportTableToPointInTime(
        {.table_arn = kArn,
         .s3_bucket = "bucket",
         .export_type = ExportType::kIncremental,
         .incremental_export_specification =
             IncrementalExportSpecification{.export_from_time = from, .export_to_time = to}});
    return refused ? "" : refused.error().message;
  };
  EXPECT_THAT(refusal(now - hours(100), now),
              HasSubstr("cannot be less than the table creation time : 2026-"));
  EXPECT_THAT(refusal(now - hours(1), now + hours(1)),
              HasSubstr("cannot be greater than the current time : 2026-"));
  EXPECT_THAT(refusal(now - minutes(14), now), HasSubstr("is less than 15 minutes"));
  EXPECT_THAT(refusal(now - hours(25), now), HasSubstr("greater than 24 hours"));
  EXPECT_THAT(refusal(now - hours(1), now - hours(2)), HasSubstr("greater than the to time"));
  EXPECT_EQ(refusal(now - hours(1), std::nullopt), "");
  engine_->AwaitBackgroundJobs();
}

TEST_F(TransferTest, ATokenMakesOneExportForEightHours) {
  ExportTableToPointInTimeInput input{
      .table_arn = kArn, .s3_bucket = "bucket", .client_token = "token"};
  const ExportDescription first = Export(input);
  environment_.clock.Advance(hours(7));
  EXPECT_EQ(Must(engine_->ExportTableToPointInTime(input)).export_description.export_arn,
            first.export_arn);
  input.s3_prefix = "other";
  const auto conflict = engine_->ExportTableToPointInTime(input);
  ASSERT_FALSE(conflict.has_value());
  EXPECT_EQ(conflict.error().code, ErrorCode::kIdempotentParameterMismatch);
  environment_.clock.Advance(hours(2));
  EXPECT_NE(Export(input).export_arn, first.export_arn);
}

TEST_F(TransferTest, AnExportGoesOnAfterTheTableWasDroppedAndTheEngineOpenedAgain) {
  for (int number = 0; number < 40; ++number) {
    Put(std::to_string(number), number);
  }
  // Three puts are made, then the engine is closed under it.
  int puts = 3;
  opener_ = [&](const std::string& name) -> Result<std::unique_ptr<bulk::Bucket>> {
    auto inner = folder_.Open(name);
    return std::make_unique<FailingBucket>(std::move(*inner), puts,
                                           Error{.code = ErrorCode::kIo, .message = "no room"});
  };
  Open();
  const ExportDescription failed = Export();
  EXPECT_EQ(failed.export_status, ExportStatus::kFailed);
  EXPECT_EQ(failed.failure_code, "InternalFailure");
  EXPECT_EQ(failed.failure_message, "no room");
  EXPECT_THAT(Check().problems.texts, IsEmpty());
  opener_ = nullptr;
  Open();
  const std::string arn =
      Must(engine_->ExportTableToPointInTime({.table_arn = kArn, .s3_bucket = "bucket"}))
          .export_description.export_arn;
  Must(engine_->UpdateContinuousBackups(
      {.table_name = "things", .point_in_time_recovery_specification = {.enabled = false}}));
  Must(engine_->DeleteTable({.table_name = "things"}));
  Open();
  engine_->AwaitBackgroundJobs();
  const ExportDescription done = Describe(arn);
  EXPECT_EQ(done.export_status, ExportStatus::kCompleted) << done.failure_message.value_or("");
  EXPECT_THAT(LinesOf(done), SizeIs(40));
  engine_->AwaitBackgroundJobs();
  const CheckReport report = Check();
  EXPECT_THAT(report.problems.texts, IsEmpty());
  EXPECT_EQ(report.items, 0U);
  EXPECT_EQ(report.exports, 2U);
  // After 90 days nobody asks.
  environment_.clock.Advance(hours(24 * 91));
  Must(engine_->RunHousekeeping());
  EXPECT_FALSE(engine_->DescribeExport({.export_arn = arn}).has_value());
}

TEST_F(TransferTest, WhatWasExportedIsImported) {
  for (int round = 0; round < 8; ++round) {
    SCOPED_TRACE(round);
    for (int number = 0; number < 30; ++number) {
      const std::string id = std::to_string(environment_.random.Below(100));
      if (environment_.random.Below(4) == 0) {
        Delete(id);
      } else {
        Put(id, static_cast<int>(environment_.random.Below(1000)));
      }
    }
    const ExportDescription exported = Export();
    ImportTableInput input = Importing(
        std::filesystem::path(*exported.export_manifest).parent_path().string() + "/data/",
        "copy" + std::to_string(round));
    input.input_compression_type = InputCompressionType::kGzip;
    const ImportTableDescription imported = Import(input);
    EXPECT_EQ(imported.import_status, ImportStatus::kCompleted)
        << imported.failure_message.value_or("");
    EXPECT_EQ(imported.imported_item_count, exported.item_count);
    EXPECT_EQ(imported.error_count, 0);
    EXPECT_EQ(Read("copy" + std::to_string(round)), Read("things"));
  }
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

// The row with the outcome is written before the table is shown.
TEST_F(TransferTest, TheTableOfACompleteImportCanBeUsed) {
  PutObject("one/data.json", R"({"Item":{"id":{"S":"a"}}})");
  constexpr int kImports = 60;
  for (int number = 0; number < kImports; ++number) {
    const std::string name = "imported" + std::to_string(number);
    const std::string arn =
        Must(engine_->ImportTable(Importing("one/", name))).import_table_description.import_arn;
    ImportStatus status = ImportStatus::kInProgress;
    while (status == ImportStatus::kInProgress) {
      status = DescribeImported(arn).import_status;
    }
    ASSERT_EQ(status, ImportStatus::kCompleted);
    const auto item = engine_->GetItem({.table_name = name, .key = {{"id", "a"}}});
    ASSERT_TRUE(item.has_value()) << number << ": " << item.error().message;
    ASSERT_TRUE(item->item.has_value());
  }
}

TEST_F(TransferTest, ErrorsOfAnImportAreCountedAndTold) {
  std::string lines;
  for (int number = 0; number < 10; ++number) {
    lines += number == 5 ? "{\"Item\":{\"other\":{\"S\":\"x\"}}}\n"
                         : "{\"Item\":{\"id\":{\"S\":\"" + std::to_string(number) + "\"}}}\n";
  }
  PutObject("keyless/a", lines);
  const ImportTableDescription keyless = Import(Importing("keyless/", "keyless"));
  EXPECT_EQ(keyless.import_status, ImportStatus::kFailed);
  EXPECT_EQ(keyless.failure_code, "ItemValidationError");
  EXPECT_EQ(keyless.processed_item_count, 10);
  EXPECT_EQ(keyless.imported_item_count, 9);
  EXPECT_EQ(keyless.error_count, 1);
  EXPECT_EQ(keyless.processed_size_bytes, static_cast<std::int64_t>(lines.size()));
  EXPECT_THAT(Read("keyless"), SizeIs(9));
  EXPECT_THAT(
      log_,
      testing::Contains(
          R"({"itemS3Pointer":{"bucket":"bucket","key":"keyless/a","itemIndex":5},"importArn":")" +
          keyless.import_arn +
          R"(","errorMessages":["One or more parameter values were invalid: Missing the key id in the item"]})"));
  // What cannot be read ends its file, not the others.
  std::string broken = lines;
  broken.replace(broken.find("other") - 10, 3, "???");
  PutObject("broken/a", broken);
  PutObject("broken/b", "{\"Item\":{\"id\":{\"S\":\"b\"}}}");
  const ImportTableDescription cut = Import(Importing("broken/", "broken"));
  EXPECT_EQ(cut.processed_item_count, 7);
  EXPECT_EQ(cut.imported_item_count, 6);
  EXPECT_EQ(cut.error_count, 1);
  // Packed otherwise: one error.
  ImportTableInput packed = Importing("keyless/", "packed");
  packed.input_compression_type = InputCompressionType::kZstd;
  const ImportTableDescription unpacked = Import(packed);
  EXPECT_EQ(unpacked.error_count, 1);
  EXPECT_EQ(unpacked.imported_item_count, 0);
  EXPECT_THAT(Read("packed"), IsEmpty());
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

TEST_F(TransferTest, AnImportWithoutABucketLeavesNoTable) {
  const ImportTableDescription failed = Import(Importing("", "nowhere"));
  EXPECT_EQ(failed.import_status, ImportStatus::kFailed);
  EXPECT_EQ(failed.failure_code, "S3NoSuchBucket");
  EXPECT_EQ(failed.table_creation_parameters.table_name, "nowhere");
  EXPECT_FALSE(engine_->DescribeTable({.table_name = "nowhere"}).has_value());
  PutObject("x", "");
  const ImportTableDescription hostile = Import(Importing("../", "hostile"));
  EXPECT_EQ(hostile.failure_code, "S3AccessDenied");
  const ImportTableDescription empty = Import(Importing("none/", "empty"));
  EXPECT_EQ(empty.import_status, ImportStatus::kCompleted);
  EXPECT_THAT(Read("empty"), IsEmpty());
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

TEST_F(TransferTest, CommaSeparatedValuesTakeTheTypesOfKeys) {
  PutObject("csv/a",
            "id;number;code;note\n1;2.50;AQI=;\"a;b\"\n2;3;AA==;\n3;x;AA==;\n4;1;AA==;a;b\n");
  ImportTableInput input{
      .s3_bucket_source = {.s3_bucket = "bucket", .s3_key_prefix = "csv/"},
      .input_format = InputFormat::kCsv,
      .table_creation_parameters =
          {.table_name = "csv",
           .attribute_definitions = {{"id", ScalarAttributeType::kString},
                                     {"number", ScalarAttributeType::kNumber},
                                     {"code", ScalarAttributeType::kBinary}},
           .key_schema = {{"id", KeyType::kHash}, {"number", KeyType::kRange}},
           .billing_mode = BillingMode::kPayPerRequest,
           .global_secondary_indexes = {{{.index_name = "by_code",
                                          .key_schema = {{"code", KeyType::kHash}},
                                          .projection = {.projection_type =
                                                             ProjectionType::kAll}}}}},
      .input_format_options = InputFormatOptions{.csv = CsvOptions{.delimiter = ";"}}};
  const ImportTableDescription imported = Import(input);
  EXPECT_EQ(imported.processed_item_count, 4);
  EXPECT_EQ(imported.error_count, 2);
  const Contents items = Read("csv");
  ASSERT_THAT(items, SizeIs(2));
  EXPECT_EQ(items.at("1"), (Item{{"id", "1"},
                                 {"number", Number::Parse("2.5").value()},
                                 {"code", Binary{std::string("\x01\x02")}},
                                 {"note", "a;b"}}));
  EXPECT_FALSE(items.at("2").contains("note"));
  EXPECT_EQ(Must(engine_->Query(
                     {.table_name = "csv",
                      .index_name = "by_code",
                      .key_condition_expression = "code = :c",
                      .expression_attribute_values = Map{{":c", Binary{std::string("\0", 1)}}}}))
                .count,
            1);
  // With names of one's own the first line is a record.
  PutObject("plain/a", "a,b\nc,d\n");
  ImportTableInput plain = Importing("plain/", "plain");
  plain.input_format = InputFormat::kCsv;
  plain.input_format_options =
      InputFormatOptions{.csv = CsvOptions{.header_list = std::vector<std::string>{"id", "x"}}};
  EXPECT_EQ(Import(plain).imported_item_count, 2);
  EXPECT_THAT(Read("plain"), SizeIs(2));
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

TEST_F(TransferTest, GoingBackToACheckpointForgetsWhatBeganSince) {
  Put("a", 1);
  const ExportDescription before = Export();
  environment_.clock.Advance(seconds(1));
  Must(engine_->CreateCheckpoint({.checkpoint_name = "fixtures"}));
  environment_.clock.Advance(seconds(1));
  Put("b", 2);
  ExportTableToPointInTimeInput again{
      .table_arn = kArn, .s3_bucket = "bucket", .client_token = "token"};
  const ExportDescription since = Export(again);
  EXPECT_EQ(since.item_count, 2);
  ImportTableInput input = Importing(
      std::filesystem::path(*since.export_manifest).parent_path().string() + "/data/", "copy");
  input.input_compression_type = InputCompressionType::kGzip;
  input.client_token = "token";
  const ImportTableDescription imported = Import(input);
  const auto restored = Must(engine_->RestoreCheckpoint({.checkpoint_name = "fixtures"}));
  EXPECT_EQ(restored.tables_removed, 1);
  EXPECT_EQ(Describe(before.export_arn).export_status, ExportStatus::kCompleted);
  EXPECT_EQ(engine_->DescribeExport({.export_arn = since.export_arn}).error().code,
            ErrorCode::kResourceNotFound);
  EXPECT_EQ(engine_->DescribeImport({.import_arn = imported.import_arn}).error().code,
            ErrorCode::kResourceNotFound);
  // Tokens are new, and the files are still there.
  EXPECT_EQ(Export(again).item_count, 1);
  EXPECT_EQ(Import(input).imported_item_count, 2);
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

// What an export reads is not taken away from it.
TEST_F(TransferTest, GoingBackToACheckpointWaitsForExports) {
  std::promise<void> begun;
  std::promise<void> may_go_on;
  std::shared_future<void> go_on = may_go_on.get_future().share();
  std::once_flag first;
  opener_ = [&](const std::string& name) -> Result<std::unique_ptr<bulk::Bucket>> {
    std::call_once(first, [&] { begun.set_value(); });
    go_on.wait();
    return folder_.Open(name);
  };
  Open();
  Must(engine_->CreateCheckpoint({.checkpoint_name = "fixtures"}));
  environment_.clock.Advance(seconds(1));
  Put("a", 1);
  const std::string arn =
      Must(engine_->ExportTableToPointInTime({.table_arn = kArn, .s3_bucket = "bucket"}))
          .export_description.export_arn;
  begun.get_future().wait();
  std::atomic<bool> is_back = false;
  std::thread back([&] {
    Must(engine_->RestoreCheckpoint({.checkpoint_name = "fixtures"}));
    is_back = true;
  });
  // Others go on meanwhile.
  Put("b", 2);
  EXPECT_FALSE(is_back);
  may_go_on.set_value();
  back.join();
  EXPECT_THAT(log_, testing::Contains(HasSubstr(arn + " is complete: 1 items")));
  EXPECT_THAT(Read("things"), IsEmpty());
  EXPECT_THAT(Check().problems.texts, IsEmpty());
}

TEST_F(TransferTest, ListsAreNewestFirstAndPaged) {
  std::vector<std::string> arns;
  for (int number = 0; number < 5; ++number) {
    environment_.clock.Advance(seconds(1));
    arns.insert(arns.begin(), Export().export_arn);
  }
  std::vector<std::string> listed;
  ListExportsInput input{.max_results = 2};
  do {
    const ListExportsOutput page = Must(engine_->ListExports(input));
    for (const ExportSummary& each : page.export_summaries) {
      listed.push_back(each.export_arn);
      EXPECT_EQ(each.export_type, ExportType::kFull);
    }
    input.next_token = page.next_token;
  } while (input.next_token);
  EXPECT_EQ(listed, arns);
  input.next_token = "foreign";
  EXPECT_EQ(engine_->ListExports(input).error().message,
            "Invalid Request: Provided nextToken is invalid: foreign");
  EXPECT_THAT(Must(engine_->ListExports({.table_arn = kArn})).export_summaries, SizeIs(5));
  EXPECT_THAT(Must(engine_->ListExports({.table_arn = std::string(kArn) + "x"})).export_summaries,
              IsEmpty());
}

}  // namespace
}  // namespace stator::engine
