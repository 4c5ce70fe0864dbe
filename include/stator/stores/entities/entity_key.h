// The key of an entity: the fields that its key templates name, in the order in which they occur
// there, each once.
//
//   accounts.Read({"a1"});                               // "ACCOUNT#{id}"
//   orders.Read({"ann", 17});                            // "CUSTOMER#{customer}", "ORDER#{number}"
//   orders.Read(EntityKey<Order>::Of(order));
//
// A key that cannot be made (a value that holds the text behind it in the template) fails when it
// is used, with InvalidRequest.

#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/stores/entities/detail/key_maker.h"
#include "stator/stores/entities/entity_traits.h"
#include "stator/value/attribute_value.h"

namespace stator::entities {

namespace detail {

// The place of a field among those of T.
template <class T>
constexpr std::size_t PlaceOf(std::string_view name) {
  return static_cast<std::size_t>(
      std::find(mapping::kFieldNames<T>.begin(), mapping::kFieldNames<T>.end(), name) -
      mapping::kFieldNames<T>.begin());
}

// The fields that templates name, each once, in order, as places.
template <std::size_t kMax>
struct FieldPlaces {
  std::array<std::size_t, kMax> places = {};
  std::size_t count = 0;
};

template <class T>
constexpr void AddPlaces(std::string_view text, FieldPlaces<mapping::TableOf<T>::kFields>& list) {
  while (!text.empty()) {
    TemplatePart part;
    if (!TakePart(text, part)) {
      return;
    }
    const std::size_t place = part.field.empty() ? list.places.size() : PlaceOf<T>(part.field);
    const auto end = list.places.begin() + static_cast<std::ptrdiff_t>(list.count);
    if (place < list.places.size() && std::find(list.places.begin(), end, place) == end) {
      list.places[list.count++] = place;
    }
  }
}

template <class T>
constexpr auto MakeKeyFields() {
  FieldPlaces<mapping::TableOf<T>::kFields> list;
  AddPlaces<T>(EntityTraits<T>::kPartitionKey.text, list);
  if constexpr (HasSortKey<T>()) {
    AddPlaces<T>(EntityTraits<T>::kSortKey.text, list);
  }
  return list;
}
template <class T>
constexpr auto MakePartitionFields(std::string_view text) {
  FieldPlaces<mapping::TableOf<T>::kFields> list;
  AddPlaces<T>(text, list);
  return list;
}

template <class T, std::size_t kPlace, class Argument>
Result<void> AddField(Argument&& argument, Item& fields) {
  using Field = mapping::FieldAt<T, kPlace>;
  const typename Field::Type value(std::forward<Argument>(argument));
  AttributeValue attribute;
  mapping::Problem problem;
  if (mapping::Codec<typename Field::Type>::Encode(value, Field::kOptions, attribute, problem) !=
      mapping::Encoded::kValue) {
    return Invalid("a key cannot be made of this value of " + std::string(Field::kOptions.name));
  }
  fields.Set(std::string(Field::kOptions.name), std::move(attribute));
  return {};
}

// The arguments as the fields of `kList`.
template <class T, auto kList, class... Arguments>
Result<Item> MakeFields(Arguments&&... arguments) {
  static_assert(sizeof...(Arguments) == kList.count,
                "stator: a key takes one value for each field that its templates name");
  Item fields;
  Result<void> good;
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    static_cast<void>(
        ((good = AddField<T, kList.places[kIndex]>(std::forward<Arguments>(arguments), fields),
          good.has_value()) &&
         ...));
  }(std::index_sequence_for<Arguments...>());
  if (!good) {
    return std::unexpected(std::move(good).error());
  }
  return fields;
}

}  // namespace detail

template <Entity T>
class EntityKey {
 public:
  // NOLINTBEGIN(google-explicit-constructor): {"a1"} is a key.
  template <class... Arguments>
    requires(sizeof...(Arguments) == detail::MakeKeyFields<T>().count &&
             !(std::same_as<std::remove_cvref_t<Arguments>, EntityKey> || ...))
  EntityKey(Arguments&&... fields)
      : key_(Make(detail::MakeFields<T, detail::MakeKeyFields<T>()>(
            std::forward<Arguments>(fields)...))) {}
  // NOLINTEND(google-explicit-constructor)

  static EntityKey Of(const T& entity) { return EntityKey(Make(ToItem(entity))); }

  // The key attributes, or why there are none.
  [[nodiscard]] const Result<Item>& attributes() const { return key_; }

 private:
  explicit EntityKey(Result<Item>&& key) : key_(std::move(key)) {}

  static Result<Item> Make(Result<Item> fields) {
    return fields ? detail::KeyMakerOf<T>().Make(*fields) : std::move(fields);
  }

  Result<Item> key_;
};

}  // namespace stator::entities
