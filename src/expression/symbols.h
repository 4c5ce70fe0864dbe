// What expressions of every kind refer to: attribute names, document paths and values. A parsed
// expression numbers them; binding looks each of them up once; evaluation uses the numbers only.
//
// INVARIANTS
//
//   (1) Symbols never change after parsing, so many requests may share them.
//   (2) A document path has at least one step, and its first step is a name.
//   (3) Bindings are made for one Symbols and hold one entry per name and per value of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/inline_array.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// One step into a document: to a named entry of a map, or to an element of a list.
struct PathStep {
  bool is_index = false;
  std::uint32_t number = 0;  // of the element, or of the name in Symbols::names
};

// A document path such as a.b[3].#c: a run of steps in Symbols::steps.
struct Path {
  std::uint32_t first_step = 0;
  std::uint32_t step_count = 0;
};

struct Symbols {
  struct Name {
    std::string text;  // an attribute's name, or a placeholder with its '#'
    bool placeholder = false;
  };

  std::vector<Name> names;          // each once
  std::vector<std::string> values;  // placeholders with their ':', each once
  std::vector<PathStep> steps;

  [[nodiscard]] std::span<const PathStep> StepsOf(Path path) const {
    return std::span(steps).subspan(path.first_step, path.step_count);
  }
};

// What the symbols of one expression stand for in one request.
struct Bindings {
  Bindings() = default;
  explicit Bindings(const Symbols& symbols)
      : names(symbols.names.size()), values(symbols.values.size()) {}

  InlineArray<std::string_view, 8> names;
  InlineArray<const AttributeValue*, 8> values;
};

// For symbols without placeholders among their names: each name stands for itself, and the values
// are given. REQUIRES: one value per Symbols::values. The result borrows from `symbols`.
Bindings BindLiterally(const Symbols& symbols, std::span<const AttributeValue* const> values);

// The value at the path, or null when the item has none there. A null item has nothing anywhere.
const AttributeValue* FindPath(const Symbols& symbols, const Bindings& bindings, Path path,
                               const Item* item);

// "[a, b, [3]]", as error messages show a path.
std::string PathText(const Symbols& symbols, const Bindings& bindings, Path path);

// The attributes of the item that the paths begin with, sorted, each once.
std::vector<std::string_view> TopLevelAttributes(const Symbols& symbols, const Bindings& bindings,
                                                 std::span<const Path> paths);

// Whether some path looks inside of that attribute. Key attributes are scalars: for them the
// service answers "Key attributes must be scalars; list random access '[]' and map lookup '.' are
// not allowed: Key: pk".
bool LooksInside(const Symbols& symbols, const Bindings& bindings, std::span<const Path> paths,
                 std::string_view attribute);

}  // namespace stator::expression
