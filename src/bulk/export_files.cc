#include "bulk/export_files.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/try.h"
#include "value/dynamodb_json.h"
#include "value/json_text.h"

namespace stator::bulk {
namespace {

constexpr std::string_view kFolder = "AWSDynamoDB";
constexpr std::string_view kFullVersion = "2020-06-30";
constexpr std::string_view kIncrementalVersion = "2023-08-01";
constexpr std::size_t kLinesAtOnce = std::size_t{64} * 1024;

// One object, members in the order of their calls.
class Members {
 public:
  Members& Text(std::string_view name, std::string_view text) {
    Name(name);
    value::AppendJsonString(text, json_);
    return *this;
  }
  Members& TextOrNull(std::string_view name, const std::optional<std::string>& text) {
    if (text) {
      return Text(name, *text);
    }
    Name(name);
    json_ += "null";
    return *this;
  }
  Members& Count(std::string_view name, std::uint64_t count) {
    Name(name);
    json_ += std::to_string(count);
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

void AppendImage(std::string_view name, const Item& image, std::string& line) {
  line.append(",\"").append(name).append("\":");
  value::AppendDynamoDbJson(image, line);
}

}  // namespace

std::string IdText(std::uint64_t milliseconds, std::uint32_t number) {
  std::array<char, 40> text;
  const int size = std::snprintf(text.data(), text.size(), "%014llu-%08x",
                                 static_cast<unsigned long long>(milliseconds), number);
  CHECK(size > 0 && static_cast<std::size_t>(size) < text.size());
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string MillisecondText(TimePoint time) {
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

std::string NewDataName(Random& random) {
  constexpr std::string_view kDigits = "abcdefghijklmnopqrstuvwxyz234567";
  std::string name;
  for (int digit = 0; digit < 26; ++digit) {
    name.push_back(kDigits[random.Below(kDigits.size())]);
  }
  return name;
}

std::string ExportPlace::Folder() const {
  std::string folder = prefix;
  if (!folder.empty() && !folder.ends_with('/')) {
    folder += '/';
  }
  return folder.append(kFolder).append("/").append(id);
}

std::string ExportPlace::Data(std::string_view name) const {
  std::string key = Folder();
  if (incremental) {
    key.resize(key.size() - id.size() - 1);
  }
  return key.append("/data/").append(name).append(".json.gz");
}

std::string ManifestLine(const ExportFile& file) {
  return Members()
             .Count("itemCount", file.items)
             .Text("md5Checksum", base::EncodeBase64(file.md5))
             .Text("etag", file.etag)
             .Text("dataFileS3Key", file.key)
             .Json() +
         "\n";
}

std::string SummaryText(const ExportSummary& summary) {
  Members object;
  object.Text("version", summary.from ? kIncrementalVersion : kFullVersion)
      .Text("exportArn", summary.export_arn)
      .Text("startTime", MillisecondText(summary.started))
      .Text("endTime", MillisecondText(summary.ended))
      .Text("tableArn", summary.table_arn)
      .Text("tableId", summary.table_id);
  if (summary.from) {
    object.Text("exportFromTime", MillisecondText(*summary.from))
        .Text("exportToTime", MillisecondText(summary.time));
  } else {
    object.Text("exportTime", MillisecondText(summary.time));
  }
  object.Text("s3Bucket", summary.bucket)
      .TextOrNull("s3Prefix", summary.prefix)
      .Text("s3SseAlgorithm", summary.encryption)
      .TextOrNull("s3SseKmsKeyId", summary.kms_key_id)
      .Text("manifestFilesS3Key", summary.files_key)
      .Count("billedSizeBytes", summary.billed_bytes)
      .Count("itemCount", summary.items)
      .Text("outputFormat", "DYNAMODB_JSON");
  if (summary.from) {
    object.Text("outputView", summary.view).Text("exportType", "INCREMENTAL_EXPORT");
  }
  return object.Json();
}

Result<void> PutManifest(Bucket& bucket, const std::string& key, std::string_view text) {
  TRY_VOID(bucket.Put(key, text));
  std::filesystem::path sum = key;
  TRY_VOID(bucket.Put(sum.replace_extension(".md5").string(), base::EncodeBase64(base::Md5(text))));
  return {};
}

void DataFile::AddItem(const Item& item) {
  lines_ += R"({"Item":)";
  value::AppendDynamoDbJson(item, lines_);
  lines_ += "}\n";
  Flush();
}

void DataFile::AddChange(const Change& change) {
  lines_ += R"({"Metadata":{"WriteTimestampMicros":{"N":")" + std::to_string(change.micros) +
            R"("}},"Keys":)";
  value::AppendDynamoDbJson(change.keys, lines_);
  if (change.before) {
    AppendImage("OldImage", *change.before, lines_);
  }
  if (change.after) {
    AppendImage("NewImage", *change.after, lines_);
  }
  lines_ += "}\n";
  Flush();
}

// After each line; most only wait for others.
void DataFile::Flush() {
  ++items_;
  if (lines_.size() >= kLinesAtOnce) {
    bytes_ += lines_.size();
    packed_.Add(std::exchange(lines_, {}));
  }
}

Result<ExportFile> DataFile::Put(Bucket& bucket, const std::string& key) {
  bytes_ += lines_.size();
  packed_.Add(lines_);
  const std::string bytes = packed_.Finish();
  std::string etag = TRY(bucket.Put(key, bytes));
  return ExportFile{.key = key, .md5 = base::Md5(bytes), .etag = std::move(etag), .items = items_};
}

}  // namespace stator::bulk
