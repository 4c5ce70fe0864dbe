// C++ structs to items and back. One line behind a struct describes it:
//
//   struct Account {
//     std::string id;
//     std::int64_t balance = 0;
//     std::optional<std::string> note;
//   };
//   BOOST_DESCRIBE_STRUCT(Account, (), (id, balance, note))
//
//   const Result<Item> item = stator::ToItem(Account{.id = "a1", .balance = 5});
//   const Result<Account> account = stator::FromItem<Account>(*item);
//
// What a struct can say about its names, defaults and formats is in options.h; the JSON Schema that
// follows from it in schema.h. docs/mapping.md has the table of types:
//
//   std::string                     S     bool                                     BOOL
//   integers, Number                N     std::vector<T>                           L
//   double, float (.floating)       N     std::map, std::unordered_map by text     M
//   Binary, std::vector<std::byte>  B     described struct, std::variant of them   M
//   described enum, by name         S     std::set, std::unordered_set    SS, NS, BS
//   std::chrono time, duration   N, S     std::optional<T>            as T, or nothing
//   AttributeValue            anything    StringSet, NumberSet, BinarySet  SS, NS, BS
//
// A described struct may have bases; members of any access can be described by
// BOOST_DESCRIBE_CLASS inside of the class. One list has room for 52 members; more go to a base.
//
// Reading ignores attributes that no field has; UnknownAttributes and CarryUnknown keep them.
//
// ERRORS: kValidation with a MappingErrorDetail. Nothing throws except what memory may.
// THREADS: every function may be called from many threads.

#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stator/base/result.h"
#include "stator/mapping/detail/codec.h"
#include "stator/mapping/detail/container_codec.h"
#include "stator/mapping/detail/enum_codec.h"
#include "stator/mapping/detail/fields.h"
#include "stator/mapping/detail/problem.h"
#include "stator/mapping/detail/set_codec.h"
#include "stator/mapping/detail/struct_codec.h"
#include "stator/mapping/detail/time_codec.h"
#include "stator/mapping/detail/variant_codec.h"
#include "stator/mapping/mapping_error.h"
#include "stator/mapping/options.h"
#include "stator/value/attribute_value.h"

namespace stator {

namespace mapping {

template <class T, class MapType>
Result<T> FromMap(MapType& item) {
  static_assert(Described<T>, "stator: an item is read into a described struct");
  static_assert(std::default_initializable<T>,
                "stator: a struct that is read must have a default constructor");
  // What follows would repeat the complaint in many more words.
  if constexpr (Described<T> && std::default_initializable<T>) {
    Result<T> value(std::in_place);
    if (Problem problem; !StructCodec<T>::DecodeMap(item, {}, *value, problem)) {
      value = std::unexpected(problem.ToError(TypeNameOf<T>()));
    }
    return value;
  } else {
    return Invalid("");
  }
}

}  // namespace mapping

// Fails for what cannot be stored: a double that is no number, an enum value that has no name, a
// time out of range, an unknown attribute with the name of a field. `room` is for how many
// attributes the caller is going to add.
template <class T>
[[nodiscard]] Result<Item> ToItem(const T& value, std::size_t room = 0) {
  static_assert(mapping::Described<T>, "stator: an item is made of a described struct");
  Result<Item> item(std::in_place);
  if constexpr (mapping::Described<T>) {
    if (mapping::Problem problem;
        !mapping::StructCodec<T>::EncodeMap(value, *item, problem, room)) {
      item = std::unexpected(problem.ToError(mapping::TypeNameOf<T>()));
    }
  }
  return item;
}

// Fails for an attribute that is missing, of another type, or out of range.
template <class T>
[[nodiscard]] Result<T> FromItem(const Item& item) {
  return mapping::FromMap<T>(item);
}

// The same, moving text and bytes out of the item.
template <class T>
[[nodiscard]] Result<T> FromItem(Item&& item) {
  return mapping::FromMap<T>(item);
}

// Into a value that is there; one that was made just now, as fields without an attribute stay as
// they are. Of no use after a failure.
template <class T>
[[nodiscard]] Result<void> FromItem(const Item& item, T& value) {
  static_assert(mapping::Described<T>, "stator: an item is read into a described struct");
  Result<void> done;
  if constexpr (mapping::Described<T>) {
    if (mapping::Problem problem; !mapping::StructCodec<T>::DecodeMap(item, {}, value, problem)) {
      done = std::unexpected(problem.ToError(mapping::TypeNameOf<T>()));
    }
  }
  return done;
}

// A single value, as a field of that type without options would be stored; Null for an empty
// optional or set. For keys and for values of expressions.
template <class T>
[[nodiscard]] Result<AttributeValue> ToAttribute(const T& value) {
  static constexpr FieldOptions kOptions = {.discriminator = "type"};
  Result<AttributeValue> attribute(std::in_place);
  mapping::Problem problem;
  if (mapping::Codec<T>::Encode(value, kOptions, *attribute, problem) ==
      mapping::Encoded::kFailed) {
    attribute = std::unexpected(problem.ToError("value"));
  }
  return attribute;
}

template <class T>
[[nodiscard]] Result<T> FromAttribute(const AttributeValue& attribute) {
  static constexpr FieldOptions kOptions = {.discriminator = "type"};
  Result<T> value(std::in_place);
  if (mapping::Problem problem; !mapping::Codec<T>::Decode(attribute, kOptions, *value, problem)) {
    value = std::unexpected(problem.ToError("value"));
  }
  return value;
}

// The attributes of `item` that are no fields of T.
template <class T>
[[nodiscard]] Item UnknownAttributesOf(const Item& item) {
  return mapping::AttributesBeside(item, mapping::kKnownNames<T>, {});
}

// Adds to `to`, the item of a changed T, what T does not know of `from`, the item that it was read
// from: at the top, and inside of structs, optionals and maps of structs. Elements of lists have no
// identity; a struct in a list keeps its unknown attributes by a member of its own.
template <class T>
void CarryUnknown(const Item& from, Item& to) {
  mapping::StructCodec<T>::CarryUnknownInMap(from, to);
}

// The stored names of T's fields, sorted.
template <class T>
constexpr const auto& StoredNames() {
  return mapping::kFieldNames<T>;
}

// Whether T has a field that is stored, or was stored before, under that name.
template <class T>
constexpr bool HasAttribute(std::string_view name) {
  return mapping::HasKnownName<T>(name);
}

// The stored name of a member: AttributeName<&Account::note>() is "memo". For a member of a base,
// say which struct is stored.
template <auto kMember, class T = typename mapping::PointerParts<decltype(kMember)>::ClassType>
constexpr std::string_view AttributeName() {
  return mapping::kOptionsOf<T>[mapping::FindMember<T, kMember>::kIndexOf].name;
}

// The type that a member is stored as; nothing for an AttributeValue.
template <auto kMember, class T = typename mapping::PointerParts<decltype(kMember)>::ClassType>
constexpr std::optional<AttributeValue::Type> AttributeTypeOf() {
  using MemberType = typename mapping::PointerParts<decltype(kMember)>::MemberType;
  return mapping::Codec<MemberType>::TypeOf(
      mapping::kOptionsOf<T>[mapping::FindMember<T, kMember>::kIndexOf]);
}

}  // namespace stator
