#include "bulk/export_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace stator::bulk {
namespace {

using testing::MatchesRegex;

constexpr TimePoint At(std::int64_t milliseconds) {
  return TimePoint(std::chrono::milliseconds(milliseconds));
}

// The texts are those of exports that the service made in January 2026.
TEST(ExportFiles, AFullSummaryIsThatOfTheService) {
  const ExportPlace place{.prefix = "", .id = IdText(1768385930622, 0xefd1a093)};
  EXPECT_EQ(SummaryText({.export_arn = "arn:e",
                         .started = At(1768385930622),
                         .ended = At(1768386200005),
                         .table_arn = "arn:t",
                         .table_id = "id",
                         .time = At(1768385930622),
                         .bucket = "b",
                         .files_key = place.Files(),
                         .items = 8}),
            R"({"version":"2020-06-30","exportArn":"arn:e","startTime":"2026-01-14T10:18:50.622Z",)"
            R"("endTime":"2026-01-14T10:23:20.005Z","tableArn":"arn:t","tableId":"id",)"
            R"("exportTime":"2026-01-14T10:18:50.622Z","s3Bucket":"b","s3Prefix":null,)"
            R"("s3SseAlgorithm":"AES256","s3SseKmsKeyId":null,"manifestFilesS3Key":)"
            R"("AWSDynamoDB/01768385930622-efd1a093/manifest-files.json","billedSizeBytes":0,)"
            R"("itemCount":8,"outputFormat":"DYNAMODB_JSON"})");
}

TEST(ExportFiles, AnIncrementalSummaryNamesItsPeriodAndView) {
  EXPECT_EQ(SummaryText({.export_arn = "arn:e",
                         .started = At(0),
                         .ended = At(1),
                         .table_arn = "arn:t",
                         .table_id = "id",
                         .time = At(3000),
                         .from = At(2000),
                         .view = "NEW_IMAGE",
                         .bucket = "b",
                         .prefix = "p",
                         .encryption = "KMS",
                         .kms_key_id = "k",
                         .files_key = "f",
                         .billed_bytes = 10'000'000}),
            R"({"version":"2023-08-01","exportArn":"arn:e","startTime":"1970-01-01T00:00:00.000Z",)"
            R"("endTime":"1970-01-01T00:00:00.001Z","tableArn":"arn:t","tableId":"id",)"
            R"("exportFromTime":"1970-01-01T00:00:02.000Z",)"
            R"("exportToTime":"1970-01-01T00:00:03.000Z","s3Bucket":"b","s3Prefix":"p",)"
            R"("s3SseAlgorithm":"KMS","s3SseKmsKeyId":"k","manifestFilesS3Key":"f",)"
            R"("billedSizeBytes":10000000,"itemCount":0,"outputFormat":"DYNAMODB_JSON",)"
            R"("outputView":"NEW_IMAGE","exportType":"INCREMENTAL_EXPORT"})");
}

TEST(ExportFiles, KeysKeepThePrefixAsItWasGiven) {
  EXPECT_EQ((ExportPlace{.prefix = "", .id = "i"}.Started()), "AWSDynamoDB/i/_started");
  EXPECT_EQ((ExportPlace{.prefix = "a/b", .id = "i"}.Summary()),
            "a/b/AWSDynamoDB/i/manifest-summary.json");
  EXPECT_EQ((ExportPlace{.prefix = "a/", .id = "i"}.Data("n")), "a/AWSDynamoDB/i/data/n.json.gz");
  EXPECT_EQ((ExportPlace{.prefix = "a", .id = "i", .incremental = true}.Data("n")),
            "a/AWSDynamoDB/data/n.json.gz");
}

TEST(ExportFiles, AListedFileIsALine) {
  EXPECT_EQ(ManifestLine({.key = "AWSDynamoDB/x",
                          .md5 = std::string("\xcb\xec\xe0\xe5\xf5\x5e\xb9\xd6\xf7\x47\x70\xce\x43"
                                             "\xe4\x4a\x80",
                                             16),
                          .etag = "b5443265c5e545b6c8d8275e0b6f8c15-1",
                          .items = 3}),
            R"({"itemCount":3,"md5Checksum":"y+zg5fVeudb3R3DOQ+RKgA==",)"
            R"("etag":"b5443265c5e545b6c8d8275e0b6f8c15-1","dataFileS3Key":"AWSDynamoDB/x"})"
            "\n");
}

TEST(ExportFiles, NamesOfDataFilesAreBase32) {
  SeededRandom random(1);
  const std::string name = NewDataName(random);
  EXPECT_THAT(name, MatchesRegex("[a-z2-7]{26}"));
  EXPECT_NE(name, NewDataName(random));
}

// Keeps what it is given.
class KeepingBucket final : public Bucket {
 public:
  Result<std::string> Put(const std::string& key, std::string_view bytes) override {
    keys.push_back(key);
    texts.emplace_back(bytes);
    return "tag";
  }
  Result<std::vector<Object>> List(const std::string& /*prefix*/, std::size_t /*max*/) override {
    return std::vector<Object>();
  }
  Result<std::string> Read(const std::string& /*key*/, std::uint64_t offset,
                           std::size_t bytes_max) override {
    return texts.at(0).substr(std::min<std::uint64_t>(offset, texts[0].size()), bytes_max);
  }
  std::vector<std::string> keys;
  std::vector<std::string> texts;
};

TEST(ExportFiles, ChangesAreWrittenInTheOrderOfTheService) {
  KeepingBucket bucket;
  DataFile file;
  file.AddChange({.keys = {{"id", "a"}},
                  .before = Item{{"id", "a"}, {"v", 1}},
                  .after = Item{{"id", "a"}, {"v", 2}},
                  .micros = 1768387654353205});
  file.AddChange({.keys = {{"id", "b"}}, .micros = 7});
  file.AddItem({{"id", "c"}});
  ASSERT_TRUE(file.Put(bucket, "k").has_value());
  std::string text;
  const auto md5 = UnpackObject(bucket, "k", Packing::kGzip, [&](std::string_view bytes) {
    text += bytes;
    return Result<void>();
  });
  ASSERT_TRUE(md5.has_value());
  EXPECT_EQ(text, R"({"Metadata":{"WriteTimestampMicros":{"N":"1768387654353205"}},"Keys":)"
                  R"({"id":{"S":"a"}},"OldImage":{"id":{"S":"a"},"v":{"N":"1"}},)"
                  R"("NewImage":{"id":{"S":"a"},"v":{"N":"2"}}})"
                  "\n"
                  R"({"Metadata":{"WriteTimestampMicros":{"N":"7"}},"Keys":{"id":{"S":"b"}}})"
                  "\n"
                  R"({"Item":{"id":{"S":"c"}}})"
                  "\n");
}

TEST(ExportFiles, AManifestHasItsChecksumBesideIt) {
  KeepingBucket bucket;
  ASSERT_TRUE(PutManifest(bucket, "a/manifest-files.json", "").has_value());
  EXPECT_EQ(bucket.keys,
            (std::vector<std::string>{"a/manifest-files.json", "a/manifest-files.md5"}));
  EXPECT_EQ(bucket.texts[1], "1B2M2Y8AsgTpgAmY7PhCfg==");
}

}  // namespace
}  // namespace stator::bulk
