// What a change of a value's type means for readers, where no other value is inside of it.

#pragma once

#include <optional>

#include "schema/schema_view.h"
#include "stator/schema/changes.h"

namespace stator::schema {

// Of numbers, text, bytes, and of different kinds; nothing when readers see no difference. The
// parts of structs, lists, maps and variants are not looked at, nor the names of enums.
std::optional<Change> CompareTypes(const Map& before, const Map& after);

}  // namespace stator::schema
