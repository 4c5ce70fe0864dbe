// The name of an index as a template argument: QueryIndex<"by_state">(...).

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "stator/stores/entities/entity_traits.h"

namespace stator::entities {

template <std::size_t kSize>
struct IndexName {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a name.
  consteval IndexName(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }

  [[nodiscard]] constexpr std::string_view view() const { return {text, kSize - 1}; }

  char text[kSize] = {};
};

namespace detail {

// The place of the index among those of the entity; their number when there is none. No pointer:
// g++ 12 takes no comparison of one for a constant when sanitizers are on.
template <class T>
constexpr std::size_t PlaceOfIndex(std::string_view name) {
  std::size_t place = 0;
  for (const Index& index : SettingsOf<T>::kIndexes) {
    if (index.name == name) {
      break;
    }
    ++place;
  }
  return place;
}
template <class T>
constexpr bool HasIndex(std::string_view name) {
  return PlaceOfIndex<T>(name) < SettingsOf<T>::kIndexes.size();
}

// The templates of a table (no name) or of one of its indexes.
template <class T, IndexName kIndex>
constexpr KeyTemplate PartitionKeyOf() {
  if constexpr (kIndex.view().empty()) {
    return EntityTraits<T>::kPartitionKey;
  } else {
    return EntityTraits<T>::kIndexes[PlaceOfIndex<T>(kIndex.view())].partition_key;
  }
}
template <class T, IndexName kIndex>
constexpr std::optional<KeyTemplate> SortKeyOf() {
  if constexpr (!kIndex.view().empty()) {
    return EntityTraits<T>::kIndexes[PlaceOfIndex<T>(kIndex.view())].sort_key;
  } else if constexpr (HasSortKey<T>()) {
    return EntityTraits<T>::kSortKey;
  } else {
    return std::nullopt;
  }
}

}  // namespace detail

}  // namespace stator::entities
