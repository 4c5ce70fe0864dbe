#include "stator/api/imports.h"

#include "wire/enum_names.h"
#include "wire/messages.h"
#include "wire/shape.h"
#include "wire/table_shapes.h"

namespace stator::wire {

template <>
struct Shape<S3BucketSource> {
  static constexpr std::string_view kName = "S3BucketSource";
  static void Visit(auto& visit, auto& source) {
    visit.Optional("S3BucketOwner", source.s3_bucket_owner);
    visit.Required("S3Bucket", source.s3_bucket);
    visit.Optional("S3KeyPrefix", source.s3_key_prefix);
  }
};

template <>
struct Shape<CsvOptions> {
  static constexpr std::string_view kName = "CsvOptions";
  static void Visit(auto& visit, auto& options) {
    visit.Optional("Delimiter", options.delimiter);
    visit.Optional("HeaderList", options.header_list);
  }
};

template <>
struct Shape<InputFormatOptions> {
  static constexpr std::string_view kName = "InputFormatOptions";
  static void Visit(auto& visit, auto& options) { visit.Optional("Csv", options.csv); }
};

template <>
struct Shape<TableCreationParameters> {
  static constexpr std::string_view kName = "TableCreationParameters";
  static void Visit(auto& visit, auto& parameters) {
    visit.Required("TableName", parameters.table_name);
    visit.Required("AttributeDefinitions", parameters.attribute_definitions);
    visit.Required("KeySchema", parameters.key_schema);
    visit.Optional("BillingMode", parameters.billing_mode);
    visit.Optional("ProvisionedThroughput", parameters.provisioned_throughput);
    visit.Optional("OnDemandThroughput", parameters.on_demand_throughput);
    visit.Optional("SSESpecification", parameters.sse_specification);
    visit.Optional("GlobalSecondaryIndexes", parameters.global_secondary_indexes);
    visit.Unsupported("VectorIndexes");
  }
};

template <>
struct Shape<ImportTableInput> {
  static constexpr std::string_view kName = "ImportTableInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("ClientToken", input.client_token);
    visit.Required("S3BucketSource", input.s3_bucket_source);
    visit.Required("InputFormat", input.input_format);
    visit.Optional("InputFormatOptions", input.input_format_options);
    visit.Optional("InputCompressionType", input.input_compression_type);
    visit.Required("TableCreationParameters", input.table_creation_parameters);
  }
};

template <>
struct Shape<ImportTableDescription> {
  static constexpr std::string_view kName = "ImportTableDescription";
  static void Visit(auto& visit, auto& description) {
    visit.Required("ImportArn", description.import_arn);
    visit.Required("ImportStatus", description.import_status);
    visit.Required("TableArn", description.table_arn);
    visit.Required("TableId", description.table_id);
    visit.Optional("ClientToken", description.client_token);
    visit.Required("S3BucketSource", description.s3_bucket_source);
    visit.Required("ErrorCount", description.error_count);
    visit.Required("CloudWatchLogGroupArn", description.cloud_watch_log_group_arn);
    visit.Required("InputFormat", description.input_format);
    visit.Optional("InputFormatOptions", description.input_format_options);
    visit.Required("InputCompressionType", description.input_compression_type);
    visit.Required("TableCreationParameters", description.table_creation_parameters);
    visit.Required("StartTime", description.start_time);
    visit.Optional("EndTime", description.end_time);
    visit.Required("ProcessedSizeBytes", description.processed_size_bytes);
    visit.Required("ProcessedItemCount", description.processed_item_count);
    visit.Required("ImportedItemCount", description.imported_item_count);
    visit.Optional("FailureCode", description.failure_code);
    visit.Optional("FailureMessage", description.failure_message);
  }
};

template <>
struct Shape<ImportTableOutput> {
  static constexpr std::string_view kName = "ImportTableOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ImportTableDescription", output.import_table_description);
  }
};

template <>
struct Shape<DescribeImportInput> {
  static constexpr std::string_view kName = "DescribeImportInput";
  static void Visit(auto& visit, auto& input) { visit.Required("ImportArn", input.import_arn); }
};

template <>
struct Shape<DescribeImportOutput> {
  static constexpr std::string_view kName = "DescribeImportOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ImportTableDescription", output.import_table_description);
  }
};

template <>
struct Shape<ImportSummary> {
  static constexpr std::string_view kName = "ImportSummary";
  static void Visit(auto& visit, auto& summary) {
    visit.Required("ImportArn", summary.import_arn);
    visit.Required("ImportStatus", summary.import_status);
    visit.Required("TableArn", summary.table_arn);
    visit.Required("S3BucketSource", summary.s3_bucket_source);
    visit.Required("CloudWatchLogGroupArn", summary.cloud_watch_log_group_arn);
    visit.Required("InputFormat", summary.input_format);
    visit.Required("StartTime", summary.start_time);
    visit.Optional("EndTime", summary.end_time);
  }
};

template <>
struct Shape<ListImportsInput> {
  static constexpr std::string_view kName = "ListImportsInput";
  static void Visit(auto& visit, auto& input) {
    visit.Optional("TableArn", input.table_arn);
    visit.Optional("PageSize", input.page_size);
    visit.Optional("NextToken", input.next_token);
  }
};

template <>
struct Shape<ListImportsOutput> {
  static constexpr std::string_view kName = "ListImportsOutput";
  static void Visit(auto& visit, auto& output) {
    visit.Required("ImportSummaryList", output.import_summary_list);
    visit.Optional("NextToken", output.next_token);
  }
};

template struct Body<ImportTableInput>;
template struct Body<ImportTableOutput>;
template struct Body<DescribeImportInput>;
template struct Body<DescribeImportOutput>;
template struct Body<ListImportsInput>;
template struct Body<ListImportsOutput>;

}  // namespace stator::wire
