// Constraints of the requests about exports and imports.

#include <algorithm>
#include <cstdint>
#include <string>

#include "api/constraint_checker.h"
#include "api/constraints.h"
#include "api/shape_constraints.h"

namespace stator::api {
namespace {

constexpr LengthRange kTableArnLength = {1, 1024};       // [model] TableArn
constexpr LengthRange kTransferArnLength = {37, 1024};   // [model] ExportArn, ImportArn
constexpr LengthRange kBucketLength = {0, 255};          // [model] S3Bucket
constexpr LengthRange kPrefixLength = {0, 1024};         // [model] S3Prefix
constexpr LengthRange kKeyIdLength = {1, 2048};          // [model] S3SseKmsKeyId
constexpr LengthRange kImportTokenLength = {112, 1024};  // [model] ImportNextToken
constexpr LengthRange kHeaderListLength = {1, 255};      // [model] CsvHeaderList
constexpr LengthRange kHeaderLength = {1, 65536};        // [model] CsvHeader
constexpr LengthRange kDelimiterLength = {1, 1};         // [model] CsvDelimiter
constexpr std::int64_t kListLimitMax = 25;  // [model] ListExportsMaxLimit, ListImportsMaxLimit

bool IsAlphanumeric(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

bool IsDigit(char character) {
  return character >= '0' && character <= '9';
}

void CheckBucket(ConstraintChecker& checker, const std::string& bucket) {
  checker.Pattern(
      "S3Bucket", bucket, "[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+", [](std::string_view text) {
        return text.size() >= 2 && IsAlphanumeric(text.front()) && IsAlphanumeric(text.back()) &&
               std::ranges::all_of(text, [](char character) {
                 return IsAlphanumeric(character) || character == '.' || character == '-' ||
                        character == '_';
               });
      });
  checker.Text("S3Bucket", bucket, kBucketLength);
}

void CheckOwner(ConstraintChecker& checker, const std::optional<std::string>& owner) {
  checker.Pattern("S3BucketOwner", owner, "[0-9]{12}", [](std::string_view text) {
    return text.size() == 12 && std::ranges::all_of(text, IsDigit);
  });
}

void CheckToken(ConstraintChecker& checker, const std::optional<std::string>& token) {
  checker.Pattern("ClientToken", token, "[^\\$]+",
                  [](std::string_view text) { return !text.empty() && !text.contains('$'); });
}

void CheckCsv(ConstraintChecker& checker, const CsvOptions& csv) {
  checker.Pattern("Delimiter", csv.delimiter, "[,;:|\\t ]", [](std::string_view text) {
    return text.size() == 1 && std::string_view(",;:|\t ").contains(text.front());
  });
  checker.Text("Delimiter", csv.delimiter, kDelimiterLength);
  checker.Texts("HeaderList", csv.header_list, kHeaderListLength);
  if (!csv.header_list || !checker.Readable("HeaderList")) {
    return;
  }
  const MemberPath list = checker.PathOf("HeaderList");
  ConstraintChecker elements(checker.violations(), &list);
  for (std::size_t i = 0; i < csv.header_list->size(); ++i) {
    const std::string name = std::to_string(i + 1) + ".member";
    elements.Pattern(name, (*csv.header_list)[i], "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*",
                     [](std::string_view text) {
                       return std::ranges::all_of(text, [](char character) {
                         return character >= ' ' && character <= '~' && character != '"' &&
                                character != ',';
                       });
                     });
    elements.Text(name, (*csv.header_list)[i], kHeaderLength);
  }
}

void CheckParameters(ConstraintChecker& checker, const TableCreationParameters& parameters) {
  checker.Name("TableName", parameters.table_name);
  CheckAttributeDefinitions(checker, parameters.attribute_definitions);
  CheckKeySchema(checker, parameters.key_schema, kTableKeySchemaLength);
  checker.Read("BillingMode");
  CheckProvisionedThroughput(checker, parameters.provisioned_throughput);
  checker.Read("OnDemandThroughput");
  CheckSseSpecification(checker, parameters.sse_specification);
  CheckGlobalSecondaryIndexes(checker, parameters.global_secondary_indexes);
}

}  // namespace

void CheckConstraints(const ExportTableToPointInTimeInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("TableArn", input.table_arn, kTableArnLength);
  checker.Read("ExportTime");
  CheckToken(checker, input.client_token);
  CheckBucket(checker, input.s3_bucket);
  CheckOwner(checker, input.s3_bucket_owner);
  checker.Text("S3Prefix", input.s3_prefix, kPrefixLength);
  checker.Read("S3SseAlgorithm");
  checker.Text("S3SseKmsKeyId", input.s3_sse_kms_key_id, kKeyIdLength);
  checker.Read("ExportFormat");
  checker.Read("ExportType");
  if (checker.Readable("IncrementalExportSpecification")) {
    const MemberPath path = checker.PathOf("IncrementalExportSpecification");
    ConstraintChecker inner(violations, &path);
    inner.Read("ExportFromTime");
    inner.Read("ExportToTime");
    inner.Read("ExportViewType");
  }
}

void CheckConstraints(const DescribeExportInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("ExportArn", input.export_arn, kTransferArnLength);
}

void CheckConstraints(const ListExportsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("TableArn", input.table_arn, kTableArnLength);
  checker.Within("MaxResults", input.max_results, 1, kListLimitMax);
  checker.Read("NextToken");
}

void CheckConstraints(const ImportTableInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  CheckToken(checker, input.client_token);
  if (checker.Readable("S3BucketSource")) {
    const MemberPath path = checker.PathOf("S3BucketSource");
    ConstraintChecker source(violations, &path);
    CheckOwner(source, input.s3_bucket_source.s3_bucket_owner);
    CheckBucket(source, input.s3_bucket_source.s3_bucket);
    source.Text("S3KeyPrefix", input.s3_bucket_source.s3_key_prefix, kPrefixLength);
  }
  checker.Read("InputFormat");
  if (checker.Readable("InputFormatOptions") && input.input_format_options &&
      input.input_format_options->csv) {
    const MemberPath options = checker.PathOf("InputFormatOptions");
    const MemberPath path = MemberPath::Member(&options, "Csv");
    ConstraintChecker csv(violations, &path);
    CheckCsv(csv, *input.input_format_options->csv);
  }
  checker.Read("InputCompressionType");
  if (checker.Readable("TableCreationParameters")) {
    const MemberPath path = checker.PathOf("TableCreationParameters");
    ConstraintChecker parameters(violations, &path);
    CheckParameters(parameters, input.table_creation_parameters);
  }
}

void CheckConstraints(const DescribeImportInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("ImportArn", input.import_arn, kTransferArnLength);
}

void CheckConstraints(const ListImportsInput& input, Violations& violations) {
  ConstraintChecker checker(violations);
  checker.Text("TableArn", input.table_arn, kTableArnLength);
  checker.Within("PageSize", input.page_size, 1, kListLimitMax);
  checker.Pattern("NextToken", input.next_token, "([0-9a-f]{16})+", [](std::string_view text) {
    return !text.empty() && text.size() % 16 == 0 && std::ranges::all_of(text, [](char character) {
      return IsDigit(character) || (character >= 'a' && character <= 'f');
    });
  });
  checker.Text("NextToken", input.next_token, kImportTokenLength);
}

}  // namespace stator::api
