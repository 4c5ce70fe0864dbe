// Reading attributes whose type is known: what is missing, or of another type, is empty.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "stator/value/attribute_value.h"

namespace stator::sessions {

template <class T>
const T* FindAs(const Map& map, std::string_view name) {
  const AttributeValue* value = map.Find(name);
  return value == nullptr ? nullptr : value->If<T>();
}

inline const Map* FindMap(const Map& map, std::string_view name) {
  return FindAs<Map>(map, name);
}

inline std::string TextOf(const Map& map, std::string_view name) {
  const auto* text = FindAs<std::string>(map, name);
  return text == nullptr ? std::string() : *text;
}

inline std::int64_t CountOf(const Map& map, std::string_view name) {
  const auto* number = FindAs<Number>(map, name);
  return number == nullptr ? 0 : number->ToInt64().value_or(0);
}

}  // namespace stator::sessions
