// What the compiler refuses about a described struct, in words for the person who wrote it. The
// field that is meant is a template argument, so it stands in the lines around the message.

#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/fields.h"
#include "stator/mapping/detail/names.h"

namespace stator::mapping {

template <class... Types>
struct TypeList {};

// The alternatives of the variant that is stored in a field of type T, itself or in containers.
template <class T>
struct VariantIn {
  using Alternatives = TypeList<>;
};
template <class... Types>
struct VariantIn<std::variant<Types...>> {
  using Alternatives = TypeList<Types...>;
};
template <class T>
struct VariantIn<std::optional<T>> : VariantIn<T> {};
template <class T, class Allocator>
struct VariantIn<std::vector<T, Allocator>> : VariantIn<T> {};
template <class Key, class T, class Less, class Allocator>
struct VariantIn<std::map<Key, T, Less, Allocator>> : VariantIn<T> {};
template <class Key, class T, class Hash, class Equal, class Allocator>
struct VariantIn<std::unordered_map<Key, T, Hash, Equal, Allocator>> : VariantIn<T> {};

template <class T>
constexpr bool HasKnownName(std::string_view name) {
  if constexpr (Described<T>) {
    return std::binary_search(kKnownNames<T>.begin(), kKnownNames<T>.end(), name);
  } else {
    return false;
  }
}

template <class... Types>
constexpr bool AnyHasName(TypeList<Types...> /*structs*/, [[maybe_unused]] std::string_view name) {
  return (HasKnownName<Types>(name) || ...);
}

// The first name of two equal neighbours, of `names`, which are sorted.
constexpr std::string_view FirstRepeated(const auto& names) {
  const auto found = std::adjacent_find(names.begin(), names.end());
  return found == names.end() ? std::string_view() : *found;
}

// The first of `names` that `forbidden` has too.
constexpr std::string_view FirstForbidden(const auto& names, const auto& forbidden) {
  for (const std::string_view name : names) {
    if (std::find(forbidden.begin(), forbidden.end(), name) != forbidden.end()) {
      return name;
    }
  }
  return {};
}

template <class T, ShownName kField>
struct CheckNamesDiffer {
  static_assert(kField.text[0] == '\0',
                "stator: two fields have the same stored name or alias (shown as kField)");
};
template <class T, ShownName kField>
struct CheckReservedNames {
  static_assert(kField.text[0] == '\0',
                "stator: a field has a name that stator::Mapping says is reserved (shown as "
                "kField); rename it, or store it as another name");
};
template <class T, ShownName kField>
struct CheckRetiredNames {
  static_assert(kField.text[0] == '\0',
                "stator: a field has a name that is retired (shown as kField); old items may "
                "still hold something else there");
};

// What can be wrong about the options of a field.
struct FieldFaults {
  bool rounds = false;
  bool is_not_floating = false;
  bool is_no_time = false;
  bool is_not_optional = false;
  bool omits_empty = false;
  bool cannot_be_compared = false;
  bool has_discriminator = false;

  friend constexpr bool operator==(const FieldFaults&, const FieldFaults&) = default;
};

template <class Type>
constexpr FieldFaults FaultsOf(const FieldOptions& options) {
  constexpr CodecTraits kTraits = Codec<Type>::kTraits;
  return {
      .rounds = kTraits.is_floating && !options.floating,
      .is_not_floating = !kTraits.is_floating && options.floating,
      .is_no_time = !kTraits.is_time && options.time != TimeFormat::kUnit,
      .is_not_optional = !kTraits.is_optional && options.null_when_empty,
      .omits_empty = kTraits.may_be_absent && options.omit_default,
      .cannot_be_compared = options.omit_default && !std::equality_comparable<Type>,
      .has_discriminator =
          AnyHasName(typename VariantIn<Type>::Alternatives(), options.discriminator),
  };
}

template <class T, class Type, ShownName kField, FieldFaults kFaults>
struct CheckField {
  static_assert(!kFaults.rounds,
                "stator: float and double round what they hold; take stator::Number, or say "
                ".floating = true in stator::Mapping (the field is shown as kField)");
  static_assert(!kFaults.is_not_floating,
                "stator: .floating is said of a field that is neither float nor double (shown as "
                "kField)");
  static_assert(!kFaults.is_no_time,
                "stator: .time is said of a field that holds no time (shown as kField)");
  static_assert(!kFaults.is_not_optional,
                "stator: .null_when_empty is said of a field that is not optional (shown as "
                "kField)");
  static_assert(!kFaults.omits_empty,
                "stator: .omit_default is said of an optional or a set, which is left out when it "
                "is empty and not otherwise (shown as kField)");
  static_assert(!kFaults.cannot_be_compared,
                "stator: .omit_default needs an operator== for the field (shown as kField)");
  static_assert(!kFaults.has_discriminator,
                "stator: an alternative of a variant has a field with the name of the "
                "discriminator; say another .discriminator (the variant is shown as kField)");
};

// The checks are classes of long names, so only those that fail are instantiated.
template <class T, std::size_t kPlace>
constexpr bool CheckFieldAt() {
  using FieldType = typename FieldAt<T, kPlace>::Type;
  constexpr FieldFaults kFaults = FaultsOf<FieldType>(FieldAt<T, kPlace>::kOptions);
  if constexpr (kFaults != FieldFaults()) {
    static_cast<void>(CheckField<T, FieldType, Show(FieldAt<T, kPlace>::kOptions.name), kFaults>());
  }
  return true;
}

template <class T>
constexpr bool CheckMembersOfFields() {
  if constexpr (requires { Mapping<T>::kFields; }) {
    return std::apply([](const auto&... field) { return (TableOf<T>::Has(field) && ...); },
                      Mapping<T>::kFields);
  } else {
    return true;
  }
}

template <class T>
constexpr bool CheckNames() {
  constexpr std::string_view kRepeated = FirstRepeated(kKnownNames<T>);
  if constexpr (!kRepeated.empty()) {
    static_cast<void>(CheckNamesDiffer<T, Show(kRepeated)>());
  }
  if constexpr (requires { Mapping<T>::kReserved; }) {
    static_cast<void>(
        CheckReservedNames<T, Show(FirstForbidden(kKnownNames<T>, Mapping<T>::kReserved))>());
  }
  if constexpr (requires { Mapping<T>::kRetired; }) {
    static_cast<void>(
        CheckRetiredNames<T, Show(FirstForbidden(kFieldNames<T>, Mapping<T>::kRetired))>());
  }
  return true;
}

template <class T>
constexpr bool CheckStruct() {
  static_assert(TableOf<T>::kUnknowns <= 1,
                "stator: a struct has at most one member of type UnknownAttributes");
  static_assert(CheckMembersOfFields<T>(),
                "stator: a Field in stator::Mapping is about a member that is not described");
  return CheckNames<T>() && []<std::size_t... kPlaces>(std::index_sequence<kPlaces...>) {
    return (CheckFieldAt<T, kPlaces>() && ...);
  }(std::make_index_sequence<TableOf<T>::kFields>());
}

}  // namespace stator::mapping
