#include "model/values.h"

#include <vector>

namespace stator::model {

AttributeValue ToValue(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return *number;
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return *text;
  }
  const auto& members = std::get<std::set<std::string>>(value);
  return StringSet(std::vector<std::string>(members.begin(), members.end()));
}

Item ToItem(const Attributes& attributes) {
  Item item;
  for (const auto& [name, value] : attributes) {
    item.Set(name, ToValue(value));
  }
  return item;
}

bool IsLess(const Value& left, const Value& right) {
  if (left.index() != right.index() || std::holds_alternative<std::set<std::string>>(left)) {
    return false;
  }
  return left < right;
}

std::string Show(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return "'" + *text + "'";
  }
  std::string shown = "{";
  for (const std::string& member : std::get<std::set<std::string>>(value)) {
    shown += (shown.size() > 1 ? "," : "") + member;
  }
  return shown + "}";
}

std::string Show(const Attributes& attributes) {
  std::string shown = "(";
  for (const auto& [name, value] : attributes) {
    shown += (shown.size() > 1 ? " " : "") + name + "=" + Show(value);
  }
  return shown + ")";
}

std::string Show(const Key& key) {
  return "[" + key.first + " " + std::to_string(key.second) + "]";
}

}  // namespace stator::model
