#include "stator/patterns/table_layout.h"

#include "value/dynamodb_json.h"

namespace stator::patterns {

Result<Item> KeyOf(const TableLayout& layout, const Item& item) {
  Item key;
  for (const std::string& name : layout.key_attributes) {
    const AttributeValue* value = item.Find(name);
    if (value == nullptr) {
      return Invalid("an item for table " + layout.table_name + " has no key attribute " + name);
    }
    key.Set(name, *value);
  }
  return key;
}

std::string KeyText(const Item& key) {
  return value::ToDynamoDbJson(key);
}

Condition ItemExists(const TableLayout& layout) {
  return Attribute(layout.key_attributes.front()).Exists();
}

Condition ItemNotExists(const TableLayout& layout) {
  return Attribute(layout.key_attributes.front()).NotExists();
}

}  // namespace stator::patterns
