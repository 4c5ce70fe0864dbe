// JSON Schema (2020-12) of what ToItem writes, in plain JSON: numbers as numbers, bytes as base64,
// sets as arrays of unique items. Made from the same description, so it cannot disagree.
//
//   const std::string text = stator::SchemaText<Account>();
//
// FORMAT: keys sorted by bytes, two spaces, LF, a newline at the end, and nothing that differs
// between runs or machines, so that the text can be kept in a repository and compared. Names of
// required fields and enumerators are sorted as well: their order in C++ means nothing. Beside the
// standard's keywords:
//
//   format          double, float, epoch-seconds, epoch-milliseconds, ... for numbers
//   x-aliases       FieldOptions::aliases of a field
//   x-open          of an enum with Mapping<Enum>::kOtherwise: unknown names can be read
//   x-data-version  Mapping<T>::kDataVersion
//   x-retired       Mapping<T>::kRetired
//   x-shape-hash    SHA-256 of the schema without titles, descriptions and whatever begins with x-

#pragma once

#include <string>
#include <utility>

#include "stator/mapping/detail/schema_parts.h"
#include "stator/mapping/mapping.h"
#include "stator/mapping/options.h"
#include "stator/value/attribute_value.h"

namespace stator {

// The hash of the shape that `schema` describes, in hexadecimal: changes when what is stored does.
[[nodiscard]] std::string ShapeHash(const Map& schema);

// `json`, or an item, as JSON in the canonical form above.
[[nodiscard]] std::string CanonicalJson(const Map& json);

// The schema as a value, to add to or to look into.
template <class T>
[[nodiscard]] Map SchemaOf() {
  static_assert(mapping::Described<T>, "stator: a schema is that of a described struct");
  Map schema = mapping::Schemas::Of(&mapping::StructCodec<T>::MakeSchema);
  if constexpr (requires { Mapping<T>::kDataVersion; }) {
    schema.Set("x-data-version", AttributeValue(Mapping<T>::kDataVersion));
  }
  if constexpr (requires { Mapping<T>::kRetired; }) {
    mapping::SetSortedNames("x-retired", Mapping<T>::kRetired, schema);
  }
  schema.Set("x-shape-hash", AttributeValue(ShapeHash(schema)));
  return schema;
}

template <class T>
[[nodiscard]] std::string SchemaText() {
  return CanonicalJson(SchemaOf<T>());
}

}  // namespace stator
