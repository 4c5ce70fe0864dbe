// ExportTableToPointInTime, DescribeExport, ListExports, ImportTable, DescribeImport, ListImports. What
// is in the files is tested beside the engine.

#include <thread>

#include "base/try.h"
#include "contract/contract_test.h"

namespace stator::contract {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

constexpr char kNowhere[] = "arn:aws:dynamodb:us-east-1:000000000000:table/nowhere";
constexpr char kId[] = "/01576616366715-b4e58d3a";

class Transfers : public ContractTest {
 protected:
  void SetUp() override {
    MakeTable({.name = "things", .keys = "pk:S | sk:N"});
    for (int number = 0; number < 5; ++number) {
      Put("things", {{"pk", "a"}, {"sk", number}, {"kind", "x"}});
    }
    arn_ = Describe("things").table_arn;
  }
  void SwitchRecoveryOn() {
    Must(db().UpdateContinuousBackups(
        {.table_name = "things", .point_in_time_recovery_specification = {.enabled = true}}));
  }
  ExportTableToPointInTimeInput Exporting() const {
    return {.table_arn = arn_, .s3_bucket = "contract"};
  }
  ExportDescription AwaitExport(const std::string& arn) {
    return Await<ExportDescription>([&]() -> Result<ExportDescription> {
      return TRY(db().DescribeExport({.export_arn = arn})).export_description;
    });
  }
  ImportTableDescription AwaitImport(const std::string& arn) {
    return Await<ImportTableDescription>([&]() -> Result<ImportTableDescription> {
      return TRY(db().DescribeImport({.import_arn = arn})).import_table_description;
    });
  }
  static ImportTableInput Importing(const std::string& prefix) {
    return {
        .s3_bucket_source = {.s3_bucket = "contract", .s3_key_prefix = prefix},
        .input_format = InputFormat::kDynamoDbJson,
        .table_creation_parameters = {.table_name = "imported",
                                      .attribute_definitions = Definitions("pk:S | sk:N kind:S"),
                                      .key_schema = KeySchema("pk:S | sk:N"),
                                      .billing_mode = BillingMode::kPayPerRequest,
                                      .global_secondary_indexes = {{GlobalIndex(
                                          {.name = "by_kind", .keys = "kind:S"})}}},
        .input_compression_type = InputCompressionType::kGzip};
  }

  std::string arn_;

 private:
  // Looks until the work has ended, or nothing is told about it.
  template <class Description, class Describe>
  static Description Await(const Describe& describe) {
    for (int look = 0; look < 3000; ++look) {
      const Result<Description> seen = describe();
      if (!seen) {
        ADD_FAILURE() << seen.error().message;
        return {};
      }
      if (HasEnded(*seen)) {
        return *seen;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "it never ends";
    return {};
  }
  static bool HasEnded(const ExportDescription& seen) {
    return seen.export_status != ExportStatus::kInProgress;
  }
  static bool HasEnded(const ImportTableDescription& seen) {
    return seen.import_status != ImportStatus::kInProgress;
  }
};

TEST_F(Transfers, ATableIsExportedAndImported) {
  SwitchRecoveryOn();
  const ExportDescription begun =
      Must(db().ExportTableToPointInTime(Exporting())).export_description;
  EXPECT_EQ(begun.export_status, ExportStatus::kInProgress);
  EXPECT_EQ(begun.table_arn, arn_);
  EXPECT_EQ(begun.s3_sse_algorithm, S3SseAlgorithm::kAes256);
  EXPECT_TRUE(begun.export_time.has_value());
  EXPECT_FALSE(begun.end_time.has_value());
  EXPECT_FALSE(begun.export_type.has_value());
  EXPECT_THAT(begun.export_arn,
              MatchesRegex("arn:aws:dynamodb:[a-z0-9-]+:000000000000:table/things/export/"
                           "[0-9]{14}-[0-9a-f]{8}"));
  const ExportDescription done = AwaitExport(begun.export_arn);
  ASSERT_EQ(done.export_status, ExportStatus::kCompleted) << done.failure_message.value_or("");
  EXPECT_EQ(done.item_count, 5);
  EXPECT_EQ(done.billed_size_bytes, 0);
  EXPECT_TRUE(done.end_time.has_value());
  ASSERT_TRUE(done.export_manifest.has_value());
  EXPECT_THAT(*done.export_manifest,
              MatchesRegex("AWSDynamoDB/[0-9]{14}-[0-9a-f]{8}/manifest-summary.json"));

  const std::string data =
      done.export_manifest->substr(0, done.export_manifest->rfind('/')) + "/data/";
  const ImportTableDescription started =
      Must(db().ImportTable(Importing(data))).import_table_description;
  EXPECT_EQ(started.import_status, ImportStatus::kInProgress);
  EXPECT_THAT(started.cloud_watch_log_group_arn, HasSubstr(":log-group:/aws-dynamodb/imports:*"));
  EXPECT_EQ(started.table_creation_parameters.key_schema, KeySchema("pk:S | sk:N"));
  const ImportTableDescription imported = AwaitImport(started.import_arn);
  ASSERT_EQ(imported.import_status, ImportStatus::kCompleted)
      << imported.failure_message.value_or("");
  EXPECT_EQ(imported.processed_item_count, 5);
  EXPECT_EQ(imported.imported_item_count, 5);
  EXPECT_EQ(imported.error_count, 0);
  EXPECT_EQ(Describe("imported").table_status, TableStatus::kActive);
  EXPECT_EQ(Must(db().Scan({.table_name = "imported"})).count, 5);
  EXPECT_EQ(Must(db().Scan({.table_name = "imported", .index_name = "by_kind"})).count, 5);

  const ListExportsOutput exports = Must(db().ListExports({.table_arn = arn_}));
  ASSERT_THAT(exports.export_summaries, SizeIs(1));
  EXPECT_EQ(exports.export_summaries[0].export_type, ExportType::kFull);
  const ListImportsOutput imports = Must(db().ListImports({}));
  ASSERT_THAT(imports.import_summary_list, SizeIs(1));
  EXPECT_EQ(imports.import_summary_list[0].import_arn, started.import_arn);
  EXPECT_THAT(Must(db().ListImports({.table_arn = kNowhere})).import_summary_list, IsEmpty());
  EXPECT_TRUE(Fails(db().ImportTable(Importing(data)), ErrorCode::kResourceInUse,
                    "Table already exists: imported"));
}

TEST_F(Transfers, AnExportIsRefusedInTheWordsOfTheService) {
  EXPECT_TRUE(Fails(db().ExportTableToPointInTime(Exporting()), ErrorCode::kRecoveryUnavailable,
                    "Point in time recovery is not enabled for table 'things'"));
  EXPECT_TRUE(Fails(db().ExportTableToPointInTime({.table_arn = kNowhere, .s3_bucket = "bucket"}),
                    ErrorCode::kTableNotFound, std::string("Table not found: ") + kNowhere));
  EXPECT_TRUE(Refused(db().ExportTableToPointInTime({.table_arn = "things", .s3_bucket = "bucket"}),
                      "One or more parameter values were invalid: tableArn is not a valid ARN"));
  EXPECT_TRUE(Refused(
      db().ExportTableToPointInTime({.table_arn = arn_ + "/index/by", .s3_bucket = "bucket"}),
      "Invalid Request: Table ARN is invalid."));
  SwitchRecoveryOn();
  ExportTableToPointInTimeInput input = Exporting();
  input.export_time = TimePoint(std::chrono::seconds(1));
  EXPECT_TRUE(Fails(db().ExportTableToPointInTime(input), ErrorCode::kInvalidRestoreTime,
                    "Export Time is invalid"));
  input = Exporting();
  input.export_format = ExportFormat::kIon;
  EXPECT_TRUE(FailsWith(db().ExportTableToPointInTime(input), ErrorCode::kValidation));
  input = Exporting();
  input.s3_sse_kms_key_id = "key";
  EXPECT_TRUE(Refused(db().ExportTableToPointInTime(input),
                      "Invalid Request: KMS Key Id is not supported for this encryption type"));
  input = Exporting();
  input.incremental_export_specification.emplace();
  EXPECT_TRUE(Refused(db().ExportTableToPointInTime(input),
                      "Invalid Request: Export Type expected to be Incremental Export when "
                      "incremental export specification is provided"));
  input.export_type = ExportType::kIncremental;
  EXPECT_TRUE(Refused(db().ExportTableToPointInTime(input),
                      "Invalid Request: ExportFromTime must be provided in "
                      "IncrementalExportSpecification"));
  input = Exporting();
  input.s3_bucket = "../up";
  EXPECT_TRUE(FailsWith(db().ExportTableToPointInTime(input), ErrorCode::kValidation));
}

TEST_F(Transfers, ABucketIsNotLeft) {
  SwitchRecoveryOn();
  for (const char* prefix : {"../../out", "a/../../b", "/rooted", "a//b"}) {
    ExportTableToPointInTimeInput input = Exporting();
    input.s3_prefix = prefix;
    const auto begun = Must(db().ExportTableToPointInTime(input)).export_description;
    const ExportDescription failed = AwaitExport(begun.export_arn);
    EXPECT_EQ(failed.export_status, ExportStatus::kFailed) << prefix;
    EXPECT_EQ(failed.failure_code, "S3AccessDenied") << prefix;
  }
}

TEST_F(Transfers, TokensMakeOneOfEach) {
  SwitchRecoveryOn();
  ExportTableToPointInTimeInput input = Exporting();
  input.client_token = "export token";
  const std::string arn = Must(db().ExportTableToPointInTime(input)).export_description.export_arn;
  EXPECT_EQ(Must(db().ExportTableToPointInTime(input)).export_description.export_arn, arn);
  input.s3_prefix = "other";
  EXPECT_TRUE(Fails(db().ExportTableToPointInTime(input), ErrorCode::kIdempotentParameterMismatch,
                    "Export conflict: Duplicate request detected with conflicting parameters"));
  AwaitExport(arn);
  ImportTableInput importing = Importing("AWSDynamoDB/");
  importing.client_token = "export token";
  const std::string import_arn =
      Must(db().ImportTable(importing)).import_table_description.import_arn;
  EXPECT_EQ(Must(db().ImportTable(importing)).import_table_description.import_arn, import_arn);
  importing.input_compression_type.reset();
  EXPECT_TRUE(Fails(db().ImportTable(importing), ErrorCode::kIdempotentParameterMismatch,
                    "Import conflict: Duplicate request detected with conflicting parameters"));
  EXPECT_NE(AwaitImport(import_arn).import_status, ImportStatus::kInProgress);
}

TEST_F(Transfers, WhatIsNotThereIsSaid) {
  const std::string missing = std::string(kNowhere) + "/export" + kId;
  EXPECT_TRUE(Fails(db().DescribeExport({.export_arn = missing}), ErrorCode::kResourceNotFound,
                    "Export not found: Export not found: " + missing));
  EXPECT_TRUE(Refused(db().DescribeExport({.export_arn = kNowhere}), "Invalid Export ARN"));
  const std::string import = std::string(kNowhere) + "/import" + kId;
  EXPECT_TRUE(Fails(db().DescribeImport({.import_arn = import}), ErrorCode::kResourceNotFound,
                    "Import not found: Import not found: " + import));
  EXPECT_TRUE(Refused(db().DescribeImport({.import_arn = kNowhere}), "Invalid Import ARN"));
  EXPECT_TRUE(Refused(db().ListExports({.next_token = "x"}),
                      "Invalid Request: Provided nextToken is invalid: x"));
  EXPECT_TRUE(FailsWith(db().ListExports({.max_results = 26}), ErrorCode::kValidation));
  EXPECT_TRUE(FailsWith(db().ListImports({.page_size = 0}), ErrorCode::kValidation));
}

TEST_F(Transfers, AnImportIsRefusedInTheWordsOfTheService) {
  ImportTableInput input = Importing("");
  input.table_creation_parameters.billing_mode.reset();
  EXPECT_TRUE(Refused(db().ImportTable(input),
                      "One or more parameter values were invalid: ReadCapacityUnits and "
                      "WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"));
  input = Importing("");
  input.input_format_options = InputFormatOptions{.csv = CsvOptions{}};
  EXPECT_TRUE(Refused(db().ImportTable(input),
                      "Invalid Request: Unsupported InputFormatOptions for the given input format: "
                      "DYNAMODB_JSON."));
  input = Importing("");
  input.input_format = InputFormat::kIon;
  EXPECT_TRUE(FailsWith(db().ImportTable(input), ErrorCode::kValidation));
  input = Importing("");
  input.table_creation_parameters.table_name = "things";
  EXPECT_TRUE(
      Fails(db().ImportTable(input), ErrorCode::kResourceInUse, "Table already exists: things"));
  input = Importing("");
  input.s3_bucket_source.s3_bucket = "no-such-bucket";
  const auto begun = Must(db().ImportTable(input)).import_table_description;
  const ImportTableDescription failed = AwaitImport(begun.import_arn);
  EXPECT_EQ(failed.import_status, ImportStatus::kFailed);
  EXPECT_EQ(failed.failure_code, "S3NoSuchBucket");
  EXPECT_TRUE(FailsWith(db().DescribeTable({.table_name = "imported"}), ErrorCode::kTableNotFound));
}

}  // namespace
}  // namespace stator::contract
