// Exports in the service's layout, written, read again, and damaged.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/base64.h"
#include "base/digest.h"
#include "bulk/packing.h"
#include "copy/copied_tables.h"
#include "copy/table_export.h"
#include "value/plain_json.h"

namespace stator::copy {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ExportTest : public CopiedTables {
 protected:
  void SetUp() override {
    char name[] = "/tmp/stator_export_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void MakeTables(int items) {
    MakeTable(*old_home_, "old", "id", "number");
    MakeTable(*new_home_, "new", "id", "number");
    for (int number = 0; number < items; ++number) {
      Put(*old_home_, "old",
          {{"id", std::to_string(number % 7)},
           {"number", number},
           {"words", StringSet{"a", "b\n\""}},
           {"bytes", Binary{std::string("\0\xFF", 2)}},
           {"deep", List{1, Map{{"x", Null{}}}}}});
    }
  }
  std::string Export() {
    const Result<std::string> written = WriteExport(Look(*old_home_, "old"), folder_);
    EXPECT_TRUE(written.has_value()) << written.error().message;
    return written.value_or("");
  }
  std::string FailureOf(const std::string& directory) {
    const Result<TableExport> read = ReadExport(directory);
    if (!read) {
      return read.error().message;
    }
    const Result<ImportCounts> imported = ImportExport(*read, Look(*new_home_, "new"));
    return imported ? "" : imported.error().message;
  }

  static std::string PathOf(const std::string& directory, const ListedFile& file) {
    return std::filesystem::path(directory).parent_path() / file.key;
  }
  static std::string TextOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static void WriteWithSum(const std::string& path, const std::string& text) {
    Write(path + ".json", text);
    Write(path + ".md5", base::EncodeBase64(base::Md5(text)));
  }

  std::string folder_;
};

TEST_F(ExportTest, EveryItemComesBack) {
  MakeTables(500);
  const std::string directory = Export();
  const Result<TableExport> read = ReadExport(directory);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->items, 500U);
  EXPECT_FALSE(read->incremental);
  EXPECT_EQ(read->files.size(), 4U);
  const Result<ImportCounts> imported = ImportExport(*read, Look(*new_home_, "new"));
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(imported->put, 500U);
  ExpectSame(Look(*old_home_, "old"), Look(*new_home_, "new"), 500);
}

TEST_F(ExportTest, HasTheLayoutOfTheService) {
  MakeTables(3);
  const std::string directory = Export();
  EXPECT_THAT(directory, StartsWith(folder_ + "/AWSDynamoDB/0"));
  EXPECT_EQ(TextOf(directory + "/_started"), "");
  const std::string summary = TextOf(directory + "/manifest-summary.json");
  // One line, members in the order of the service's own.
  EXPECT_THAT(summary, StartsWith(R"({"version":"2020-06-30","exportArn":"arn:aws:dynamodb:)"));
  std::size_t at = 0;
  for (const char* member :
       {"version", "exportArn", "startTime", "endTime", "tableArn", "tableId", "exportTime",
        "s3Bucket", "s3Prefix", "s3SseAlgorithm", "s3SseKmsKeyId", "manifestFilesS3Key",
        "billedSizeBytes", "itemCount", "outputFormat"}) {
    const std::size_t next = summary.find("\"" + std::string(member) + "\":");
    ASSERT_NE(next, std::string::npos) << member;
    EXPECT_GE(next, at) << member;
    at = next;
  }
  EXPECT_EQ(summary.find('\n'), std::string::npos);
  EXPECT_EQ(TextOf(directory + "/manifest-summary.md5").size(), 24U);
  const std::string list = TextOf(directory + "/manifest-files.json");
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 4);
  // The first data file, as S3 would name and sum it up.
  const auto entry = value::ValueFromPlainJson(list.substr(0, list.find('\n'))).value();
  const Map& members = *entry.If<Map>();
  const std::string key = *members.at("dataFileS3Key").If<std::string>();
  const std::string bytes = TextOf(folder_ + "/" + key);
  const std::string md5 = base::Md5(bytes);
  EXPECT_EQ(*members.at("md5Checksum").If<std::string>(), base::EncodeBase64(md5));
  EXPECT_THAT(*members.at("etag").If<std::string>(), testing::EndsWith("-1"));
  EXPECT_EQ(static_cast<unsigned char>(bytes[9]), 255) << "the system is not told";
  EXPECT_EQ(bytes.substr(4, 4), std::string(4, '\0')) << "nor the time";
}

TEST_F(ExportTest, AnEmptyFileIsThatOfTheService) {
  MakeTables(0);
  const std::string directory = Export();
  const auto read = ReadExport(directory);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(TextOf(PathOf(directory, read->files[0])).size(), 20U);
  EXPECT_EQ(FailureOf(directory), "");
}

// Texts as the service writes them.
TEST_F(ExportTest, ChangesOfAnIncrementalOneAreApplied) {
  MakeTables(0);
  Put(*new_home_, "new", {{"id", "gone"}, {"number", 1}});
  Put(*new_home_, "new", {{"id", "changed"}, {"number", 1}, {"v", 1}});
  const std::string directory = folder_ + "/AWSDynamoDB/01768387800000-0a1b2c3d";
  std::filesystem::create_directories(directory);
  std::filesystem::create_directories(folder_ + "/AWSDynamoDB/data");
  const std::string data = folder_ + "/AWSDynamoDB/data/u2wov2dg246wzitouzsnk6jbd4.json.gz";
  bulk::GzipBuffer writer;
  const std::string metadata =
      R"({"Metadata":{"WriteTimestampMicros":{"N":"1768387654353205"}},"Keys":)";
  writer.Add(metadata + R"({"id":{"S":"gone"},"number":{"N":"1"}},"OldImage":)"
                        R"({"id":{"S":"gone"},"number":{"N":"1"}}})"
                        "\n");
  writer.Add(metadata + R"({"id":{"S":"changed"},"number":{"N":"1"}},"OldImage":)"
                        R"({"id":{"S":"changed"},"number":{"N":"1"},"v":{"N":"1"}},)"
                        R"("NewImage":{"id":{"S":"changed"},"number":{"N":"1"},)"
                        R"("v":{"N":"2"}}})"
                        "\n");
  const std::string packed = writer.Finish();
  Write(data, packed);
  const std::string md5 = base::EncodeBase64(base::Md5(packed));
  WriteWithSum(directory + "/manifest-files",
               R"({"itemCount":2,"md5Checksum":")" + md5 +
                   R"(","etag":"x-1","dataFileS3Key":"p/AWSDynamoDB/data/)"
                   "u2wov2dg246wzitouzsnk6jbd4.json.gz\"}\n");
  WriteWithSum(directory + "/manifest-summary",
               R"({"version":"2023-08-01","tableArn":"arn:aws:dynamodb:eu-central-1:1:table/old",)"
               R"("itemCount":2,"outputFormat":"DYNAMODB_JSON","outputView":"NEW_AND_OLD_IMAGES",)"
               R"("exportType":"INCREMENTAL_EXPORT"})");
  const auto read = ReadExport(directory);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const auto imported = ImportExport(*read, Look(*new_home_, "new"));
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ(imported->put, 1U);
  EXPECT_EQ(imported->deleted, 1U);
  const auto left = new_home_->Scan({.table_name = "new"}).value();
  ASSERT_EQ(left.items->size(), 1U);
  EXPECT_EQ(left.items->at(0).at("v"), AttributeValue(2));
}

TEST_F(ExportTest, WhatIsMissingOrDamagedIsNamed) {
  MakeTables(50);
  EXPECT_THAT(FailureOf(folder_), HasSubstr("there is no manifest-summary.json"));
  const std::string directory = Export();
  const std::string path = PathOf(directory, ReadExport(directory).value().files[1]);
  const std::string bytes = TextOf(path);
  Write(path, bytes.substr(0, bytes.size() - 9));
  EXPECT_THAT(FailureOf(directory),
              HasSubstr(std::filesystem::path(path).filename().string() + ": "));
  std::string changed = bytes;
  changed[changed.size() - 6] ^= 1;  // within the checksum of gzip
  Write(path, changed);
  EXPECT_THAT(FailureOf(directory), HasSubstr("damaged"));
  // Another good file in its place.
  bulk::GzipBuffer other;
  other.Add("{\"Item\":{\"id\":{\"S\":\"x\"},\"number\":{\"N\":\"1\"}}}\n");
  Write(path, other.Finish());
  EXPECT_THAT(FailureOf(directory), HasSubstr("is not the file that the export lists"));
  std::filesystem::remove(path);
  EXPECT_THAT(FailureOf(directory), HasSubstr("fetch it, too"));
  Write(directory + "/manifest-files.json", "{}\n");
  EXPECT_THAT(FailureOf(directory), HasSubstr("does not have the checksum"));
}

TEST_F(ExportTest, AnItemWithoutTheKeysOfTheTableIsRefused) {
  MakeTables(1);
  MakeTable(*new_home_, "other", "owner");
  const auto read = ReadExport(Export());
  const auto imported = ImportExport(*read, Look(*new_home_, "other"));
  ASSERT_FALSE(imported.has_value());
  EXPECT_THAT(imported.error().message, HasSubstr("owner"));
}

}  // namespace
}  // namespace stator::copy
