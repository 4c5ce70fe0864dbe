#include "keyspace/stream_row.h"

#include <utility>

#include "base/try.h"
#include "keyspace/item_codec.h"
#include "keyspace/row_fields.h"

namespace stator::keyspace {

void AppendStreamRow(const StreamRow& row, std::string& bytes) {
  List keys;
  for (const KeySchemaElement& element : row.key_schema) {
    keys.emplace_back(element.attribute_name);
  }
  Map fields{{"id", row.stream.id},
             {"label", row.stream.label},
             {"view", EnumValue(row.stream.view)},
             {"table", row.table_name},
             {"table_arn", row.table_arn},
             {"created_at", TimeValue(row.created_at)},
             {"keys", std::move(keys)},
             {"first", row.first_sequence},
             {"trimmed", row.trimmed_through}};
  if (row.disabled_at) {
    fields.Set("disabled_at", TimeValue(*row.disabled_at));
  }
  AppendItem(fields, bytes);
}

Result<StreamRow> DecodeStreamRow(std::string_view bytes) {
  const Map fields = TRY(DecodeItem(bytes));
  StreamRow row;
  row.stream.id = TRY(IdField(fields, "id"));
  row.stream.label = TRY(Field<std::string>(fields, "label"));
  row.stream.view = TRY(EnumField(fields, "view", StreamViewType::kKeysOnly));
  row.table_name = TRY(Field<std::string>(fields, "table"));
  row.table_arn = TRY(Field<std::string>(fields, "table_arn"));
  row.created_at = TimeFrom(TRY(IntegerField(fields, "created_at")));
  if (const auto disabled_at = TRY(OptionalIntegerField(fields, "disabled_at"))) {
    row.disabled_at = TimeFrom(*disabled_at);
  }
  KeyType type = KeyType::kHash;
  for (const AttributeValue& name : TRY(Field<List>(fields, "keys"))) {
    if (!name.Is<std::string>()) {
      return DamagedField("keys");
    }
    row.key_schema.push_back({.attribute_name = *name.If<std::string>(), .key_type = type});
    type = KeyType::kRange;
  }
  row.first_sequence = TRY(UnsignedField(fields, "first"));
  row.trimmed_through = TRY(UnsignedField(fields, "trimmed"));
  return row;
}

}  // namespace stator::keyspace
