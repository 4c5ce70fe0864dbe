#include "keyspace/restore_row.h"

#include <utility>

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

void AppendRestoreRow(const RestoreRow& row, std::string& bytes) {
  value::AppendItem(
      Map{{"next", Binary{row.next}}, {"items", row.figures.items}, {"bytes", row.figures.bytes}},
      bytes);
}

Result<RestoreRow> DecodeRestoreRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  RestoreRow row;
  Binary next = TRY(Field<Binary>(fields, "next"));
  row.next = std::move(next.bytes);
  row.figures.items = TRY(IntegerField(fields, "items"));
  row.figures.bytes = TRY(IntegerField(fields, "bytes"));
  return row;
}

}  // namespace stator::keyspace
