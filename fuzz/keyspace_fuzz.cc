// Every decoder of bytes on disk, fed with anything: none may crash, and what decodes must encode
// to the same bytes again. The first byte chooses the decoder.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "keyspace/key_part.h"
#include "keyspace/keys.h"
#include "value/dynamodb_json.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator::keyspace {
namespace {

void FuzzItem(std::string_view row) {
  const Result<Item> item = value::DecodeItem(row);
  const Result<Item> opened = value::OpenItem(row);
  CHECK(opened.has_value() == item.has_value());
  if (!item) {
    return;
  }
  CHECK(value::SizeOfItem(*opened) == value::SizeOfItem(*item));
  CHECK(value::ToDynamoDbJson(*opened) == value::ToDynamoDbJson(*item));
  CHECK(*opened == *item);
  std::string written;
  value::AppendItem(*item, written);
  CHECK(written == row);
  std::vector<std::string_view> odd_names;
  bool odd = false;
  for (const auto& [name, value] : *item) {
    CHECK(value::DecodeAttribute(row, name).value() == value);
    if (odd) {
      odd_names.push_back(name);
    }
    odd = !odd;
  }
  CHECK(value::DecodeItemOnly(row, odd_names).value().size() == odd_names.size());
}

// Rows that do not decode as a whole may be read in part, but must not crash.
void FuzzPartsOfItem(std::string_view input) {
  const std::size_t name_bytes = input.empty() ? 0 : static_cast<unsigned char>(input[0]) % 8U;
  const std::string_view name = input.substr(0, name_bytes);
  const std::string_view row = input.substr(name.size());
  static_cast<void>(value::DecodeAttribute(row, name));
  static_cast<void>(value::DecodeItemOnly(row, std::vector<std::string_view>{name}));
}

void FuzzKeyPart(std::string_view key) {
  std::string_view rest = key;
  const Result<AttributeValue> part = TakeKeyPart(rest);
  if (!part) {
    return;
  }
  std::string written;
  AppendKeyPart(*part, written);
  CHECK(written == key.substr(0, key.size() - rest.size()));
}

void FuzzItemKey(std::string_view key) {
  if (const Result<ItemKey> decoded = DecodeItemKey(key)) {
    std::string written;
    AppendItemKey(decoded->table, decoded->partition, decoded->sort ? &*decoded->sort : nullptr,
                  written);
    CHECK(written == key);
  }
}

void FuzzOtherKeys(std::string_view key) {
  std::string written;
  if (const Result<ExpiryKey> expiry = DecodeExpiryKey(key)) {
    AppendExpiryKey(expiry->seconds, expiry->item_key, written);
    CHECK(written == key);
  } else if (const Result<StreamRecordKey> record = DecodeStreamRecordKey(key)) {
    AppendStreamRecordKey(record->stream, record->sequence, written);
    CHECK(written == key);
  } else if (const Result<TokenExpiryKey> token = DecodeTokenExpiryKey(key)) {
    AppendTokenExpiryKey(token->seconds, token->token, written);
    CHECK(written == key);
  } else if (const Result<IndexKey> index = DecodeIndexKey(key)) {
    AppendIndexPrefix(index->table, index->index, written);
    written.append(key.substr(written.size(), 2));  // the hash, of unknown parts
    for (const AttributeValue& part : index->parts) {
      AppendKeyPart(part, written);
    }
    CHECK(written == key);
  }
}

}  // namespace
}  // namespace stator::keyspace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      stator::keyspace::FuzzItem(input);
      break;
    case 1:
      stator::keyspace::FuzzPartsOfItem(input);
      break;
    case 2:
      stator::keyspace::FuzzKeyPart(input);
      break;
    case 3:
      stator::keyspace::FuzzItemKey(input);
      break;
    default:
      stator::keyspace::FuzzOtherKeys(input);
  }
  return 0;
}
