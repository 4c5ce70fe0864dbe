// Where expressions may not look: keys are scalars.

#pragma once

#include <string>
#include <string_view>

#include "engine/table.h"
#include "stator/base/result.h"

namespace stator::engine {

// No path goes into a key attribute of the table or of an index: those are scalars.
template <class Expression>
Result<void> CheckKeyPaths(const Table& table, const Expression& expression) {
  const auto refuse = [](std::string_view what, const std::string& name) {
    return Invalid(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
        "allowed: " +
        std::string(what) + ": " + name);
  };
  if (expression.LooksInside(table.partition.name)) {
    return refuse("Key", table.partition.name);
  }
  if (table.sort && expression.LooksInside(table.sort->name)) {
    return refuse("Key", table.sort->name);
  }
  for (const Index& index : table.indexes) {
    for (const KeyAttribute& attribute : index.KeyAttributes()) {
      if (expression.LooksInside(attribute.name)) {
        return refuse("IndexKey", attribute.name);
      }
    }
  }
  return {};
}

}  // namespace stator::engine
