#include "stores/tasks/variables.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/try.h"

namespace stator::tasks {
namespace {

Result<void> CheckText(const std::string& text, const VariableLimits& limits) {
  if (text.size() > limits.text_bytes_max) {
    return Invalid("string value length " + std::to_string(text.size()) +
                   " bytes exceeds maximum " + std::to_string(limits.text_bytes_max) + " bytes");
  }
  return {};
}

// Stops at the limit, so the recursion is as deep as the limit allows.
Result<void> CheckValue(const Json& value, std::size_t depth, const VariableLimits& limits) {
  if (depth > limits.depth_max) {
    return Invalid("variable nesting depth " + std::to_string(depth) + " exceeds maximum " +
                   std::to_string(limits.depth_max));
  }
  if (const auto* const text = value.If<std::string>()) {
    return CheckText(*text, limits);
  }
  if (const auto* const array = value.If<JsonArray>()) {
    for (const Json& element : *array) {
      TRY_VOID(CheckValue(element, depth + 1, limits));
    }
  }
  if (const auto* const object = value.If<JsonObject>()) {
    for (const auto& [name, member] : *object) {
      TRY_VOID(CheckText(name, limits));
      TRY_VOID(CheckValue(member, depth + 1, limits));
    }
  }
  return {};
}

}  // namespace

Result<void> CheckVariables(const JsonObject& changes, const VariableLimits& limits) {
  for (const auto& [name, value] : changes) {
    Result<void> checked = CheckText(name, limits);
    if (checked) {
      checked = CheckValue(value, 0, limits);
    }
    if (!checked) {
      return Invalid("variable validation failed: variable '" + name.substr(0, 64) +
                     "': " + checked.error().message);
    }
  }
  return {};
}

JsonObject Merged(const JsonObject& variables, const JsonObject& changes) {
  // Both may be as large as the limits allow, so each name is looked up once.
  std::unordered_map<std::string_view, const Json*> changed;
  for (const auto& [name, value] : changes) {
    changed.emplace(name, &value);
  }
  std::vector<JsonObject::value_type> merged;
  const auto add = [&merged](const std::string& name, const Json& value) {
    if (!value.is_null()) {
      merged.emplace_back(name, value);
    }
  };
  for (const auto& [name, value] : variables) {
    const auto change = changed.extract(name);
    if (change.empty()) {
      merged.emplace_back(name, value);
    } else {
      add(name, *change.mapped());
    }
  }
  for (const auto& [name, value] : changes) {
    if (changed.contains(name)) {
      add(name, value);
    }
  }
  return JsonObject(std::move(merged));
}

}  // namespace stator::tasks
