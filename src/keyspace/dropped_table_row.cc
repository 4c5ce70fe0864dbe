#include "keyspace/dropped_table_row.h"

#include "base/try.h"
#include "keyspace/item_codec.h"
#include "keyspace/row_fields.h"

namespace stator::keyspace {

void AppendDroppedTableRow(const DroppedTableRow& row, std::string& bytes) {
  Map fields{{"name", row.name}};
  if (row.ttl_attribute) {
    fields.Set("ttl", *row.ttl_attribute);
  }
  AppendItem(fields, bytes);
}

Result<DroppedTableRow> DecodeDroppedTableRow(std::string_view bytes) {
  const Map fields = TRY(DecodeItem(bytes));
  DroppedTableRow row;
  row.name = TRY(Field<std::string>(fields, "name"));
  row.ttl_attribute = TRY(OptionalField<std::string>(fields, "ttl"));
  return row;
}

}  // namespace stator::keyspace
