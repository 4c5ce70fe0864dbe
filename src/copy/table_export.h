// Exports of tables, as Amazon DynamoDB lays them out in a bucket, in a directory: a summary, a list of the
// data files with their checksums, and the files, lines of DynamoDB JSON.
//
//   AWSDynamoDB/ID/manifest-summary.json, .md5
//   AWSDynamoDB/ID/manifest-files.json, .md5
//   AWSDynamoDB/ID/data/NAME.json.gz               of a full export
//   AWSDynamoDB/data/NAME.json.gz                  of an incremental one

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copy/side.h"
#include "stator/base/clock.h"
#include "stator/base/random.h"
#include "stator/base/result.h"

namespace stator::copy {

struct ExportFile {
  std::string path;
  std::string md5;  // 16 bytes
  std::uint64_t items = 0;
};

struct TableExport {
  std::string table_arn;
  bool incremental = false;
  std::uint64_t items = 0;
  std::vector<ExportFile> files;
};

// Reads the two lists in a directory that has a manifest-summary.json, checks their checksums and that
// every file is there. Fails, and says what is missing or damaged and what to do.
Result<TableExport> ReadExport(const std::string& directory);

struct ImportCounts {
  std::uint64_t put = 0;
  std::uint64_t deleted = 0;
};

// Writes what the export has into the table: items of a full one, changes of an incremental one. Checks
// each file's checksum and number of items. What is imported twice is the same as once.
Result<ImportCounts> ImportExport(const TableExport& from, const Side& to,
                                  const std::function<void(const ExportFile&)>& on_file = {});

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
