// Which attributes a read of the patterns asks for.

#pragma once

#include <string>
#include <vector>

#include "stator/patterns/expression.h"
#include "stator/patterns/table_layout.h"

namespace stator::patterns {

// `attributes` and with them what the patterns look at: the keys and the expiry. Empty, for all
// attributes, when `attributes` is.
std::vector<Attribute> ProjectionOf(const TableLayout& table,
                                    const std::vector<std::string>& attributes);

}  // namespace stator::patterns
