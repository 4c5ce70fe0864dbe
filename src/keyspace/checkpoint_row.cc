#include "keyspace/checkpoint_row.h"

#include <utility>

#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

void AppendCheckpointRow(const CheckpointRow& row, std::string& bytes) {
  List tables;
  for (const TableRow& table : row.tables) {
    tables.emplace_back(TableRowToMap(table));
  }
  List streams;
  for (const StreamRow& stream : row.streams) {
    Binary encoded;
    AppendStreamRow(stream, encoded.bytes);
    streams.emplace_back(std::move(encoded));
  }
  List tokens;
  for (const std::string& token : row.tokens) {
    tokens.emplace_back(Binary{token});
  }
  Map fields{{"time", static_cast<std::int64_t>(row.time)},
             {"tables", std::move(tables)},
             {"streams", std::move(streams)},
             {"sequence", static_cast<std::int64_t>(row.sequence)},
             {"tokens_until", row.tokens_until},
             {"tokens", std::move(tokens)}};
  if (row.restoring) {
    fields.Set("restoring", true);
  }
  value::AppendItem(fields, bytes);
}

Result<CheckpointRow> DecodeCheckpointRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  CheckpointRow row;
  row.time = TRY(UnsignedField(fields, "time"));
  for (const AttributeValue& table : TRY(Field<List>(fields, "tables"))) {
    const Map* const map = table.If<Map>();
    if (map == nullptr) {
      return DamagedField("tables");
    }
    row.tables.push_back(TRY(TableRowFromMap(*map)));
  }
  for (const AttributeValue& stream : TRY(Field<List>(fields, "streams"))) {
    const Binary* const encoded = stream.If<Binary>();
    if (encoded == nullptr) {
      return DamagedField("streams");
    }
    row.streams.push_back(TRY(DecodeStreamRow(encoded->bytes)));
  }
  row.sequence = TRY(UnsignedField(fields, "sequence"));
  row.tokens_until = TRY(IntegerField(fields, "tokens_until"));
  for (const AttributeValue& token : TRY(Field<List>(fields, "tokens"))) {
    const Binary* const text = token.If<Binary>();
    if (text == nullptr) {
      return DamagedField("tokens");
    }
    row.tokens.push_back(text->bytes);
  }
  row.restoring = TRY(OptionalField<bool>(fields, "restoring")).value_or(false);
  return row;
}

}  // namespace stator::keyspace
