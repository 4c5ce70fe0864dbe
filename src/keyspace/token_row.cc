#include "keyspace/token_row.h"

#include "base/check.h"
#include "base/try.h"
#include "keyspace/row_fields.h"
#include "value/item_codec.h"

namespace stator::keyspace {

void AppendTokenRow(const TokenRow& row, std::string& bytes) {
  CHECK_THAT(row.digest.size() == kTokenDigestBytes, "a token of no request");
  value::AppendItem(Map{{"until", row.until}, {"digest", Binary{row.digest}}}, bytes);
}

Result<TokenRow> DecodeTokenRow(std::string_view bytes) {
  const Map fields = TRY(value::DecodeItem(bytes));
  TokenRow row{.until = TRY(IntegerField(fields, "until")),
               .digest = TRY(Field<Binary>(fields, "digest")).bytes};
  if (row.digest.size() != kTokenDigestBytes) {
    return DamagedField("digest");
  }
  return row;
}

}  // namespace stator::keyspace
