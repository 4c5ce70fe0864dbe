#include "expression/symbols.h"

#include <algorithm>

namespace stator::expression {
namespace {

// One step down; null when `value` is of another type or has no such entry.
const AttributeValue* Step(const Bindings& bindings, PathStep step, const AttributeValue& value) {
  if (step.is_index) {
    const auto* list = value.If<List>();
    return list != nullptr && step.number < list->size() ? &(*list)[step.number] : nullptr;
  }
  const auto* map = value.If<Map>();
  return map != nullptr ? map->Find(bindings.names[step.number]) : nullptr;
}

}  // namespace

Bindings BindLiterally(const Symbols& symbols, std::span<const AttributeValue* const> values) {
  Bindings bindings(symbols);
  for (std::size_t i = 0; i < symbols.names.size(); ++i) {
    bindings.names[i] = symbols.names[i].text;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    bindings.values[i] = values[i];
  }
  return bindings;
}

const AttributeValue* FindPath(const Symbols& symbols, const Bindings& bindings, Path path,
                               const Item* item) {
  if (item == nullptr) {
    return nullptr;
  }
  const std::span<const PathStep> steps = symbols.StepsOf(path);
  const AttributeValue* value = item->Find(bindings.names[steps.front().number]);
  for (const PathStep step : steps.subspan(1)) {
    if (value == nullptr) {
      return nullptr;
    }
    value = Step(bindings, step, *value);
  }
  return value;
}

std::string PathText(const Symbols& symbols, const Bindings& bindings, Path path) {
  std::string text = "[";
  for (const PathStep step : symbols.StepsOf(path)) {
    if (text.size() > 1) {
      text += ", ";
    }
    if (step.is_index) {
      text += '[' + std::to_string(step.number) + ']';
    } else {
      text += bindings.names[step.number];
    }
  }
  text += ']';
  return text;
}

std::vector<std::string_view> TopLevelAttributes(const Symbols& symbols, const Bindings& bindings,
                                                 std::span<const Path> paths) {
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const Path path : paths) {
    names.push_back(bindings.names[symbols.StepsOf(path).front().number]);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

bool LooksInside(const Symbols& symbols, const Bindings& bindings, std::span<const Path> paths,
                 std::string_view attribute) {
  return std::ranges::any_of(paths, [&](Path path) {
    return path.step_count > 1 && bindings.names[symbols.StepsOf(path).front().number] == attribute;
  });
}

}  // namespace stator::expression
