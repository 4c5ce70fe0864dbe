// The files of an export, as Amazon DynamoDB lays them out in a bucket: a summary, a list of the data
// files with their checksums, and the files, compressed lines of DynamoDB JSON.
//
//   PREFIX/AWSDynamoDB/ID/_started                        empty, and first
//   PREFIX/AWSDynamoDB/ID/data/NAME.json.gz               of a full export
//   PREFIX/AWSDynamoDB/data/NAME.json.gz                  of an incremental one
//   PREFIX/AWSDynamoDB/ID/manifest-files.json, .md5
//   PREFIX/AWSDynamoDB/ID/manifest-summary.json, .md5     last
//
// What is written of a table, and when, is the caller's: the engine exports what is on its disk, and
// `stator export` (copy/table_export.h) what any home answers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bulk/bucket.h"
#include "bulk/packing.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::bulk {

// The service writes a file for each partition; a new on-demand table has four.
inline constexpr int kExportSegments = 4;
// Lines of a data file; a segment of more has several.
inline constexpr std::size_t kDataFileBytes = std::size_t{32} << 20;

// 01768385930622-efd1a093: what exports, imports and backups are called.
std::string IdText(std::uint64_t milliseconds, std::uint32_t number);
// 2026-01-14T10:18:50.622Z
std::string MillisecondText(TimePoint time);
// 26 characters of base32, as 16 random bytes have.
std::string NewDataName(Random& random);

// Keys of an export's files.
struct ExportPlace {
  std::string prefix;  // empty: none
  std::string id;
  bool incremental = false;

  [[nodiscard]] std::string Started() const { return Folder() + "/_started"; }
  [[nodiscard]] std::string Files() const { return Folder() + "/manifest-files.json"; }
  [[nodiscard]] std::string Summary() const { return Folder() + "/manifest-summary.json"; }
  [[nodiscard]] std::string Data(std::string_view name) const;

 private:
  [[nodiscard]] std::string Folder() const;
};

struct ExportFile {
  std::string key;
  std::string md5;  // 16 bytes, of what is in the bucket
  std::string etag;
  std::uint64_t items = 0;
};

// The line of a file in manifest-files.json.
std::string ManifestLine(const ExportFile& file);

struct ExportSummary {
  std::string export_arn;
  TimePoint started;
  TimePoint ended;
  std::string table_arn;
  std::string table_id;
  TimePoint time;                                // of a full one; the end of an incremental one
  std::optional<TimePoint> from = std::nullopt;  // of an incremental one
  std::string view = {};                         // of an incremental one, NEW_IMAGE
  std::string bucket;
  std::optional<std::string> prefix = std::nullopt;
  std::string encryption = "AES256";
  std::optional<std::string> kms_key_id = std::nullopt;
  std::string files_key;
  std::uint64_t billed_bytes = 0;
  std::uint64_t items = 0;
};

// manifest-summary.json.
std::string SummaryText(const ExportSummary& summary);

// Writes a manifest, and its checksum beside it.
Result<void> PutManifest(Bucket& bucket, const std::string& key, std::string_view text);

// A data file while its lines are being written.
class DataFile {
 public:
  void AddItem(const Item& item);

  struct Change {
    Item keys = {};
    std::optional<Item> before = std::nullopt;  // written when it is there
    std::optional<Item> after = std::nullopt;
    std::uint64_t micros = 0;  // of its last write
  };
  void AddChange(const Change& change);

  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool IsFull() const { return bytes_ >= kDataFileBytes; }

  // To be called once, and last.
  Result<ExportFile> Put(Bucket& bucket, const std::string& key);

 private:
  void Flush();

  GzipBuffer packed_;
  std::string lines_;
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace stator::bulk
