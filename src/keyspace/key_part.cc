#include "keyspace/key_part.h"

#include <utility>

#include "base/check.h"
#include "keyspace/ordered_bytes.h"
#include "keyspace/ordered_number.h"
#include "value/value_reader.h"

namespace stator::keyspace {
namespace {

// On disk.
constexpr char kStringPart = 'S';
constexpr char kBinaryPart = 'B';
constexpr char kNumberPart = 'N';

using value::Tag;

}  // namespace

bool IsKeyType(AttributeValue::Type type) {
  return type == AttributeValue::Type::kString || type == AttributeValue::Type::kNumber ||
         type == AttributeValue::Type::kBinary;
}

void AppendKeyPart(const AttributeValue& value, std::string& key) {
  if (const auto* text = value.If<std::string>()) {
    key.push_back(kStringPart);
    AppendOrderedBytes(*text, key);
  } else if (const auto* number = value.If<Number>()) {
    key.push_back(kNumberPart);
    AppendOrderedNumber(*number, key);
  } else {
    const auto* binary = value.If<Binary>();
    CHECK_THAT(binary != nullptr, "a key attribute is a string, a number or a binary");
    key.push_back(kBinaryPart);
    AppendOrderedBytes(binary->bytes, key);
  }
}

bool TakeEqualKeyPart(std::string_view value, std::string_view& key) {
  const char type = key.empty() ? '\0' : key[0];
  key.remove_prefix(key.empty() ? 0 : 1);
  Tag tag{};
  std::string_view bytes;
  value::NumberParts parts;
  std::string part;
  switch (value::TakeTag(value, tag) ? tag : Tag::kNull) {
    case Tag::kString:
      return type == kStringPart && value::TakeBytes(value, bytes) &&
             TakeEqualOrderedBytes(bytes, key);
    case Tag::kBinary:
      return type == kBinaryPart && value::TakeBytes(value, bytes) &&
             TakeEqualOrderedBytes(bytes, key);
    case Tag::kInteger:
    case Tag::kNegativeInteger:
    case Tag::kNumber:
    case Tag::kNegativeNumber:
      if (type != kNumberPart || !value::TakeNumber</*kWasChecked=*/true>(tag, value, parts)) {
        return false;
      }
      AppendOrderedNumber(value::NumberOf(parts), part);
      if (!key.starts_with(part)) {
        return false;
      }
      key.remove_prefix(part.size());
      return true;
    default:
      return false;
  }
}

void AppendKeyPartPrefix(const AttributeValue& value, std::string& key) {
  if (const auto* text = value.If<std::string>()) {
    key.push_back(kStringPart);
    AppendOrderedBytesPrefix(*text, key);
  } else {
    const auto* binary = value.If<Binary>();
    CHECK_THAT(binary != nullptr, "only strings and binaries begin with something");
    key.push_back(kBinaryPart);
    AppendOrderedBytesPrefix(binary->bytes, key);
  }
}

Result<AttributeValue> TakeKeyPart(std::string_view& key) {
  const char type = key.empty() ? '\0' : key[0];
  if (!key.empty()) {
    key.remove_prefix(1);
  }
  if (type == kStringPart) {
    std::string text;
    if (TakeOrderedBytes(key, text)) {
      return AttributeValue(std::move(text));
    }
  } else if (type == kBinaryPart) {
    Binary binary;
    if (TakeOrderedBytes(key, binary.bytes)) {
      return AttributeValue(std::move(binary));
    }
  } else if (type == kNumberPart) {
    Number number;
    if (TakeOrderedNumber(key, number)) {
      return AttributeValue(number);
    }
  }
  return Fail(ErrorCode::kCorruption, "a key on disk holds a damaged key attribute");
}

}  // namespace stator::keyspace
