#include "stator/value/attribute_value.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>

#include "base/check.h"
#include "value/name_order.h"
#include "value/stored_map.h"

namespace stator {
namespace {

constexpr auto kBeforeName = [](const Map::value_type& entry, std::string_view name) {
  return value::IsBefore(entry.first, name);
};

// How many entries are compared one by one sooner than halved: names differ in size or first byte.
constexpr std::size_t kFewEntries = 16;

// The entry of that name, or the end.
template <class Entries>
auto FindIn(Entries& all, std::string_view name) {
  if (all.size() <= kFewEntries && !name.empty()) {
    return std::find_if(all.begin(), all.end(), [&](const Map::value_type& entry) {
      const std::string& other = entry.first;
      return other.size() == name.size() && other[0] == name[0] && other == name;
    });
  }
  const auto found = std::lower_bound(all.begin(), all.end(), name, kBeforeName);
  return found != all.end() && found->first == name ? found : all.end();
}

constexpr auto kNotBehind = [](const Map::value_type& left, const Map::value_type& right) {
  return !value::IsBefore(left.first, right.first);
};

// Assigning one variant to another costs several times what destroying it and making it anew does,
// so entries change their places by the latter.
static_assert(std::is_nothrow_move_constructible_v<Map::value_type>);
void Replace(Map::value_type& entry, Map::value_type&& by) {
  std::destroy_at(&entry);
  std::construct_at(&entry, std::move(by));
}

AttributeValue& Insert(std::vector<Map::value_type>& entries, Map::iterator before,
                       std::string name, AttributeValue value) {
  if (before == entries.end()) {
    return entries.emplace_back(std::move(name), std::move(value)).second;
  }
  const auto place = static_cast<std::size_t>(before - entries.begin());
  std::size_t last = entries.size() - 1;
  entries.emplace_back(std::move(entries[last]));
  for (; last > place; --last) {
    Replace(entries[last], std::move(entries[last - 1]));
  }
  Replace(entries[place], {std::move(name), std::move(value)});
  return entries[place].second;
}

}  // namespace

Map::Map(std::initializer_list<value_type> entries) {
  Assign(std::vector<value_type>(entries));
}

// The bytes are copied where there are some: they are less work than what they say.
Map::Map(const Map& other) : stored_(other.stored_ ? other.stored_->Clone().release() : nullptr) {
  if (!stored_) {
    entries_ = other.entries_;
  }
}

Map& Map::operator=(const Map& other) {
  if (this != &other) {
    *this = Map(other);
  }
  return *this;
}

Map Map::FromStored(std::unique_ptr<const value::StoredMap> stored) {
  Map map;
  map.stored_.reset(stored.release());
  return map;
}

void Map::DropStored::operator()(const value::StoredMap* stored) const {
  delete stored;
}

const Map::Entries& Map::StoredEntries() const {
  return stored_->entries();
}

std::size_t Map::StoredSize() const {
  return stored_->count();
}

void Map::TakeStoredEntries() {
  entries_ = stored_->TakeEntries();
  stored_.reset();
}

void Map::reserve(std::size_t entries) {
  this->entries().reserve(entries);
}

const AttributeValue* Map::Find(std::string_view name) const {
  if (stored_) {
    if (const std::optional<const AttributeValue*> found = stored_->FindAlone(name)) {
      return *found;
    }
  }
  const Entries& all = entries();
  const auto found = FindIn(all, name);
  return found != all.end() ? &found->second : nullptr;
}

AttributeValue* Map::Find(std::string_view name) {
  Entries& all = entries();
  const auto found = FindIn(all, name);
  return found != all.end() ? &found->second : nullptr;
}

const AttributeValue& Map::at(std::string_view name) const {
  const AttributeValue* value = Find(name);
  CHECK_THAT(value != nullptr, name);
  return *value;
}

AttributeValue& Map::operator[](std::string_view name) {
  Entries& all = entries();
  const auto found = std::lower_bound(all.begin(), all.end(), name, kBeforeName);
  if (found != all.end() && found->first == name) {
    return found->second;
  }
  return Insert(all, found, std::string(name), AttributeValue());
}

void Map::Set(std::string name, AttributeValue value) {
  Entries& all = entries();
  if (!all.empty() && value::IsBefore(all.back().first, name)) {
    all.emplace_back(std::move(name), std::move(value));
    return;
  }
  const auto found = std::lower_bound(all.begin(), all.end(), name, kBeforeName);
  if (found != all.end() && found->first == name) {
    found->second = std::move(value);
  } else {
    Insert(all, found, std::move(name), std::move(value));
  }
}

bool Map::Erase(std::string_view name) {
  Entries& all = entries();
  if (!all.empty() && all.back().first == name) {
    all.pop_back();
    return true;
  }
  const auto found = std::lower_bound(all.begin(), all.end(), name, kBeforeName);
  if (found == all.end() || found->first != name) {
    return false;
  }
  for (auto place = found; std::next(place) != all.end(); ++place) {
    Replace(*place, std::move(*std::next(place)));
  }
  all.pop_back();
  return true;
}

void Map::Append(std::string name, AttributeValue value) {
  Entries& all = entries();
  CHECK_THAT(all.empty() || value::IsBefore(all.back().first, name), name);
  all.emplace_back(std::move(name), std::move(value));
}

bool Map::Assign(std::vector<value_type> entries) {
  stored_.reset();
  if (std::adjacent_find(entries.begin(), entries.end(), kNotBehind) == entries.end()) {
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
  if (std::adjacent_find(entries.begin(), entries.end(), kNotBehind) != entries.end()) {
    return false;
  }
  stored_.reset();
  entries_ = std::move(entries);
  return true;
}

bool operator==(const Map& left, const Map& right) {
  if (left.stored_ && right.stored_) {
    return left.stored_->bytes() == right.stored_->bytes();
  }
  return left.entries() == right.entries();
}

AttributeValue::AttributeValue(const AttributeValue& other) = default;
AttributeValue::AttributeValue(AttributeValue&& other) noexcept = default;
AttributeValue& AttributeValue::operator=(const AttributeValue& other) = default;
AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept = default;
AttributeValue::~AttributeValue() = default;

bool operator==(const AttributeValue& left, const AttributeValue& right) {
  return left.value_ == right.value_;
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
