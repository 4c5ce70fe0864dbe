// ExportTableToPointInTime, DescribeExport, ListExports: what a table was at a moment, or what changed in
// a period, as files in a bucket. The table has point-in-time recovery. An export is carried out in the
// background; its record is kept for 90 days.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"

namespace stator {

enum class ExportStatus : std::uint8_t { kInProgress, kCompleted, kFailed };
enum class ExportType : std::uint8_t { kFull, kIncremental };
enum class ExportFormat : std::uint8_t { kDynamoDbJson, kIon };
enum class ExportViewType : std::uint8_t { kNewImage, kNewAndOldImages };
enum class S3SseAlgorithm : std::uint8_t { kAes256, kKms };

// Changes from the one moment on and before the other, at least 15 minutes and at most 24 hours.
struct IncrementalExportSpecification {
  std::optional<TimePoint> export_from_time = std::nullopt;       // must be given
  std::optional<TimePoint> export_to_time = std::nullopt;         // nothing: now
  std::optional<ExportViewType> export_view_type = std::nullopt;  // nothing: both images

  friend bool operator==(const IncrementalExportSpecification&,
                         const IncrementalExportSpecification&) = default;
};

struct ExportTableToPointInTimeInput {
  std::string table_arn;
  std::string s3_bucket;
  std::optional<TimePoint> export_time = std::nullopt;  // nothing: now
  // With the same token, and the same of everything else, there is one export within eight hours.
  std::optional<std::string> client_token = std::nullopt;
  std::optional<std::string> s3_bucket_owner = std::nullopt;
  std::optional<std::string> s3_prefix = std::nullopt;
  std::optional<S3SseAlgorithm> s3_sse_algorithm = std::nullopt;
  std::optional<std::string> s3_sse_kms_key_id = std::nullopt;
  std::optional<ExportFormat> export_format = std::nullopt;  // DynamoDB JSON is what there is
  std::optional<ExportType> export_type = std::nullopt;      // nothing: full
  std::optional<IncrementalExportSpecification> incremental_export_specification = std::nullopt;
};

struct ExportDescription {
  std::string export_arn;
  ExportStatus export_status = ExportStatus::kInProgress;
  TimePoint start_time = {};
  std::optional<TimePoint> end_time = std::nullopt;
  std::optional<std::string> export_manifest = std::nullopt;  // the key of the summary
  std::string table_arn;
  std::string table_id;
  std::optional<TimePoint> export_time = std::nullopt;
  std::optional<std::string> client_token = std::nullopt;
  std::string s3_bucket;
  std::optional<std::string> s3_bucket_owner = std::nullopt;
  std::optional<std::string> s3_prefix = std::nullopt;
  std::optional<S3SseAlgorithm> s3_sse_algorithm = std::nullopt;
  std::optional<std::string> s3_sse_kms_key_id = std::nullopt;
  std::optional<std::string> failure_code = std::nullopt;
  std::optional<std::string> failure_message = std::nullopt;
  ExportFormat export_format = ExportFormat::kDynamoDbJson;
  std::optional<std::int64_t> billed_size_bytes = std::nullopt;
  std::optional<std::int64_t> item_count = std::nullopt;
  std::optional<ExportType> export_type = std::nullopt;  // of incremental ones
  std::optional<IncrementalExportSpecification> incremental_export_specification = std::nullopt;
};

struct ExportTableToPointInTimeOutput {
  ExportDescription export_description = {};
};

struct DescribeExportInput {
  std::string export_arn;
};
struct DescribeExportOutput {
  ExportDescription export_description = {};
};

struct ExportSummary {
  std::string export_arn;
  ExportStatus export_status = ExportStatus::kInProgress;
  ExportType export_type = ExportType::kFull;
};

// The newest first. Of a table: of the one that is there now.
struct ListExportsInput {
  std::optional<std::string> table_arn = std::nullopt;
  std::optional<std::int64_t> max_results = std::nullopt;  // 1 to 25; nothing: 10
  std::optional<std::string> next_token = std::nullopt;
};
struct ListExportsOutput {
  std::vector<ExportSummary> export_summaries = {};
  std::optional<std::string> next_token = std::nullopt;
};

}  // namespace stator
