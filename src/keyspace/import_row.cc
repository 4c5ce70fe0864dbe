#include "keyspace/import_row.h"

#include <utility>
#include <vector>

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

// On disk as their numbers.
static_assert(static_cast<int>(ImportStatus::kFailed) == 4);
static_assert(static_cast<int>(InputFormat::kCsv) == 2);
static_assert(static_cast<int>(InputCompressionType::kNone) == 2);

void SetOptions(const InputFormatOptions& options, Map& fields) {
  Map csv;
  if (options.csv) {
    csv.Set("given", true);
    SetText(csv, "delimiter", options.csv->delimiter);
    if (options.csv->header_list) {
      List names;
      for (const std::string& name : *options.csv->header_list) {
        names.emplace_back(name);
      }
      csv.Set("header", std::move(names));
    }
  }
  fields.Set("csv", std::move(csv));
}

Result<InputFormatOptions> TakeOptions(const Map& csv) {
  InputFormatOptions options;
  if (!csv.contains("given")) {
    return options;
  }
  options.csv.emplace();
  options.csv->delimiter = TRY(OptionalField<std::string>(csv, "delimiter"));
  if (const std::optional<List> names = TRY(OptionalField<List>(csv, "header"))) {
    options.csv->header_list.emplace();
    for (const AttributeValue& name : *names) {
      if (!name.Is<std::string>()) {
        return DamagedField("header");
      }
      options.csv->header_list->push_back(*name.If<std::string>());
    }
  }
  return options;
}

void SetOutcome(const ImportTableDescription& description, Map& fields) {
  fields.Set("errors", description.error_count);
  fields.Set("processed_bytes", description.processed_size_bytes);
  fields.Set("processed", description.processed_item_count);
  fields.Set("imported", description.imported_item_count);
  SetTime(fields, "ended", description.end_time);
  SetText(fields, "failure_code", description.failure_code);
  SetText(fields, "failure", description.failure_message);
}

Result<void> TakeOutcome(const Map& fields, ImportTableDescription& description) {
  description.error_count = TRY(IntegerField(fields, "errors"));
  description.processed_size_bytes = TRY(IntegerField(fields, "processed_bytes"));
  description.processed_item_count = TRY(IntegerField(fields, "processed"));
  description.imported_item_count = TRY(IntegerField(fields, "imported"));
  description.end_time = TRY(OptionalTimeField(fields, "ended"));
  description.failure_code = TRY(OptionalField<std::string>(fields, "failure_code"));
  description.failure_message = TRY(OptionalField<std::string>(fields, "failure"));
  return {};
}

}  // namespace

void AppendImportRow(const ImportRow& row, std::string& bytes) {
  const ImportTableDescription& description = row.description;
  Map fields{{"arn", description.import_arn},
             {"status", EnumValue(description.import_status)},
             {"started", TimeValue(description.start_time)},
             {"bucket", description.s3_bucket_source.s3_bucket},
             {"log", description.cloud_watch_log_group_arn},
             {"format", EnumValue(description.input_format)},
             {"compression", EnumValue(description.input_compression_type)},
             {"request", Binary{row.request}},
             {"table", TableRowToMap(row.table)},
             {"object", row.object},
             {"records", row.records},
             {"items", row.figures.items},
             {"bytes", row.figures.bytes},
             {"first_error", row.first_error}};
  SetText(fields, "token", description.client_token);
  SetText(fields, "bucket_owner", description.s3_bucket_source.s3_bucket_owner);
  SetText(fields, "prefix", description.s3_bucket_source.s3_key_prefix);
  if (description.input_format_options) {
    SetOptions(*description.input_format_options, fields);
  }
  SetOutcome(description, fields);
  value::AppendItem(fields, bytes);
}

Result<ImportRow> DecodeImportRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  ImportRow row;
  ImportTableDescription& description = row.description;
  description.import_arn = TRY(Field<std::string>(fields, "arn"));
  description.import_status = TRY(EnumField(fields, "status", ImportStatus::kFailed));
  description.start_time = TimeFrom(TRY(IntegerField(fields, "started")));
  description.s3_bucket_source.s3_bucket = TRY(Field<std::string>(fields, "bucket"));
  description.s3_bucket_source.s3_bucket_owner =
      TRY(OptionalField<std::string>(fields, "bucket_owner"));
  description.s3_bucket_source.s3_key_prefix = TRY(OptionalField<std::string>(fields, "prefix"));
  description.cloud_watch_log_group_arn = TRY(Field<std::string>(fields, "log"));
  description.client_token = TRY(OptionalField<std::string>(fields, "token"));
  description.input_format = TRY(EnumField(fields, "format", InputFormat::kCsv));
  description.input_compression_type =
      TRY(EnumField(fields, "compression", InputCompressionType::kNone));
  if (const std::optional<Map> csv = TRY(OptionalField<Map>(fields, "csv"))) {
    description.input_format_options = TRY(TakeOptions(*csv));
  }
  TRY_VOID(TakeOutcome(fields, description));
  Binary request = TRY(Field<Binary>(fields, "request"));
  row.request = std::move(request.bytes);
  const Map table = TRY(Field<Map>(fields, "table"));
  row.table = TRY(TableRowFromMap(table));
  row.object = TRY(Field<std::string>(fields, "object"));
  row.records = TRY(IntegerField(fields, "records"));
  row.figures.items = TRY(IntegerField(fields, "items"));
  row.figures.bytes = TRY(IntegerField(fields, "bytes"));
  row.first_error = TRY(Field<std::string>(fields, "first_error"));
  return row;
}

}  // namespace stator::keyspace
