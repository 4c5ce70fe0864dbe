#include "stator/stores/tasks/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "stator/value/number.h"
#include "value/json_text.h"

namespace stator::tasks {
namespace {

// Keeps the last of members with equal names. Sorts positions instead of comparing each with each:
// the members may come from a client.
std::vector<JsonObject::value_type> WithoutRepeats(std::vector<JsonObject::value_type> members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t at) { return std::string_view(members[at].first); });
  std::vector<bool> repeated(members.size(), false);
  bool any = false;
  for (std::size_t at = 1; at < order.size(); ++at) {
    if (members[order[at - 1]].first == members[order[at]].first) {
      repeated[order[at - 1]] = true;
      any = true;
    }
  }
  if (any) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < members.size(); ++at) {
      if (!repeated[at]) {
        std::swap(members[kept++], members[at]);
      }
    }
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
  }
  return members;
}

struct Writer {
  std::string& out;

  void operator()(std::nullptr_t) const { out.append("null"); }
  void operator()(bool value) const { out.append(value ? "true" : "false"); }
  void operator()(const JsonNumber& number) const { out.append(number.text); }
  void operator()(const std::string& text) const { value::AppendJsonString(text, out); }
  void operator()(const JsonArray& array) const {
    char separator = '[';
    for (const Json& element : array) {
      out.push_back(separator);
      element.Visit(*this);
      separator = ',';
    }
    out.append(array.empty() ? "[]" : "]");
  }
  void operator()(const JsonObject& object) const {
    char separator = '{';
    for (const auto& [name, value] : object) {
      out.push_back(separator);
      value::AppendJsonString(name, out);
      out.push_back(':');
      value.Visit(*this);
      separator = ',';
    }
    out.append(object.empty() ? "{}" : "}");
  }
};

}  // namespace

JsonObject::JsonObject(std::initializer_list<value_type> members)
    : JsonObject(std::vector<value_type>(members)) {}
JsonObject::JsonObject(std::vector<value_type> members)
    : members_(WithoutRepeats(std::move(members))) {}

JsonObject::iterator JsonObject::begin() {
  return members_.begin();
}
JsonObject::iterator JsonObject::end() {
  return members_.end();
}
JsonObject::const_iterator JsonObject::begin() const {
  return members_.begin();
}
JsonObject::const_iterator JsonObject::end() const {
  return members_.end();
}
std::size_t JsonObject::size() const {
  return members_.size();
}
bool JsonObject::empty() const {
  return members_.empty();
}

const Json* JsonObject::Find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &value_type::first);
  return found == members_.end() ? nullptr : &found->second;
}

Json* JsonObject::Find(std::string_view name) {
  const auto found = std::ranges::find(members_, name, &value_type::first);
  return found == members_.end() ? nullptr : &found->second;
}

void JsonObject::Set(std::string_view name, Json value) {
  if (Json* const found = Find(name)) {
    *found = std::move(value);
  } else {
    members_.emplace_back(name, std::move(value));
  }
}

bool JsonObject::Erase(std::string_view name) {
  const auto found = std::ranges::find(members_, name, &value_type::first);
  if (found == members_.end()) {
    return false;
  }
  members_.erase(found);
  return true;
}

bool operator==(const JsonObject& left, const JsonObject& right) {
  return left.members_ == right.members_;
}

Json::Json(double value) : value_(nullptr) {
  if (!std::isfinite(value)) {
    return;
  }
  std::array<char, 32> text;  // The shortest text of a double has at most 24 characters.
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  CHECK(written.ec == std::errc());
  value_ = JsonNumber{std::string(text.data(), written.ptr)};
}

const Json* Json::Find(std::string_view name) const {
  const auto* const object = If<JsonObject>();
  return object == nullptr ? nullptr : object->Find(name);
}

std::optional<std::string> Json::TextOf(std::string_view name) const {
  const Json* const member = Find(name);
  const auto* const text = member == nullptr ? nullptr : member->If<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> Json::ToInt64() const {
  const auto* const number = If<JsonNumber>();
  if (number == nullptr) {
    return std::nullopt;
  }
  // Exact decimals know that 6e4 is whole; what does not fit them does not fit 64 bits.
  const Result<Number> exact = Number::Parse(number->text);
  if (!exact) {
    return std::nullopt;
  }
  const Result<std::int64_t> whole = exact->ToInt64();
  return whole ? std::optional(*whole) : std::nullopt;
}

std::optional<double> Json::ToDouble() const {
  const auto* const number = If<JsonNumber>();
  if (number == nullptr) {
    return std::nullopt;
  }
  double value = 0;
  const char* const end = number->text.data() + number->text.size();
  const auto read = std::from_chars(number->text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

std::string Json::ToText() const {
  std::string text;
  AppendTo(text);
  return text;
}

void Json::AppendTo(std::string& out) const {
  Visit(Writer{out});
}

}  // namespace stator::tasks
