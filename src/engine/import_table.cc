// ImportTable: what it checks, and how an import begins. import_job.cc carries it out.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "bulk/export_files.h"
#include "engine/background.h"
#include "engine/history.h"
#include "engine/operations.h"
#include "engine/schema_building.h"
#include "engine/table_checks.h"
#include "engine/table_row.h"
#include "engine/transfers.h"

namespace stator::engine {
namespace {

constexpr std::size_t kImportsMax = 50;

Result<void> CheckFormat(const ImportTableInput& input) {
  if (input.input_format == InputFormat::kIon) {
    return Invalid(
        "Invalid Request: InputFormat ION is not supported by Stator, which reads DYNAMODB_JSON "
        "and CSV");
  }
  const bool has_csv = input.input_format_options && input.input_format_options->csv;
  if (has_csv && input.input_format != InputFormat::kCsv) {
    return Invalid(
        "Invalid Request: Unsupported InputFormatOptions for the given input format: "
        "DYNAMODB_JSON.");
  }
  return {};
}

CreateTableInput CreationOf(const TableCreationParameters& parameters) {
  return {.table_name = parameters.table_name,
          .attribute_definitions = parameters.attribute_definitions,
          .key_schema = parameters.key_schema,
          .billing_mode = parameters.billing_mode,
          .provisioned_throughput = parameters.provisioned_throughput,
          .global_secondary_indexes = parameters.global_secondary_indexes,
          .sse_specification = parameters.sse_specification,
          .on_demand_throughput = parameters.on_demand_throughput};
}

void AddThroughput(const std::optional<ProvisionedThroughput>& provisioned,
                   const std::optional<OnDemandThroughput>& on_demand, RequestText& text) {
  text.Add(static_cast<std::int64_t>(provisioned.has_value()));
  if (provisioned) {
    text.Add(provisioned->read_capacity_units).Add(provisioned->write_capacity_units);
  }
  text.Add(static_cast<std::int64_t>(on_demand.has_value()));
  if (on_demand) {
    text.Add(on_demand->max_read_request_units).Add(on_demand->max_write_request_units);
  }
}

void AddKeys(const std::vector<KeySchemaElement>& keys, RequestText& text) {
  for (const KeySchemaElement& key : keys) {
    text.Add(key.attribute_name).AddValue(key.key_type);
  }
}

std::string DigestOf(const ImportTableInput& input) {
  RequestText text;
  const S3BucketSource& source = input.s3_bucket_source;
  text.Add(source.s3_bucket)
      .Add(source.s3_bucket_owner)
      .Add(source.s3_key_prefix)
      .AddValue(input.input_format)
      .Add(input.input_compression_type);
  if (input.input_format_options && input.input_format_options->csv) {
    const CsvOptions& csv = *input.input_format_options->csv;
    text.Add(csv.delimiter);
    for (const std::string& name : csv.header_list.value_or(std::vector<std::string>())) {
      text.Add(name);
    }
  }
  const TableCreationParameters& table = input.table_creation_parameters;
  text.Add(table.table_name).Add(table.billing_mode);
  for (const AttributeDefinition& definition : table.attribute_definitions) {
    text.Add(definition.attribute_name).AddValue(definition.attribute_type);
  }
  AddKeys(table.key_schema, text);
  AddThroughput(table.provisioned_throughput, table.on_demand_throughput, text);
  if (table.sse_specification) {
    text.Add(table.sse_specification->enabled)
        .Add(table.sse_specification->sse_type)
        .Add(table.sse_specification->kms_master_key_id);
  }
  for (const GlobalSecondaryIndex& index :
       table.global_secondary_indexes.value_or(std::vector<GlobalSecondaryIndex>())) {
    text.Add(index.index_name).Add(index.projection.projection_type);
    AddKeys(index.key_schema, text);
    for (const std::string& name :
         index.projection.non_key_attributes.value_or(std::vector<std::string>())) {
      text.Add(name);
    }
    AddThroughput(index.provisioned_throughput, index.on_demand_throughput, text);
  }
  return text.Finish();
}

// The import that was made for this token, if there is one.
Result<std::optional<ImportTableDescription>> FindRepeated(EngineCore& core,
                                                           const ImportTableInput& input,
                                                           const std::string& digest) {
  if (!input.client_token) {
    return std::nullopt;
  }
  std::optional<keyspace::ImportRow> row = TRY(FindImportByToken(core, *input.client_token));
  if (!row) {
    return std::nullopt;
  }
  if (row->request != digest) {
    return Fail(ErrorCode::kIdempotentParameterMismatch,
                "Import conflict: Duplicate request detected with conflicting parameters");
  }
  MatchWithTable(core, *row);
  return DescribeImport(*row);
}

// REQUIRES: ChangeLock is held.
Result<void> CheckIsFree(EngineCore& core, const std::string& name) {
  if (core.catalog.FindAny(name)) {
    return Fail(ErrorCode::kResourceInUse, "Table already exists: " + name);
  }
  TRY_VOID(core.transient_states.CheckArrived(name));
  std::size_t under_way = 0;
  for (const TablePtr& table : core.catalog.All()) {
    under_way += table->importing ? 1 : 0;
  }
  if (under_way >= kImportsMax) {
    return Fail(ErrorCode::kLimitExceeded, "Only 50 import operations can be active at a time");
  }
  return {};
}

keyspace::ImportRow RowOf(const ImportTableInput& input, const Table& table, const TransferId& id,
                          const Account& account) {
  keyspace::ImportRow row;
  ImportTableDescription& description = row.description;
  description.import_arn = table.arn + "/import/" + bulk::IdText(id.created_ms, id.number);
  description.client_token = input.client_token;
  description.s3_bucket_source = input.s3_bucket_source;
  description.s3_bucket_source.s3_bucket_owner =
      input.s3_bucket_source.s3_bucket_owner.value_or(account.id);
  description.cloud_watch_log_group_arn = ImportLogArn(account);
  description.input_format = input.input_format;
  description.input_format_options = input.input_format_options;
  description.input_compression_type =
      input.input_compression_type.value_or(InputCompressionType::kNone);
  description.start_time = TimePoint(std::chrono::milliseconds(id.created_ms));
  row.table = engine::RowOf(table);
  return row;
}

}  // namespace

std::string ImportLogArn(const Account& account) {
  return "arn:aws:logs:" + account.region + ":" + account.id + ":log-group:/aws-dynamodb/imports:*";
}

Result<ImportTableOutput> ImportTable(EngineCore& core, const ImportTableInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckFormat(input));
  const CreateTableInput creation = CreationOf(input.table_creation_parameters);
  TRY_VOID(CheckCreateTable(creation));
  const std::string digest = DigestOf(input);
  const auto lock = core.catalog.ChangeLock();
  if (auto repeated = TRY(FindRepeated(core, input, digest))) {
    return ImportTableOutput{.import_table_description = *std::move(repeated)};
  }
  TRY_VOID(CheckIsFree(core, creation.table_name));
  TRY_VOID(RaiseFormat(core));
  const TransferId id = TRY(TakeTransferId(core, KeyKind::kImport));
  Table table = BuildTable(core, creation, creation.table_name);
  storage::WriteBatch batch;
  table.id = core.catalog.TakeTableId(batch);
  table.importing = true;
  for (Index& index : table.indexes) {
    index.status = IndexStatus::kCreating;  // filled at the end
  }
  keyspace::ImportRow row = RowOf(input, table, id, core.account);
  row.request = digest;
  std::string bytes;
  keyspace::AppendImportRow(row, bytes);
  batch.Put(keyspace::TransferKey(KeyKind::kImport, id), bytes);
  TRY_VOID(core.catalog.Publish(std::move(table), std::move(batch)));
  ++core.transfers.imports_begun;
  core.background->EnqueueTransfer([&core, id] { return ContinueImport(core, id); });
  return ImportTableOutput{.import_table_description = DescribeImport(row)};
}

}  // namespace stator::engine
