// JSON Schemas as stator/mapping/schema.h writes them, taken apart: which kind of value a schema
// describes, and its parts by what they mean.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stator/value/attribute_value.h"
#include "stator/value/number.h"

namespace stator::schema {

enum class Kind : std::uint8_t {
  kAnything,
  kBoolean,
  kText,
  kEnum,
  kBytes,
  kInteger,
  kNumber,
  kList,
  kSet,
  kDictionary,
  kStruct,
  kVariant,
  kUnknown,  // nothing that mapping writes
};

Kind KindOf(const Map& schema);

// Whether its limits are those of an integer type of C++, rather than somebody's rule.
bool HasLimitsOfType(const Map& schema);

// "int32", "text", "list": for messages.
std::string Describe(const Map& root, const Map& schema);

// What {"$ref": ...} stands for, else the schema itself: a part of `root` or `schema`, which
// outlive it.
const Map& Resolve(const Map& root, const Map& schema);

struct Nullable {
  const Map* schema;  // without the alternative of null
  bool is_nullable;
};
Nullable WithoutNull(const Map& schema);

// Empty ones when there is no such part.
const Map& MapAt(const Map& schema, std::string_view keyword);
std::set<std::string> NamesAt(const Map& schema, std::string_view keyword);
std::string TextAt(const Map& schema, std::string_view keyword);
std::optional<Number> NumberAt(const Map& schema, std::string_view keyword);
bool IsTrueAt(const Map& schema, std::string_view keyword);

struct Alternative {
  std::string discriminator;
  std::string name;
  const Map* schema;
};
// Of a kVariant; those that are not as mapping writes them are left out.
std::vector<Alternative> AlternativesOf(const Map& schema);

}  // namespace stator::schema
