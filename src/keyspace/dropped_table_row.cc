#include "keyspace/dropped_table_row.h"

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

void AppendDroppedTableRow(const DroppedTableRow& row, std::string& bytes) {
  Map fields{{"name", row.name}};
  if (row.ttl_attribute) {
    fields.Set("ttl", *row.ttl_attribute);
  }
  if (row.table) {
    fields.Set("table", TableRowToMap(*row.table));
  }
  if (row.dropped_at) {
    fields.Set("dropped_at", static_cast<std::int64_t>(*row.dropped_at));
  }
  if (row.only_items) {
    fields.Set("only_items", true);
  }
  value::AppendItem(fields, bytes);
}

Result<DroppedTableRow> DecodeDroppedTableRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  DroppedTableRow row;
  row.name = TRY(Field<std::string>(fields, "name"));
  row.ttl_attribute = TRY(OptionalField<std::string>(fields, "ttl"));
  if (const std::optional<Map> table = TRY(OptionalField<Map>(fields, "table"))) {
    row.table = TRY(TableRowFromMap(*table));
  }
  if (fields.contains("dropped_at")) {
    row.dropped_at = TRY(UnsignedField(fields, "dropped_at"));
  }
  row.only_items = TRY(OptionalField<bool>(fields, "only_items")).value_or(false);
  return row;
}

}  // namespace stator::keyspace
