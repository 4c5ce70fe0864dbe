#include "keyspace/export_row.h"

#include <utility>

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {
namespace {

// On disk as their numbers.
static_assert(static_cast<int>(ExportStatus::kFailed) == 2);
static_assert(static_cast<int>(ExportViewType::kNewAndOldImages) == 1);
static_assert(static_cast<int>(S3SseAlgorithm::kKms) == 1);

void SetRequested(const ExportDescription& description, Map& fields) {
  SetText(fields, "token", description.client_token);
  SetText(fields, "bucket_owner", description.s3_bucket_owner);
  SetText(fields, "prefix", description.s3_prefix);
  SetText(fields, "kms_key", description.s3_sse_kms_key_id);
  SetTime(fields, "export_time", description.export_time);
  if (description.s3_sse_algorithm) {
    fields.Set("sse", EnumValue(*description.s3_sse_algorithm));
  }
  if (const auto& period = description.incremental_export_specification) {
    Map map{{"view", EnumValue(period->export_view_type.value_or(ExportViewType::kNewImage))}};
    SetTime(map, "from", period->export_from_time);
    SetTime(map, "to", period->export_to_time);
    fields.Set("period", std::move(map));
  }
}

Result<void> TakeRequested(const Map& fields, ExportDescription& description) {
  description.client_token = TRY(OptionalField<std::string>(fields, "token"));
  description.s3_bucket_owner = TRY(OptionalField<std::string>(fields, "bucket_owner"));
  description.s3_prefix = TRY(OptionalField<std::string>(fields, "prefix"));
  description.s3_sse_kms_key_id = TRY(OptionalField<std::string>(fields, "kms_key"));
  description.export_time = TRY(OptionalTimeField(fields, "export_time"));
  if (fields.contains("sse")) {
    description.s3_sse_algorithm = TRY(EnumField(fields, "sse", S3SseAlgorithm::kKms));
  }
  if (const std::optional<Map> map = TRY(OptionalField<Map>(fields, "period"))) {
    IncrementalExportSpecification period;
    period.export_view_type = TRY(EnumField(*map, "view", ExportViewType::kNewAndOldImages));
    period.export_from_time = TRY(OptionalTimeField(*map, "from"));
    period.export_to_time = TRY(OptionalTimeField(*map, "to"));
    description.incremental_export_specification = period;
    description.export_type = ExportType::kIncremental;
  }
  return {};
}

}  // namespace

void AppendExportRow(const ExportRow& row, std::string& bytes) {
  const ExportDescription& description = row.description;
  Map fields{{"arn", description.export_arn},
             {"status", EnumValue(description.export_status)},
             {"started", TimeValue(description.start_time)},
             {"table_arn", description.table_arn},
             {"table_uuid", description.table_id},
             {"bucket", description.s3_bucket},
             {"request", Binary{row.request}},
             {"table", row.table},
             {"partition", row.partition},
             {"time", static_cast<std::int64_t>(row.time)},
             {"next", Binary{row.next}},
             {"files", row.files},
             {"name", row.name},
             {"items", row.items},
             {"bytes", row.bytes}};
  SetRequested(description, fields);
  SetText(fields, "sort", row.sort);
  if (row.before) {
    fields.Set("before", static_cast<std::int64_t>(*row.before));
  }
  SetTime(fields, "ended", description.end_time);
  SetText(fields, "manifest", description.export_manifest);
  SetText(fields, "failure_code", description.failure_code);
  SetText(fields, "failure", description.failure_message);
  if (description.billed_size_bytes) {
    fields.Set("billed", *description.billed_size_bytes);
  }
  value::AppendItem(fields, bytes);
}

Result<ExportRow> DecodeExportRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  ExportRow row;
  ExportDescription& description = row.description;
  description.export_arn = TRY(Field<std::string>(fields, "arn"));
  description.export_status = TRY(EnumField(fields, "status", ExportStatus::kFailed));
  description.start_time = TimeFrom(TRY(IntegerField(fields, "started")));
  description.table_arn = TRY(Field<std::string>(fields, "table_arn"));
  description.table_id = TRY(Field<std::string>(fields, "table_uuid"));
  description.s3_bucket = TRY(Field<std::string>(fields, "bucket"));
  TRY_VOID(TakeRequested(fields, description));
  Binary request = TRY(Field<Binary>(fields, "request"));
  row.request = std::move(request.bytes);
  row.table = TRY(IdField(fields, "table"));
  row.partition = TRY(Field<std::string>(fields, "partition"));
  row.sort = TRY(OptionalField<std::string>(fields, "sort"));
  row.time = TRY(UnsignedField(fields, "time"));
  if (fields.contains("before")) {
    row.before = TRY(UnsignedField(fields, "before"));
  }
  Binary next = TRY(Field<Binary>(fields, "next"));
  row.next = std::move(next.bytes);
  row.files = static_cast<std::uint32_t>(TRY(UnsignedField(fields, "files")));
  row.name = TRY(Field<std::string>(fields, "name"));
  row.items = TRY(IntegerField(fields, "items"));
  row.bytes = TRY(IntegerField(fields, "bytes"));
  description.end_time = TRY(OptionalTimeField(fields, "ended"));
  description.export_manifest = TRY(OptionalField<std::string>(fields, "manifest"));
  description.failure_code = TRY(OptionalField<std::string>(fields, "failure_code"));
  description.failure_message = TRY(OptionalField<std::string>(fields, "failure"));
  description.billed_size_bytes = TRY(OptionalIntegerField(fields, "billed"));
  if (description.export_status == ExportStatus::kCompleted) {
    description.item_count = row.items;
  }
  return row;
}

void AppendExportFileRow(const ExportFileRow& row, std::string& bytes) {
  value::AppendItem(Map{{"key", row.key},
                        {"md5", Binary{row.md5}},
                        {"etag", row.etag},
                        {"items", static_cast<std::int64_t>(row.items)}},
                    bytes);
}

Result<ExportFileRow> DecodeExportFileRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  ExportFileRow row;
  row.key = TRY(Field<std::string>(fields, "key"));
  Binary md5 = TRY(Field<Binary>(fields, "md5"));
  row.md5 = std::move(md5.bytes);
  row.etag = TRY(Field<std::string>(fields, "etag"));
  row.items = TRY(UnsignedField(fields, "items"));
  return row;
}

}  // namespace stator::keyspace
