// The parts of an item at the ends of some document paths, in their places.

#pragma once

#include <span>
#include <vector>

#include "expression/symbols.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// REQUIRES: the paths are bound and do not overlap.
Item ProjectPaths(const Symbols& symbols, const Bindings& bindings, std::vector<Path> paths,
                  const Item& item);

// The same without sorting. REQUIRES: besides, the paths are in the order of IsBefore (binder.h).
Item ProjectSortedPaths(const Symbols& symbols, const Bindings& bindings,
                        std::span<const Path> paths, const Item& item);

}  // namespace stator::expression
