// Every file of an incremental export, as test/sdk/export_layout_test.py looks at those of a full one; here,
// because its period is at least 15 minutes long, and only clocks of tests can be put forward.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/digest.h"
#include "base/hex.h"
#include "bulk/export_files.h"
#include "bulk/file_bucket.h"
#include "bulk/packing.h"
#include "engine/sample_database.h"
#include "storage/temporary_directory.h"
#include "value/plain_json.h"

namespace stator::engine {
namespace {

using std::chrono::minutes;

constexpr char kArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/things";
constexpr int kItems = 20;

// Exports what was written in a period; the bucket is what it leaves.
class IncrementalExport {
 public:
  IncrementalExport() {
    EngineOptions options = environment_.Options({.path = "", .in_memory = true});
    options.buckets = directory_.path();
    engine_ = Must(Engine::Open(options));
    Must(engine_->CreateTable({.table_name = "things",
                               .attribute_definitions = {{"id", ScalarAttributeType::kString}},
                               .key_schema = {{"id", KeyType::kHash}},
                               .billing_mode = BillingMode::kPayPerRequest}));
    Must(engine_->UpdateContinuousBackups(
        {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
    environment_.clock.Advance(minutes(10));
    from = environment_.clock.Now();
    for (int number = 0; number < kItems; ++number) {
      Must(engine_->PutItem({.table_name = "things", .item = {{"id", std::to_string(number)}}}));
    }
    environment_.clock.Advance(minutes(20));
    to = environment_.clock.Now();
    const std::string arn = Must(engine_->ExportTableToPointInTime(
                                     {.table_arn = kArn,
                                      .s3_bucket = "bucket",
                                      .export_type = ExportType::kIncremental,
                                      .incremental_export_specification =
                                          IncrementalExportSpecification{.export_from_time = from,
                                                                         .export_to_time = to}}))
                                .export_description.export_arn;
    engine_->AwaitBackgroundJobs();
    made = Must(engine_->DescribeExport({.export_arn = arn})).export_description;
    bucket = Must(bulk::BucketFolder(directory_.path()).Open("bucket"));
  }

  std::string TextOf(const std::string& key) { return Must(bucket->Read(key, 0, 1 << 20)); }

  TimePoint from;
  TimePoint to;
  ExportDescription made;
  std::unique_ptr<bulk::Bucket> bucket;

 private:
  const storage::TemporaryDirectory directory_;
  SampleEnvironment environment_;
  std::unique_ptr<Engine> engine_;
};

std::string Quoted(const std::string& text) {
  return '"' + text + '"';
}

// The summary, as a file of the service of January 2026 has it.
std::string ExpectedSummary(const IncrementalExport& exported, const std::string& folder) {
  const ExportDescription& made = exported.made;
  return R"({"version":"2023-08-01","exportArn":)" + Quoted(made.export_arn) + R"(,"startTime":)" +
         Quoted(bulk::MillisecondText(made.start_time)) + R"(,"endTime":)" +
         Quoted(bulk::MillisecondText(*made.end_time)) + R"(,"tableArn":)" +
         Quoted(made.table_arn) + R"(,"tableId":)" + Quoted(made.table_id) +
         R"(,"exportFromTime":)" + Quoted(bulk::MillisecondText(exported.from)) +
         R"(,"exportToTime":)" + Quoted(bulk::MillisecondText(exported.to)) +
         R"(,"s3Bucket":"bucket","s3Prefix":null,"s3SseAlgorithm":"AES256",)"
         R"("s3SseKmsKeyId":null,"manifestFilesS3Key":)" +
         Quoted(folder + "/manifest-files.json") +
         R"(,"billedSizeBytes":10000000,"itemCount":20,"outputFormat":"DYNAMODB_JSON",)"
         R"("outputView":"NEW_AND_OLD_IMAGES","exportType":"INCREMENTAL_EXPORT"})";
}

// Looks at a data file by its line in the list; the lines in it.
std::vector<std::string> CheckDataFile(IncrementalExport& exported, const std::string& line,
                                       std::string& key) {
  const AttributeValue entry = Must(value::ValueFromPlainJson(line));
  key = *entry.If<Map>()->at("dataFileS3Key").If<std::string>();
  EXPECT_THAT(key, testing::MatchesRegex("AWSDynamoDB/data/[a-z2-7]{26}\\.json\\.gz"));
  const std::string packed = exported.TextOf(key);
  EXPECT_THAT(packed, testing::StartsWith(std::string("\x1f\x8b\x08\0\0\0\0\0", 8)))
      << "the time of the file is not told";
  std::vector<std::string> records;
  bulk::LineSplitter splitter([&](std::string_view record) {
    records.emplace_back(record);
    return Result<void>();
  });
  Must(bulk::UnpackObject(*exported.bucket, key, bulk::Packing::kGzip,
                          [&](std::string_view bytes) { return splitter.Add(bytes); }));
  const std::string md5 = base::Md5(packed);
  EXPECT_EQ(line, R"({"itemCount":)" + std::to_string(records.size()) + R"(,"md5Checksum":)" +
                      Quoted(base::EncodeBase64(md5)) + R"(,"etag":)" +
                      Quoted(base::HexOf(base::Md5(md5)) + "-1") + R"(,"dataFileS3Key":)" +
                      Quoted(key) + "}");
  return records;
}

TEST(ExportLayout, OfAnIncrementalExportIsThatOfTheService) {
  IncrementalExport exported;
  const ExportDescription& made = exported.made;
  ASSERT_EQ(made.export_status, ExportStatus::kCompleted) << made.failure_message.value_or("");
  const std::string& manifest = *made.export_manifest;
  const std::string folder = manifest.substr(0, manifest.rfind('/'));
  EXPECT_EQ(folder, "AWSDynamoDB/" + made.export_arn.substr(made.export_arn.rfind('/') + 1));
  std::vector<std::string> keys = {folder + "/_started", folder + "/manifest-files.json",
                                   folder + "/manifest-files.md5", manifest,
                                   folder + "/manifest-summary.md5"};
  const std::string list = exported.TextOf(folder + "/manifest-files.json");
  ASSERT_TRUE(list.ends_with("}\n"));
  std::vector<std::string> records;
  for (std::size_t at = 0; at < list.size(); at = list.find('\n', at) + 1) {
    std::string key;
    for (std::string& record :
         CheckDataFile(exported, list.substr(at, list.find('\n', at) - at), key)) {
      records.push_back(std::move(record));
    }
    keys.push_back(std::move(key));
  }
  EXPECT_GE(keys.size(), 5U + 4U) << "the service has four files of a new table";
  EXPECT_EQ(records.size(), std::size_t{kItems});
  EXPECT_THAT(records, testing::Each(testing::MatchesRegex(
                           "\\{\"Metadata\":\\{\"WriteTimestampMicros\":\\{\"N\":\"[0-9]+\"\\}\\},"
                           "\"Keys\":\\{\"id\":\\{\"S\":\"[0-9]+\"\\}\\},"
                           "\"NewImage\":\\{\"id\":\\{\"S\":\"[0-9]+\"\\}\\}\\}")));
  std::vector<std::string> found;
  for (const bulk::Object& object : Must(exported.bucket->List("", 100))) {
    found.push_back(object.key);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(keys));
  EXPECT_EQ(exported.TextOf(folder + "/_started"), "");
  const std::string summary = exported.TextOf(manifest);
  EXPECT_EQ(summary, ExpectedSummary(exported, folder));
  EXPECT_EQ(exported.TextOf(folder + "/manifest-summary.md5"),
            base::EncodeBase64(base::Md5(summary)));
  EXPECT_EQ(exported.TextOf(folder + "/manifest-files.md5"), base::EncodeBase64(base::Md5(list)));
}

}  // namespace
}  // namespace stator::engine
