#include "stator/api/exports.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<IncrementalExportSpecification> {
  static constexpr std::string_view kName = "IncrementalExportSpecification";
  static void Visit(auto& visit, auto& specification) {
    visit.Optional("ExportFromTime", specification.export_from_time);
    visit.Optional("ExportToTime", specification.export_to_time);
    visit.Optional("ExportViewType", specification.export_view_type);
  }
};

template <>
struct Shape<ExportTableToPointInTimeInput> {
  static constexpr std::string_view kName = "ExportTableToPointInTimeInput";
  static void Visit(auto& visit, auto& input) {
    visit.Required("TableArn", input.table_arn);
    visit.Optional("ExportTime", input.export_time);
    visit.Optional("ClientToken", input.client_token);
    visit.Required("S3Bucket", input.s3_bucket);
    visit.Optional("S3BucketOwner", input.s3_bucket_owner);
    visit.Optional("S3Prefix", input.s3_prefix);
    visit.Optional("S3SseAlgorithm", input.s3_sse_algorithm);
    visit.Optional("S3SseKmsKeyId", input.s3_sse_kms_key_id);
    visit.Optional("ExportFormat", input.export_format);
    visit.Optional("ExportType", input.export_type);
    visit.Optional("IncrementalExportSpecification", input.incremental_export_specification);
  }
};

template <>
struct Shape<ExportDescription> {
  static constexpr std::string_view kName = "ExportDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Required("ExportArn", description.export_arn);
    visit.Required("ExportStatus", description.export_status);
    visit.Required("StartTime", description.start_time);
    visit.Optional("EndTime", description.end_time);
    visit.Optional("ExportManifest", description.export_manifest);
    visit.Required("TableArn", description.table_arn);
    visit.Required("TableId", description.table_id);
    visit.Optional("ExportTime", description.export_time);
    visit.Optional("ClientToken", description.client_token);
    visit.Required("S3Bucket", description.s3_bucket);
    visit.Optional("S3BucketOwner", description.s3_bucket_owner);
    visit.Optional("S3Prefix", description.s3_prefix);
    visit.Optional("S3SseAlgorithm", description.s3_sse_algorithm);
    visit.Optional("S3SseKmsKeyId", description.s3_sse_kms_key_id);
    visit.Optional("FailureCode", description.failure_code);
    visit.Optional("FailureMessage", description.failure_message);
    visit.Required("ExportFormat", description.export_format);
    visit.Optional("BilledSizeBytes", description.billed_size_bytes);
    visit.Optional("ItemCount", description.item_count);
    visit.Optional("ExportType", description.export_type);
    visit.Optional("IncrementalExportSpecification", description.incremental_export_specification);
  }
};

template <>
struct Shape<ExportTableToPointInTimeOutput> {
  static constexpr std::string_view kName = "ExportTableToPointInTimeOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ExportDescription", output.export_description);
  }
};

template <>
struct Shape<DescribeExportInput> {
  static constexpr std::string_view kName = "DescribeExportInput";
  static void Visit(auto& visit, auto& input) { visit.Required("ExportArn", input.export_arn); }
};

template <>
struct Shape<DescribeExportOutput> {
  static constexpr std::string_view kName = "DescribeExportOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ExportDescription", output.export_description);
  }
};

template <>
struct Shape<ExportSummary> {
  static constexpr std::string_view kName = "ExportSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("ExportArn", summary.export_arn);
    visit.Required("ExportStatus", summary.export_status);
    visit.Required("ExportType", summary.export_type);
  }
};

template <>
struct Shape<ListExportsInput> {
  static constexpr std::string_view kName = "ListExportsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("TableArn", input.table_arn);
    visit.Optional("MaxResults", input.max_results);
    visit.Optional("NextToken", input.next_token);
  }
};

template <>
struct Shape<ListExportsOutput> {
  static constexpr std::string_view kName = "ListExportsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ExportSummaries", output.export_summaries);
    visit.Optional("NextToken", output.next_token);
  }
};

template struct Body<ExportTableToPointInTimeInput>;
template struct Body<ExportTableToPointInTimeOutput>;
template struct Body<DescribeExportInput>;
template struct Body<DescribeExportOutput>;
template struct Body<ListExportsInput>;
template struct Body<ListExportsOutput>;

}  // namespace stator::wire
