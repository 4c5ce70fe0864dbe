// An attribute's value: one of DynamoDB's ten types. And Map, a set of named values, which is what
// an item is.
//
//   Item item = {{"pk", "task#1"}, {"attempts", 3}, {"urgent", true},
//                {"tags", StringSet{"a", "b"}}, {"steps", List{1, "two", Map{{"three", 3}}}}};
//
// Values copy deeply. Text must be UTF-8; what comes in through JSON is checked, what a program
// hands over is checked by the operation that takes it.

#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stator/value/attribute_set.h"
#include "stator/value/number.h"

namespace stator {

class AttributeValue;

namespace value {
class StoredMap;
}

struct Null {
  friend bool operator==(Null, Null) = default;
};

// Bytes that are not text.
struct Binary {
  std::string bytes;

  friend bool operator==(const Binary&, const Binary&) = default;
  // By unsigned bytes, as DynamoDB orders binaries.
  friend std::strong_ordering operator<=>(const Binary& left, const Binary& right) {
    return left.bytes.compare(right.bytes) <=> 0;
  }
};

using StringSet = AttributeSet<std::string>;
using NumberSet = AttributeSet<Number>;
using BinarySet = AttributeSet<Binary>;
using List = std::vector<AttributeValue>;

// Named values, kept sorted by name. Finding is a binary search; adding in the middle moves what
// follows, which is cheap for items as people write them (tens of attributes).
//
// An item that a database has read stays in its stored bytes until somebody looks into it. Nobody
// has to know: it reads like any other, from several threads too.
class Map {
 public:
  using value_type = std::pair<std::string, AttributeValue>;
  using iterator = std::vector<value_type>::iterator;
  using const_iterator = std::vector<value_type>::const_iterator;

  Map() = default;
  Map(std::initializer_list<value_type> entries);  // the last of equal names wins
  Map(const Map& other);
  Map(Map&& other) noexcept = default;
  Map& operator=(const Map& other);
  Map& operator=(Map&& other) noexcept = default;
  ~Map() = default;

  [[nodiscard]] iterator begin();
  [[nodiscard]] iterator end();
  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;
  void reserve(std::size_t entries);

  [[nodiscard]] bool contains(std::string_view name) const { return Find(name) != nullptr; }

  // Null when there is no such entry. The pointer is good until the map is changed.
  [[nodiscard]] const AttributeValue* Find(std::string_view name) const;
  [[nodiscard]] AttributeValue* Find(std::string_view name);

  // REQUIRES: contains(name).
  [[nodiscard]] const AttributeValue& at(std::string_view name) const;

  // The entry of that name, made Null first if it was not there.
  AttributeValue& operator[](std::string_view name);

  void Set(std::string name, AttributeValue value);

  // Whether there was such an entry.
  bool Erase(std::string_view name);

  // Adds an entry behind all others; the way to build a map from sorted input in linear time.
  // REQUIRES: name sorts behind every name present.
  void Append(std::string name, AttributeValue value);

  // Takes entries in any order. False when two have the same name; the last then wins.
  bool Assign(std::vector<value_type> entries);

  // Takes entries that are in order already. False, and nothing taken, when a name does not sort
  // behind the one before it.
  bool AssignSorted(std::vector<value_type> entries);

  friend bool operator==(const Map& left, const Map& right);

  // For the library itself: a map that is still the bytes in which it was stored, and those bytes
  // for as long as they say what the map says; null otherwise.
  [[nodiscard]] static Map FromStored(std::unique_ptr<const value::StoredMap> stored);
  [[nodiscard]] const value::StoredMap* stored() const { return stored_.get(); }

 private:
  using Entries = std::vector<value_type>;
  struct DropStored {
    void operator()(const value::StoredMap* stored) const;
  };

  [[nodiscard]] const Entries& entries() const {
    return stored_ == nullptr ? entries_ : StoredEntries();
  }
  // To be changed: from here on the stored bytes no longer count.
  [[nodiscard]] Entries& entries() {
    if (stored_ != nullptr) {
      TakeStoredEntries();
    }
    return entries_;
  }
  [[nodiscard]] const Entries& StoredEntries() const;
  [[nodiscard]] std::size_t StoredSize() const;
  void TakeStoredEntries();

  Entries entries_;  // empty while `stored_` is there
  std::unique_ptr<const value::StoredMap, DropStored> stored_;
};

using Item = Map;

class AttributeValue {
 public:
  // The order is that of the alternatives below.
  enum class Type : std::uint8_t {
    kNull,
    kBool,
    kString,
    kNumber,
    kBinary,
    kStringSet,
    kNumberSet,
    kBinarySet,
    kList,
    kMap,
  };

  // NOLINTBEGIN(google-explicit-constructor): literals of items depend on these conversions, and
  // the constraints keep them honest ("x" cannot become a bool, 'c' cannot become a number).
  AttributeValue() : value_(Null{}) {}
  AttributeValue(Null) : value_(Null{}) {}
  AttributeValue(std::same_as<bool> auto value) : value_(value) {}
  AttributeValue(std::string value) : value_(std::move(value)) {}
  AttributeValue(std::string_view value) : value_(std::string(value)) {}
  AttributeValue(const char* value) : value_(std::string(value)) {}
  AttributeValue(std::nullptr_t) = delete;  // Null{} is DynamoDB's null
  AttributeValue(NumberLike auto value) : value_(Number(value)) {}
  AttributeValue(Number value) : value_(value) {}
  AttributeValue(Binary value) : value_(std::move(value)) {}
  AttributeValue(StringSet value) : value_(std::move(value)) {}
  AttributeValue(NumberSet value) : value_(std::move(value)) {}
  AttributeValue(BinarySet value) : value_(std::move(value)) {}
  AttributeValue(List value) : value_(std::move(value)) {}
  AttributeValue(Map value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  // Not here: a variant of ten types, copied and destroyed in every file, was a fifth of what
  // compiling a program costs.
  AttributeValue(const AttributeValue& other);
  AttributeValue(AttributeValue&& other) noexcept;
  AttributeValue& operator=(const AttributeValue& other);
  AttributeValue& operator=(AttributeValue&& other) noexcept;
  ~AttributeValue();

  [[nodiscard]] Type type() const { return static_cast<Type>(value_.index()); }

  // The value if it is of that type (Null, bool, std::string, Number, Binary, StringSet,
  // NumberSet, BinarySet, List, Map), else a null pointer.
  template <class T>
  [[nodiscard]] const T* If() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  [[nodiscard]] T* If() {
    return std::get_if<T>(&value_);
  }

  template <class T>
  [[nodiscard]] bool Is() const {
    return std::holds_alternative<T>(value_);
  }

  // Calls `visitor` with the typed value.
  template <class Visitor>
  decltype(auto) Visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), value_);
  }

  friend bool operator==(const AttributeValue& left, const AttributeValue& right);

 private:
  std::variant<Null, bool, std::string, Number, Binary, StringSet, NumberSet, BinarySet, List, Map>
      value_;
};

inline Map::iterator Map::begin() {
  return entries().begin();
}
inline Map::iterator Map::end() {
  return entries().end();
}
inline Map::const_iterator Map::begin() const {
  return entries().begin();
}
inline Map::const_iterator Map::end() const {
  return entries().end();
}
inline std::size_t Map::size() const {
  return stored_ == nullptr ? entries_.size() : StoredSize();
}
inline bool Map::empty() const {
  return size() == 0;
}

// "S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL".
std::string_view TypeName(AttributeValue::Type type);

// The order of two strings, two numbers or two binaries; unordered when the types differ or have no
// order in DynamoDB.
std::partial_ordering CompareScalars(const AttributeValue& left, const AttributeValue& right);

}  // namespace stator
