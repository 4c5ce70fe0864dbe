// ImportTable, DescribeImport, ListImports: a new table that is filled from files in a bucket. The table
// is CREATING until all of them were read. What of them is no item is counted and told in the log; then
// the import is FAILED, and the table has the others.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/api/table_types.h"
#include "stator/base/clock.h"

namespace stator {

enum class ImportStatus : std::uint8_t {
  kInProgress,
  kCompleted,
  kCancelling,
  kCancelled,
  kFailed
};
enum class InputFormat : std::uint8_t { kDynamoDbJson, kIon, kCsv };
enum class InputCompressionType : std::uint8_t { kGzip, kZstd, kNone };

// Every object whose key begins with the prefix.
struct S3BucketSource {
  std::string s3_bucket;
  std::optional<std::string> s3_bucket_owner = std::nullopt;
  std::optional<std::string> s3_key_prefix = std::nullopt;

  friend bool operator==(const S3BucketSource&, const S3BucketSource&) = default;
};

struct CsvOptions {
  std::optional<std::string> delimiter = std::nullopt;  // one of ,;:| tab blank; nothing: a comma
  // Names of the columns; nothing: the first line of each file has them.
  std::optional<std::vector<std::string>> header_list = std::nullopt;

  friend bool operator==(const CsvOptions&, const CsvOptions&) = default;
};

struct InputFormatOptions {
  std::optional<CsvOptions> csv = std::nullopt;

  friend bool operator==(const InputFormatOptions&, const InputFormatOptions&) = default;
};

// Of the table that is to be made, as CreateTable takes them.
struct TableCreationParameters {
  std::string table_name;
  std::vector<AttributeDefinition> attribute_definitions;
  std::vector<KeySchemaElement> key_schema;
  std::optional<BillingMode> billing_mode = std::nullopt;
  std::optional<ProvisionedThroughput> provisioned_throughput = std::nullopt;
  std::optional<OnDemandThroughput> on_demand_throughput = std::nullopt;
  std::optional<SseSpecification> sse_specification = std::nullopt;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes = std::nullopt;
};

struct ImportTableInput {
  S3BucketSource s3_bucket_source;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  TableCreationParameters table_creation_parameters;
  // With the same token, and the same of everything else, there is one import within eight hours.
  std::optional<std::string> client_token = std::nullopt;
  std::optional<InputFormatOptions> input_format_options = std::nullopt;
  std::optional<InputCompressionType> input_compression_type = std::nullopt;  // nothing: none
};

struct ImportTableDescription {
  std::string import_arn;
  ImportStatus import_status = ImportStatus::kInProgress;
  std::string table_arn;
  std::string table_id;
  std::optional<std::string> client_token = std::nullopt;
  S3BucketSource s3_bucket_source;
  std::int64_t error_count = 0;
  std::string cloud_watch_log_group_arn;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  std::optional<InputFormatOptions> input_format_options = std::nullopt;
  InputCompressionType input_compression_type = InputCompressionType::kNone;
  TableCreationParameters table_creation_parameters;
  TimePoint start_time = {};
  std::optional<TimePoint> end_time = std::nullopt;
  std::int64_t processed_size_bytes = 0;
  std::int64_t processed_item_count = 0;
  std::int64_t imported_item_count = 0;
  std::optional<std::string> failure_code = std::nullopt;
  std::optional<std::string> failure_message = std::nullopt;
};

struct ImportTableOutput {
  ImportTableDescription import_table_description = {};
};

struct DescribeImportInput {
  std::string import_arn;
};
struct DescribeImportOutput {
  ImportTableDescription import_table_description = {};
};

struct ImportSummary {
  std::string import_arn;
  ImportStatus import_status = ImportStatus::kInProgress;
  std::string table_arn;
  S3BucketSource s3_bucket_source;
  std::string cloud_watch_log_group_arn;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  TimePoint start_time = {};
  std::optional<TimePoint> end_time = std::nullopt;
};

// The newest first, also of tables that are gone.
struct ListImportsInput {
  std::optional<std::string> table_arn = std::nullopt;
  std::optional<std::int64_t> page_size = std::nullopt;  // 1 to 25; nothing: 10
  std::optional<std::string> next_token = std::nullopt;
};
struct ListImportsOutput {
  std::vector<ImportSummary> import_summary_list = {};
  std::optional<std::string> next_token = std::nullopt;
};

}  // namespace stator
