// What a program may say about how its structs are stored, beyond their description. Describe knows
// the names and types of members; everything else stands in a specialisation of Mapping.
//
//   struct Account {
//     std::string id;
//     std::int64_t balance = 0;
//     std::optional<std::string> note;
//   };
//   BOOST_DESCRIBE_STRUCT(Account, (), (id, balance, note))
//
//   template <>
//   struct stator::Mapping<Account> {
//     static constexpr std::tuple kFields = {
//         stator::Field<&Account::note>({.name = "memo", .description = "shown to the owner"}),
//         stator::Field<&Account::balance>({.required = false}),
//     };
//   };
//
// A Mapping must be visible wherever its type is mapped: put it behind the struct, in its header.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "stator/value/attribute_value.h"

namespace stator {

// How C++ names become stored names. A leading k of an enumerator and a trailing _ of a member are
// no part of the name, except as written.
enum class NameStyle : std::uint8_t {
  kAsWritten,
  kSnakeCase,   // created_at
  kCamelCase,   // createdAt
  kPascalCase,  // CreatedAt
  kUpperCase,   // CREATED_AT
};

// How a time is stored. Numbers count from 1970-01-01T00:00:00Z.
enum class TimeFormat : std::uint8_t {
  kUnit,     // N, in the unit of the C++ type: sys_seconds counts seconds. sys_days is S, a date.
  kSeconds,  // N, as DynamoDB's expiry wants it
  kMilliseconds,  // N
  kMicroseconds,  // N
  kIso,           // S, 2026-11-16T01:02:03.456Z; sorts as the times do
};

struct FieldOptions {
  // The stored name. Empty: that of the member, in the style of the struct.
  std::string_view name = {};
  // Names that the field had before; read when `name` is not there, never written.
  std::array<std::string_view, 4> aliases = {};
  // For readers of the JSON Schema.
  std::string_view description = {};
  // Whether reading fails when the attribute is not there. If not, the member keeps the value that
  // it has in T{}. Nothing: as the struct says (kRequired), which says yes unless told otherwise.
  // An optional and a set need no attribute in any case.
  std::optional<bool> required = {};
  // Writes nothing when the member equals that of T{}; not required then.
  bool omit_default = false;
  // Writes NULL for an empty optional, rather than nothing. Both are read.
  bool null_when_empty = false;
  // A float or double is rounded to binary, so it has to be asked for; Number never rounds.
  bool floating = false;
  // A finer time than the format can hold is rounded down when written.
  TimeFormat time = TimeFormat::kUnit;
  // For a std::variant: the attribute that says which alternative it is. Empty: "type".
  std::string_view discriminator = {};
};

// The options of one member.
template <auto kMember>
struct Field {
  constexpr explicit Field(FieldOptions given) : options(given) {}

  FieldOptions options;
};

// The stored name of one enumerator.
template <class Enum>
struct Enumerator {
  Enum value;
  std::string_view name;
};

// Specialise for a struct, with any of these as static constexpr members:
//
//   kName         std::string_view: what its schema is called, and a variant's discriminator
//                 says. Default: the name of the type without its namespace.
//   kDescription  std::string_view, for the schema.
//   kDataVersion  the version of the stored shape; becomes x-data-version of the schema.
//   kNameStyle    NameStyle of its members' names. Default: kAsWritten.
//   kRequired     bool: what FieldOptions::required is when it says nothing. Default: true.
//   kFields       std::tuple of Field<&T::member>({options}).
//   kReserved     array of std::string_view: stored names that no field may have, because whoever
//                 stores the struct uses them. A field that does fails to compile.
//   kRetired      the same for names of fields of the past, which must not come back with another
//                 meaning; becomes x-retired of the schema.
//
// for an enum:
//
//   kNameStyle    NameStyle of its enumerators' names. Default: kAsWritten.
//   kEnumerators  std::array of Enumerator, for names that follow no style.
//   kOtherwise    the enumerator that a name nobody knows is read as. Default: reading fails.
//
// or for any type that is stored as another one:
//
//   using Stored = std::string;
//   static Stored ToStored(const T& value);
//   static Result<T> FromStored(Stored stored);  // the message says what was expected
template <class T>
struct Mapping {};

// A described member of this type receives the attributes that belong to no field, and writes them
// back, so that a program does not erase what a newer one has added.
struct UnknownAttributes {
  Item attributes;

  friend bool operator==(const UnknownAttributes&, const UnknownAttributes&) = default;
};

}  // namespace stator
