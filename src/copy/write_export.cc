// The part of table_export.h that writes.

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/try.h"
#include "copy/gzip_file.h"
#include "copy/table_export.h"
#include "stator/patterns/retry.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::copy {
namespace {

// The service writes a file for each partition; a new on-demand table has four.
constexpr int kFiles = 4;
constexpr std::string_view kFolder = "AWSDynamoDB/";

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text.push_back(kDigits[value >> 4U]);
    text.push_back(kDigits[value & 15U]);
  }
  return text;
}

// 26 characters of base32 for 16 random bytes.
std::string RandomName(Random& random) {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
  std::string name;
  for (int digit = 0; digit < 26; ++digit) {
    name.push_back(kDigits[random.Below(kDigits.size())]);
  }
  return name;
}

// 2026-01-14T10:18:50.622Z
std::string TimeText(TimePoint time) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto days = std::chrono::floor<std::chrono::days>(milliseconds);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(milliseconds - days);
  std::array<char, 40> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02lld:%02lld:%02lld.%03lldZ",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<long long>(clock.hours().count()),
      static_cast<long long>(clock.minutes().count()),
      static_cast<long long>(clock.seconds().count()),
      static_cast<long long>(clock.subseconds().count()));
  CHECK(size > 0 && static_cast<std::size_t>(size) < text.size());
  return {text.data(), static_cast<std::size_t>(size)};
}

// 01768385930622-efd1a093
std::string NewId(const ExportOptions& options, TimePoint now) {
  std::array<char, 40> text;
  const auto milliseconds =
      std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
  const int size =
      std::snprintf(text.data(), text.size(), "%014lld-%08x", static_cast<long long>(milliseconds),
                    static_cast<unsigned>(options.random->Next() & 0xFFFFFFFFU));
  CHECK(size > 0 && static_cast<std::size_t>(size) < text.size());
  return {text.data(), static_cast<std::size_t>(size)};
}

Result<void> WriteText(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) {
    return Fail(ErrorCode::kIo, path.string() + " cannot be written");
  }
  return {};
}

Result<void> WriteChecked(const std::filesystem::path& path, std::string_view text) {
  TRY_VOID(WriteText(path, text));
  std::filesystem::path sum = path;
  return WriteText(sum.replace_extension(".md5"), base::EncodeBase64(base::Md5(text)));
}

// One object, members in the order of their calls.
class Object {
 public:
  Object& Text(std::string_view name, std::string_view text) {
    Name(name);
    value::AppendJsonString(text, json_);
    return *this;
  }
  Object& Count(std::string_view name, std::uint64_t count) {
    Name(name);
    json_ += std::to_string(count);
    return *this;
  }
  Object& Nothing(std::string_view name) {
    Name(name);
    json_ += "null";
    return *this;
  }
  [[nodiscard]] std::string Json() const { return json_ + "}"; }

 private:
  void Name(std::string_view name) {
    json_ += json_.size() == 1 ? "\"" : ",\"";
    json_.append(name).append("\":");
  }
  std::string json_ = "{";
};

struct Written {
  std::string key;
  std::string md5 = {};
  std::uint64_t items = 0;
};

Result<Written> WriteSegment(const Side& from, int segment, std::optional<TimePoint>& moment,
                             const std::string& directory, const std::string& key) {
  GzipWriter file = TRY(GzipWriter::Create(directory + "/" + key));
  Written written{.key = key};
  ScanInput input{.table_name = from.layout.table_name,
                  .segment = segment,
                  .total_segments = kFiles,
                  .consistent_read = true,
                  .as_of = moment};
  do {
    const ScanOutput page =
        TRY(patterns::RetryTransient(kPatience, {}, [&] { return from.database->Scan(input); }));
    // All pages of all files are of one moment.
    moment = page.as_of;
    input.as_of = page.as_of;
    std::string lines;
    for (const Item& item : page.items.value_or(std::vector<Item>())) {
      lines += R"({"Item":)";
      value::AppendDynamoDbJson(item, lines);
      lines += "}\n";
      ++written.items;
    }
    TRY_VOID(file.Write(lines));
    input.exclusive_start_key = page.last_evaluated_key;
  } while (input.exclusive_start_key);
  written.md5 = TRY(file.Finish());
  return written;
}

}  // namespace

Result<std::string> WriteExport(const Side& from, const std::string& directory,
                                const ExportOptions& options) {
  const TimePoint begun = options.clock->Now();
  const std::string id = NewId(options, begun);
  const std::string folder = std::string(kFolder) + id;
  const std::filesystem::path root = std::filesystem::path(directory) / folder;
  std::error_code failed;
  std::filesystem::create_directories(root / "data", failed);
  if (failed) {
    return Fail(ErrorCode::kIo, root.string() + " cannot be made: " + failed.message());
  }
  TRY_VOID(WriteText(root / "_started", ""));
  std::optional<TimePoint> moment = options.as_of;
  std::string list;
  std::uint64_t items = 0;
  for (int segment = 0; segment < kFiles; ++segment) {
    const std::string key = folder + "/data/" + RandomName(*options.random) + ".json.gz";
    const Written file = TRY(WriteSegment(from, segment, moment, directory, key));
    items += file.items;
    list += Object()
                .Count("itemCount", file.items)
                .Text("md5Checksum", base::EncodeBase64(file.md5))
                .Text("etag", Hex(base::Md5(file.md5)) + "-1")
                .Text("dataFileS3Key", file.key)
                .Json() +
            "\n";
  }
  TRY_VOID(WriteChecked(root / "manifest-files.json", list));
  const std::string summary =
      Object()
          .Text("version", "2020-06-30")
          .Text("exportArn", from.table.table_arn + "/export/" + id)
          .Text("startTime", TimeText(begun))
          .Text("endTime", TimeText(options.clock->Now()))
          .Text("tableArn", from.table.table_arn)
          .Text("tableId", from.table.table_id)
          .Text("exportTime", TimeText(moment.value_or(begun)))
          .Text("s3Bucket", std::filesystem::path(directory).filename().string())
          .Nothing("s3Prefix")
          .Text("s3SseAlgorithm", "AES256")
          .Nothing("s3SseKmsKeyId")
          .Text("manifestFilesS3Key", folder + "/manifest-files.json")
          .Count("billedSizeBytes", 0)
          .Count("itemCount", items)
          .Text("outputFormat", "DYNAMODB_JSON")
          .Json();
  TRY_VOID(WriteChecked(root / "manifest-summary.json", summary));
  return root.string();
}

}  // namespace stator::copy
