// Tables as \d shows them.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stator/api/table_types.h"

namespace stator::shell {

// A line for each.
std::string DrawTables(const std::vector<TableDescription>& tables, std::size_t width);

// One of them with its keys, its indexes and what else it has.
std::string DrawDescription(const TableDescription& table, std::size_t width);

}  // namespace stator::shell
