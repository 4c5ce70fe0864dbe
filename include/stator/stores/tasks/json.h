// Json: a JSON document as a tree, for what clients and tools exchange. Items of the database are
// made of AttributeValues instead, which have DynamoDB's limits; a tool's result has not: it may
// nest deeper, hold numbers of any size and names that are empty.
//
//   Json value = JsonObject{{"name", "Ada"}, {"tags", JsonArray{"a", 1, true, nullptr}}};
//   if (const Json* name = value.Find("name")) { ... }
//   std::string text = value.ToText();
//
// Members keep the order in which they came. A number keeps its text, so nothing is rounded between
// reading and writing; two numbers are equal when their texts are.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stator/base/result.h"

namespace stator::tasks {

class Json;

using JsonArray = std::vector<Json>;

struct JsonNumber {
  std::string text;  // as RFC 8259 writes numbers

  friend bool operator==(const JsonNumber&, const JsonNumber&) = default;
};

// Finding is a linear search, which is the fastest for objects as people write them.
class JsonObject {
 public:
  using value_type = std::pair<std::string, Json>;
  using iterator = std::vector<value_type>::iterator;
  using const_iterator = std::vector<value_type>::const_iterator;

  JsonObject() = default;
  JsonObject(std::initializer_list<value_type> members);  // the last of equal names wins
  explicit JsonObject(std::vector<value_type> members);   // as above

  [[nodiscard]] iterator begin();
  [[nodiscard]] iterator end();
  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;

  // Null when there is no such member. The pointer is good until the object is changed.
  [[nodiscard]] const Json* Find(std::string_view name) const;
  [[nodiscard]] Json* Find(std::string_view name);

  // Replaces the member of that name in its place, or adds it behind the others.
  void Set(std::string_view name, Json value);

  // Whether there was such a member.
  bool Erase(std::string_view name);

  friend bool operator==(const JsonObject& left, const JsonObject& right);

 private:
  std::vector<value_type> members_;
};

class Json {
 public:
  // Documents that nest deeper than this are refused when they are read.
  static constexpr std::size_t kDepthMax = 128;

  // NOLINTBEGIN(google-explicit-constructor): literals of documents depend on these conversions,
  // and the constraints keep them honest ("x" cannot become a bool, 'c' cannot become a number).
  Json() : value_(nullptr) {}
  Json(std::nullptr_t) : value_(nullptr) {}
  Json(std::same_as<bool> auto value) : value_(value) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  template <std::integral T>
    requires(!std::same_as<T, bool> && !std::same_as<T, char>)
  Json(T value) : value_(JsonNumber{std::to_string(value)}) {}
  Json(double value);  // null when it is not finite, as in JavaScript
  Json(JsonNumber value) : value_(std::move(value)) {}
  Json(JsonArray value) : value_(std::move(value)) {}
  Json(JsonObject value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  // Fails with kSerialization for text that is not JSON in UTF-8, or nests too deep. Of members
  // with equal names the last wins.
  static Result<Json> Parse(std::string_view text);

  // The value if it is of that type (std::nullptr_t, bool, JsonNumber, std::string, JsonArray,
  // JsonObject), else a null pointer.
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
  [[nodiscard]] bool is_null() const { return Is<std::nullptr_t>(); }

  // A member of an object; null when this is no object or has none of that name.
  [[nodiscard]] const Json* Find(std::string_view name) const;

  // The text of a string, of the member `name` of an object; absent for everything else.
  [[nodiscard]] std::optional<std::string> TextOf(std::string_view name) const;

  // A number that is a whole one, however it is written (60000, 60000.0, 6e4), and fits.
  [[nodiscard]] std::optional<std::int64_t> ToInt64() const;
  // The nearest double of a number.
  [[nodiscard]] std::optional<double> ToDouble() const;

  // Compact, without white space. REQUIRES: all texts are UTF-8.
  [[nodiscard]] std::string ToText() const;
  void AppendTo(std::string& out) const;

  template <class Visitor>
  decltype(auto) Visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), value_);
  }

  friend bool operator==(const Json&, const Json&) = default;

 private:
  std::variant<std::nullptr_t, bool, JsonNumber, std::string, JsonArray, JsonObject> value_;
};

}  // namespace stator::tasks
