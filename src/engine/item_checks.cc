#include "engine/item_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "value/size.h"

namespace stator::engine {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

bool IsEmptyText(const AttributeValue& value) {
  const auto* text = value.If<std::string>();
  const auto* binary = value.If<Binary>();
  return (text != nullptr && text->empty()) || (binary != nullptr && binary->bytes.empty());
}

std::string EmptyKeyText(const KeyAttribute& attribute) {
  return std::string("The AttributeValue for a key attribute cannot contain an empty ") +
         (attribute.type == ScalarAttributeType::kString ? "string" : "binary") +
         " value. Key: " + attribute.name;
}

std::size_t KeyBytes(const AttributeValue& value) {
  if (const auto* text = value.If<std::string>()) {
    return text->size();
  }
  if (const auto* binary = value.If<Binary>()) {
    return binary->bytes.size();
  }
  return 0;  // numbers are bounded by their digits
}

Result<void> CheckKeyLength(const AttributeValue& value, bool is_sort) {
  if (!is_sort && KeyBytes(value) > limits::kPartitionKeyBytesMax) {
    return Invalid(std::string(kInvalid) +
                   "Size of hashkey has exceeded the maximum size limit of2048 bytes");
  }
  if (is_sort && KeyBytes(value) > limits::kSortKeyBytesMax) {
    return Invalid(std::string(kInvalid) +
                   "Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  }
  return {};
}

Result<void> CheckItemKeyAttribute(const KeyAttribute& attribute, const Item& item, bool is_sort) {
  const AttributeValue* value = item.Find(attribute.name);
  if (value == nullptr) {
    return Invalid(std::string(kInvalid) + "Missing the key " + attribute.name + " in the item");
  }
  if (value->type() != ValueType(attribute.type)) {
    return Invalid(std::string(kInvalid) + "Type mismatch for key " + attribute.name +
                   " expected: " + std::string(TypeName(attribute.type)) +
                   " actual: " + std::string(stator::TypeName(value->type())));
  }
  if (IsEmptyText(*value)) {
    return Invalid("One or more parameter values are not valid. " + EmptyKeyText(attribute));
  }
  return CheckKeyLength(*value, is_sort);
}

enum class Writer : std::uint8_t { kPut, kUpdate };

std::string EmptyIndexKeyText(const Index& index, const KeyAttribute& attribute, Writer writer) {
  const std::string empty =
      std::string("The AttributeValue for a key attribute cannot contain an empty ") +
      (attribute.type == ScalarAttributeType::kString ? "string" : "binary") + " value.";
  if (writer == Writer::kUpdate) {
    return "One or more parameter values are not valid. The update expression attempted to update "
           "a secondary index key to a value that is not supported. " +
           empty;
  }
  return "One or more parameter values are not valid. A value specified for a secondary index key "
         "is not supported. " +
         empty + " IndexName: " + index.name + ", IndexKey: " + attribute.name;
}

Result<void> CheckIndexKeyAttribute(const Index& index, const KeyAttribute& attribute,
                                    const Item& item, bool is_sort, Writer writer) {
  const AttributeValue* value = item.Find(attribute.name);
  if (value == nullptr) {
    return {};  // the item stays out of the index
  }
  if (value->type() != ValueType(attribute.type)) {
    return Invalid(std::string(kInvalid) + "Type mismatch for Index Key " + attribute.name +
                   " Expected: " + std::string(TypeName(attribute.type)) + " Actual: " +
                   std::string(stator::TypeName(value->type())) + " IndexName: " + index.name);
  }
  if (IsEmptyText(*value)) {
    return Invalid(EmptyIndexKeyText(index, attribute, writer));
  }
  return CheckKeyLength(*value, is_sort);
}

Result<void> CheckKeysOfIndex(const Index& index, const Item& item, Writer writer) {
  for (const KeyAttribute& attribute : index.partition) {
    TRY_VOID(CheckIndexKeyAttribute(index, attribute, item, false, writer));
  }
  for (const KeyAttribute& attribute : index.sort) {
    TRY_VOID(CheckIndexKeyAttribute(index, attribute, item, true, writer));
  }
  return {};
}

// Of several indexes that the item does not fit the one that is first in the alphabet is named.
Result<void> CheckIndexKeys(const Table& table, const Item& item, Writer writer) {
  Result<void> refusal;
  const Index* refusing = nullptr;
  for (const Index& index : table.indexes) {
    if (index.status == IndexStatus::kDeleting ||
        (refusing != nullptr && refusing->name < index.name)) {
      continue;
    }
    if (Result<void> fits = CheckKeysOfIndex(index, item, writer); !fits) {
      refusal = std::move(fits);
      refusing = &index;
    }
  }
  return refusal;
}

bool IsEmptyKey(const KeyAttribute& attribute, const Item& item) {
  const AttributeValue* value = item.Find(attribute.name);
  return value != nullptr && value->type() == ValueType(attribute.type) && IsEmptyText(*value);
}

}  // namespace

Result<void> CheckKeyPart(const KeyAttribute& attribute, const Item& key, bool is_sort) {
  const AttributeValue* value = key.Find(attribute.name);
  if (value == nullptr || value->type() != ValueType(attribute.type)) {
    return Invalid("The provided key element does not match the schema");
  }
  if (IsEmptyText(*value)) {
    return Invalid("One or more parameter values are not valid. " + EmptyKeyText(attribute));
  }
  return CheckKeyLength(*value, is_sort);
}

Result<void> CheckKey(const Table& table, const Item& key) {
  if (key.size() != (table.sort ? 2U : 1U)) {
    return Invalid("The provided key element does not match the schema");
  }
  TRY_VOID(CheckKeyPart(table.partition, key, false));
  if (table.sort) {
    TRY_VOID(CheckKeyPart(*table.sort, key, true));
  }
  return {};
}

Result<void> CheckItemKeys(const Table& table, const Item& item) {
  TRY_VOID(CheckItemKeyAttribute(table.partition, item, false));
  if (table.sort) {
    TRY_VOID(CheckItemKeyAttribute(*table.sort, item, true));
  }
  return CheckIndexKeys(table, item, Writer::kPut);
}

Result<void> CheckBatchedItemKeys(const Table& table, const Item& item) {
  TRY_VOID(CheckKeyPart(table.partition, item, false));
  if (table.sort) {
    TRY_VOID(CheckKeyPart(*table.sort, item, true));
  }
  return CheckIndexKeys(table, item, Writer::kPut);
}

Result<void> CheckKeyNotEmpty(const Table& table, const Item& item) {
  if (IsEmptyKey(table.partition, item)) {
    return CheckKeyPart(table.partition, item, false);
  }
  if (table.sort && IsEmptyKey(*table.sort, item)) {
    return CheckKeyPart(*table.sort, item, true);
  }
  return {};
}

Result<void> CheckUpdatedIndexKeys(const Table& table, const Item& item) {
  return CheckIndexKeys(table, item, Writer::kUpdate);
}

bool IsUsableKey(const KeyAttribute& attribute, const AttributeValue& value, bool is_sort) {
  return value.type() == ValueType(attribute.type) && !IsEmptyText(value) &&
         CheckKeyLength(value, is_sort).has_value();
}

bool BelongsTo(const Index& index, const Item& item) {
  const auto fits = [&](const KeyAttribute& attribute, bool is_sort) {
    const AttributeValue* value = item.Find(attribute.name);
    return value != nullptr && IsUsableKey(attribute, *value, is_sort);
  };
  return std::all_of(index.partition.begin(), index.partition.end(),
                     [&](const auto& attribute) { return fits(attribute, false); }) &&
         std::all_of(index.sort.begin(), index.sort.end(),
                     [&](const auto& attribute) { return fits(attribute, true); });
}

Result<void> CheckUpdatedItemSize(const Item& item) {
  if (value::SizeOfItem(item) > limits::kItemBytesMax) {
    return Fail(ErrorCode::kTooLarge, "Item size to update has exceeded the maximum allowed size");
  }
  return {};
}

}  // namespace stator::engine
