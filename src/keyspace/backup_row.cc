#include "keyspace/backup_row.h"

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

// On disk as its number.
static_assert(static_cast<int>(BackupType::kUser) == 0 &&
              static_cast<int>(BackupType::kSystem) == 1);

void AppendBackupRow(const BackupRow& row, std::string& bytes) {
  Map fields{{"name", row.name},
             {"type", EnumValue(row.type)},
             {"time", static_cast<std::int64_t>(row.time)},
             {"table", TableRowToMap(row.table)}};
  if (row.expires) {
    fields.Set("expires", TimeValue(*row.expires));
  }
  value::AppendItem(fields, bytes);
}

Result<BackupRow> DecodeBackupRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  BackupRow row;
  row.name = TRY(Field<std::string>(fields, "name"));
  row.type = TRY(EnumField(fields, "type", BackupType::kSystem));
  row.time = TRY(UnsignedField(fields, "time"));
  const Map table = TRY(Field<Map>(fields, "table"));
  row.table = TRY(TableRowFromMap(table));
  if (const std::optional<std::int64_t> expires = TRY(OptionalIntegerField(fields, "expires"))) {
    row.expires = TimeFrom(*expires);
  }
  return row;
}

}  // namespace stator::keyspace
