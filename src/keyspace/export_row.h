// An export as a row, stored as an item: what was asked for, how far it has come, how it ended. Each data
// file that is in the bucket has a row of its own until the export has ended. docs/format.md, "Exports",
// names the attributes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stator/api/exports.h"
#include "stator/base/result.h"

namespace stator::keyspace {

struct ExportRow {
  ExportDescription description;
  std::string request;  // a digest of what was asked for, to tell repetitions from conflicts
  std::uint32_t table = 0;
  std::string partition;  // names of the table's key attributes
  std::optional<std::string> sort = std::nullopt;
  std::uint64_t time = 0;  // the commit time of the moment, or of the last one of the period
  std::optional<std::uint64_t> before = std::nullopt;  // of the one before the period

  // Progress; of no meaning once it has ended.
  std::string next;  // of the table's item keys, the first that is not in a file; empty: begin
  std::uint32_t files = 0;  // how many are in the bucket
  std::string name;         // of the next one
  std::int64_t items = 0;
  std::int64_t bytes = 0;  // of their lines
};

void AppendExportRow(const ExportRow& row, std::string& bytes);
Result<ExportRow> DecodeExportRow(std::string_view bytes);

struct ExportFileRow {
  std::string key;
  std::string md5;  // 16 bytes
  std::string etag;
  std::uint64_t items = 0;
};

void AppendExportFileRow(const ExportFileRow& row, std::string& bytes);
Result<ExportFileRow> DecodeExportFileRow(std::string_view bytes);

}  // namespace stator::keyspace
