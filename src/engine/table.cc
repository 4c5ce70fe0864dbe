#include "engine/table.h"

#include <algorithm>

#include "base/check.h"
#include "engine/contributors.h"

namespace stator::engine {

std::vector<KeyAttribute> Index::KeyAttributes() const {
  DCHECK(!partition.empty());
  std::vector<KeyAttribute> all = partition;
  all.insert(all.end(), sort.begin(), sort.end());
  return all;
}

const Index* Table::FindIndex(std::string_view index_name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const Index& index) { return index.name == index_name; });
  return found == indexes.end() ? nullptr : &*found;
}

bool Table::has_local_indexes() const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const Index& index) { return !index.global; });
}

bool Table::has_global_indexes() const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const Index& index) { return index.global; });
}

bool Table::IsKeyAttribute(std::string_view attribute) const {
  return partition.name == attribute || (sort && sort->name == attribute);
}

std::string_view TypeName(ScalarAttributeType type) {
  return stator::TypeName(ValueType(type));
}

AttributeValue::Type ValueType(ScalarAttributeType type) {
  switch (type) {
    case ScalarAttributeType::kString:
      return AttributeValue::Type::kString;
    case ScalarAttributeType::kNumber:
      return AttributeValue::Type::kNumber;
    case ScalarAttributeType::kBinary:
      return AttributeValue::Type::kBinary;
  }
  base::FailCheck("ScalarAttributeType is one of its enumerators", "");
}

Item KeyOf(const Table& table, const Item& item) {
  Item key;
  key.Set(table.partition.name, item.at(table.partition.name));
  if (table.sort) {
    key.Set(table.sort->name, item.at(table.sort->name));
  }
  return key;
}

Item ProjectionOf(const Table& table, const Index& index, const Item& item) {
  if (index.projection == ProjectionType::kAll) {
    return item;
  }
  Item projected = KeyOf(table, item);
  const auto take = [&](const std::string& name) {
    if (const AttributeValue* value = item.Find(name)) {
      projected.Set(name, *value);
    }
  };
  for (const KeyAttribute& attribute : index.partition) {
    take(attribute.name);
  }
  for (const KeyAttribute& attribute : index.sort) {
    take(attribute.name);
  }
  for (const std::string& name : index.non_key_attributes) {
    take(name);
  }
  return projected;
}

void SetContributors(Table& table) {
  table.contributors =
      table.insights && table.insights->enabled
          ? std::make_shared<Contributors>(
                table.insights->mode,
                Contributors::Keys{.partition = 1, .sort = table.sort ? std::size_t{1} : 0})
          : nullptr;
}

void SetContributors(Index& index) {
  index.contributors =
      index.insights && index.insights->enabled
          ? std::make_shared<Contributors>(
                index.insights->mode,
                Contributors::Keys{.partition = index.partition.size(), .sort = index.sort.size()})
          : nullptr;
}

}  // namespace stator::engine
