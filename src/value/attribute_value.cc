#include "stator/value/attribute_value.h"

#include <algorithm>

#include "base/check.h"

namespace stator {
namespace {

constexpr auto kBeforeName = [](const Map::value_type& entry, std::string_view name) {
  return entry.first < name;
};

}  // namespace

Map::Map(std::initializer_list<value_type> entries) {
  Assign(std::vector<value_type>(entries));
}

Map::iterator Map::begin() {
  return entries_.begin();
}
Map::iterator Map::end() {
  return entries_.end();
}
Map::const_iterator Map::begin() const {
  return entries_.begin();
}
Map::const_iterator Map::end() const {
  return entries_.end();
}
std::size_t Map::size() const {
  return entries_.size();
}
bool Map::empty() const {
  return entries_.empty();
}
void Map::reserve(std::size_t entries) {
  entries_.reserve(entries);
}

const AttributeValue* Map::Find(std::string_view name) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name, kBeforeName);
  return found != entries_.end() && found->first == name ? &found->second : nullptr;
}

AttributeValue* Map::Find(std::string_view name) {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name, kBeforeName);
  return found != entries_.end() && found->first == name ? &found->second : nullptr;
}

const AttributeValue& Map::at(std::string_view name) const {
  const AttributeValue* value = Find(name);
  CHECK_THAT(value != nullptr, name);
  return *value;
}

AttributeValue& Map::operator[](std::string_view name) {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name, kBeforeName);
  if (found != entries_.end() && found->first == name) {
    return found->second;
  }
  return entries_.emplace(found, std::string(name), AttributeValue())->second;
}

void Map::Set(std::string name, AttributeValue value) {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name, kBeforeName);
  if (found != entries_.end() && found->first == name) {
    found->second = std::move(value);
  } else {
    entries_.emplace(found, std::move(name), std::move(value));
  }
}

bool Map::Erase(std::string_view name) {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name, kBeforeName);
  if (found == entries_.end() || found->first != name) {
    return false;
  }
  entries_.erase(found);
  return true;
}

void Map::Append(std::string name, AttributeValue value) {
  CHECK_THAT(entries_.empty() || entries_.back().first < name, name);
  entries_.emplace_back(std::move(name), std::move(value));
}

bool Map::Assign(std::vector<value_type> entries) {
  const auto not_before = [](const value_type& left, const value_type& right) {
    return left.first >= right.first;
  };
  if (std::adjacent_find(entries.begin(), entries.end(), not_before) == entries.end()) {
    entries_ = std::move(entries);
    return true;
  }
  // Pointers are sorted instead of entries, so that each entry moves once. Equal names stay in the
  // order in which they came.
  std::vector<value_type*> order;
  order.reserve(entries.size());
  for (value_type& entry : entries) {
    order.push_back(&entry);
  }
  std::sort(order.begin(), order.end(), [](const value_type* left, const value_type* right) {
    const int names = left->first.compare(right->first);
    return names != 0 ? names < 0 : left < right;
  });
  entries_.clear();
  entries_.reserve(entries.size());
  for (value_type* entry : order) {
    if (!entries_.empty() && entries_.back().first == entry->first) {
      entries_.back().second = std::move(entry->second);
    } else {
      entries_.push_back(std::move(*entry));
    }
  }
  return entries_.size() == entries.size();
}

bool Map::AssignSorted(std::vector<value_type> entries) {
  const auto not_behind = [](const value_type& left, const value_type& right) {
    return left.first >= right.first;
  };
  if (std::adjacent_find(entries.begin(), entries.end(), not_behind) != entries.end()) {
    return false;
  }
  entries_ = std::move(entries);
  return true;
}

bool operator==(const Map& left, const Map& right) {
  return left.entries_ == right.entries_;
}

std::string_view TypeName(AttributeValue::Type type) {
  switch (type) {
    case AttributeValue::Type::kNull:
      return "NULL";
    case AttributeValue::Type::kBool:
      return "BOOL";
    case AttributeValue::Type::kString:
      return "S";
    case AttributeValue::Type::kNumber:
      return "N";
    case AttributeValue::Type::kBinary:
      return "B";
    case AttributeValue::Type::kStringSet:
      return "SS";
    case AttributeValue::Type::kNumberSet:
      return "NS";
    case AttributeValue::Type::kBinarySet:
      return "BS";
    case AttributeValue::Type::kList:
      return "L";
    case AttributeValue::Type::kMap:
      return "M";
  }
  base::FailCheck("AttributeValue::Type is one of its enumerators", "");
}

std::partial_ordering CompareScalars(const AttributeValue& left, const AttributeValue& right) {
  if (left.type() != right.type()) {
    return std::partial_ordering::unordered;
  }
  if (const auto* text = left.If<std::string>()) {
    return text->compare(*right.If<std::string>()) <=> 0;
  }
  if (const auto* number = left.If<Number>()) {
    return *number <=> *right.If<Number>();
  }
  if (const auto* binary = left.If<Binary>()) {
    return *binary <=> *right.If<Binary>();
  }
  return std::partial_ordering::unordered;
}

}  // namespace stator
