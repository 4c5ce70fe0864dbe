// The key of an entity: the fields that its key templates name, in the order in which they occur
// there, each once.
//
//   accounts.Read({"a1"});                               // "ACCOUNT#{id}"
//   orders.Read({"ann", 17});                            // "CUSTOMER#{customer}", "ORDER#{number}"
//   orders.Read(EntityKey<Order>::Of(order));
//
// A key that cannot be made (a value that holds the text behind it in the template) fails when it
// is used, with kValidation.

#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/mapping/mapping.h"
#include "stator/stores/entities/detail/field_values.h"
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
bool EncodeKeyField(Argument&& argument, NamedField& field) {
  using Field = mapping::FieldAt<T, kPlace>;
  using Type = typename Field::Type;
  constexpr bool kFits = FitsField<Argument, Type>();
  static_assert(kFits, "stator: a key is made of a value of another type than its field");
  field.name = Field::kOptions.name;
  if constexpr (kFits) {
    return EncodeField<Type>(std::forward<Argument>(argument), Field::kOptions, field.value) ==
           mapping::Encoded::kValue;
  }
  return false;
}

inline std::unexpected<Error> NoKeyOf(std::string_view field) {
  return Invalid("a key cannot be made of this value of " + std::string(field));
}

// Whether all of them are encoded, the first fields of `kList`; the first that is not is the one
// behind `encoded`.
template <class T, auto kList, class... Arguments>
bool EncodeKeyFields(NamedField* fields, std::size_t& encoded, Arguments&&... arguments) {
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    static_cast<void>(((EncodeKeyField<T, kList.places[kIndex]>(std::forward<Arguments>(arguments),
                                                                fields[kIndex]) &&
                        ++encoded > 0) &&
                       ...));
  }(std::index_sequence_for<Arguments...>());
  return encoded == sizeof...(Arguments);
}

// What `maker` makes of the fields of `kList` with these values.
template <class T, auto kList, class Maker, class... Arguments>
auto MakeOfFields(const Maker& maker, Arguments&&... arguments)
    -> decltype(maker.Make(std::span<const NamedField>())) {
  constexpr bool kAllGiven = sizeof...(Arguments) == kList.count;
  static_assert(kAllGiven, "stator: a key takes one value for each field that its templates name");
  std::array<NamedField, sizeof...(Arguments)> fields;
  if constexpr (kAllGiven) {
    std::size_t encoded = 0;
    if (!EncodeKeyFields<T, kList>(fields.data(), encoded, std::forward<Arguments>(arguments)...)) {
      return NoKeyOf(fields[encoded].name);
    }
  }
  return maker.Make(std::span<const NamedField>(fields));
}

// The first fields of `kList`.
template <class T, auto kList, class... Arguments>
Result<std::vector<NamedField>> EncodeFirst(Arguments&&... arguments) {
  constexpr bool kNotMore = sizeof...(Arguments) <= kList.count;
  static_assert(kNotMore, "stator: a sort key takes no more values than its template has fields");
  std::vector<NamedField> fields(sizeof...(Arguments));
  if constexpr (kNotMore) {
    std::size_t encoded = 0;
    if (!EncodeKeyFields<T, kList>(fields.data(), encoded, std::forward<Arguments>(arguments)...)) {
      return NoKeyOf(fields[encoded].name);
    }
  }
  return fields;
}

}  // namespace detail

template <Entity T>
class EntityKey {
 public:
  // NOLINTBEGIN(google-explicit-constructor): {"a1"} is a key.
  template <class... Arguments>
    requires((sizeof...(Arguments) > 0 || detail::MakeKeyFields<T>().count == 0) &&
             !(std::same_as<std::remove_cvref_t<Arguments>, EntityKey> || ...))
  EntityKey(Arguments&&... fields)
      : key_(detail::MakeOfFields<T, detail::MakeKeyFields<T>()>(
            detail::KeyMakerOf<T>(), std::forward<Arguments>(fields)...)) {}
  // NOLINTEND(google-explicit-constructor)

  static EntityKey Of(const T& entity) {
    Result<Item> fields = ToItem(entity);
    return EntityKey(fields ? detail::KeyMakerOf<T>().Make(*fields) : std::move(fields));
  }

  // The key attributes, or why there are none.
  [[nodiscard]] const Result<Item>& attributes() const& { return key_; }
  [[nodiscard]] Result<Item>&& attributes() && { return std::move(key_); }

 private:
  explicit EntityKey(Result<Item>&& key) : key_(std::move(key)) {}

  Result<Item> key_;
};

}  // namespace stator::entities
