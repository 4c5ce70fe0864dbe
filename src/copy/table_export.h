// Exports of tables, as Amazon DynamoDB lays them out in a bucket (bulk/export_files.h), of and for any
// home.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bulk/bucket.h"
#include "copy/side.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::copy {

struct ListedFile {
  std::string key;
  std::string md5;  // 16 bytes
  std::uint64_t items = 0;
};

struct TableExport {
  std::shared_ptr<bulk::Bucket> bucket;
  std::string table_arn;
  bool incremental = false;
  std::uint64_t items = 0;
  std::vector<ListedFile> files;
};

// Reads the two lists in the folder of a bucket that has a manifest-summary.json, checks their checksums
// and that every file is there. Fails, and says what is missing or damaged and what to do.
Result<TableExport> ReadExport(std::shared_ptr<bulk::Bucket> bucket, const std::string& folder);
// The same in a directory; files of an incremental export may be in the folder data beside it.
Result<TableExport> ReadExport(const std::string& directory);

struct ImportCounts {
  std::uint64_t put = 0;
  std::uint64_t deleted = 0;
};

// Writes what the export has into the table: items of a full one, changes of an incremental one. Checks
// each file's checksum and number of items. What is imported twice is the same as once.
Result<ImportCounts> ImportExport(const TableExport& from, const Side& to,
                                  const std::function<void(const ListedFile&)>& on_file = {});

struct ExportOptions {
  // The table at this moment; nothing: now, and what is written meanwhile is in it or not.
  std::optional<TimePoint> as_of = std::nullopt;
  Clock* clock = &SystemClock();
  Random* random = &SystemRandom();
};

// Writes a full export below `directory`, and returns the directory of its summary, which is the last
// file to be written.
Result<std::string> WriteExport(const Side& from, const std::string& directory,
                                const ExportOptions& options = {});

}  // namespace stator::copy
