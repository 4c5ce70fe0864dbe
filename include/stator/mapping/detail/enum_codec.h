// Described enums, stored as the names of their enumerators.

#pragma once

#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/names.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/options.h"

namespace stator::mapping {

template <class T>
concept DescribedEnum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;

template <class Enum, class Descriptor>
constexpr std::string_view NameOfEnumerator() {
  if constexpr (requires { Mapping<Enum>::kEnumerators; }) {
    for (const Enumerator<Enum>& given : Mapping<Enum>::kEnumerators) {
      if (given.value == Descriptor::value) {
        return given.name;
      }
    }
  }
  return StyledName<Descriptor, StyleOf<Enum>()>::kName;
}

template <class Enum, class List>
struct EnumTable;
template <class Enum, template <class...> class List, class... Descriptors>
struct EnumTable<Enum, List<Descriptors...>> {
  static constexpr std::array<std::string_view, sizeof...(Descriptors)> kNames = {
      NameOfEnumerator<Enum, Descriptors>()...};
  static constexpr std::array<Enum, sizeof...(Descriptors)> kValues = {Descriptors::value...};
};

// The first name that is there twice; empty if there is none.
constexpr std::string_view RepeatedName(std::span<const std::string_view> names) {
  for (std::size_t at = 0; at < names.size(); ++at) {
    for (std::size_t other = 0; other < at; ++other) {
      if (names[at] == names[other]) {
        return names[at];
      }
    }
  }
  return {};
}

template <class Enum, ShownName kName>
struct EnumeratorName {
  static_assert(kName.text[0] == '\0',
                "stator: two enumerators have the same stored name (shown as kName)");
  static constexpr bool kIsFine = true;
};

// False with the problem, which lists the names.
bool RefuseEnumerator(const AttributeValue& found, std::span<const std::string_view> names,
                      Problem& problem);
Map SchemaOfEnum(std::string_view title, std::span<const std::string_view> names);

template <DescribedEnum Enum>
  requires(!HasStored<Enum>)
struct Codec<Enum> {
  using Table = EnumTable<Enum, boost::describe::describe_enumerators<Enum>>;
  static_assert(EnumeratorName<Enum, Show(RepeatedName(Table::kNames))>::kIsFine);

  static constexpr CodecTraits kTraits = {.is_scalar = true};
  static constexpr std::optional<Type> TypeOf(const FieldOptions& /*options*/) {
    return Type::kString;
  }

  static Encoded Encode(Enum value, const FieldOptions& /*options*/, AttributeValue& out,
                        Problem& problem) {
    for (std::size_t at = 0; at < Table::kValues.size(); ++at) {
      if (Table::kValues[at] == value) {
        out = AttributeValue(Table::kNames[at]);
        return Encoded::kValue;
      }
    }
    const auto number = static_cast<std::underlying_type_t<Enum>>(value);
    problem.Expected("a described enumerator of " + std::string(TypeNameOf<Enum>()),
                     "the value " + std::to_string(number));
    return Encoded::kFailed;
  }
  static bool Decode(const AttributeValue& from, const FieldOptions& /*options*/, Enum& out,
                     Problem& problem) {
    const auto* text = from.If<std::string>();
    for (std::size_t at = 0; text != nullptr && at < Table::kNames.size(); ++at) {
      if (Table::kNames[at] == *text) {
        out = Table::kValues[at];
        return true;
      }
    }
    if constexpr (requires { Mapping<Enum>::kOtherwise; }) {
      if (text != nullptr) {
        out = Mapping<Enum>::kOtherwise;
        return true;
      }
    }
    return RefuseEnumerator(from, Table::kNames, problem);
  }
  static Map Schema(const FieldOptions& /*options*/, Schemas& /*schemas*/) {
    Map schema = SchemaOfEnum(TypeNameOf<Enum>(), Table::kNames);
    if constexpr (requires { Mapping<Enum>::kOtherwise; }) {
      schema.Set("x-open", true);
    }
    return schema;
  }
};

}  // namespace stator::mapping
