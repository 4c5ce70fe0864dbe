// How items are shown: as a table that fits the width, as lines of JSON, or as CSV.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator::shell {

enum class Format : std::uint8_t { kTable, kJson, kCsv };

// The attributes of the items in the order in which they are shown: those of `first`, then the
// others by name.
std::vector<std::string> ColumnsOf(const std::vector<Item>& items,
                                   const std::vector<std::string>& first);

// Rows of text under their names, no line wider than `width` columns of the terminal, which is at
// least 1; what does not fit is cut, and ends with "…". All of it is printable.
std::string DrawTable(const std::vector<std::string>& names,
                      const std::vector<std::vector<std::string>>& rows, std::size_t width);

// The cell of a table for a value: text as it is, everything else as JSON.
std::string CellOf(const AttributeValue* value);

// CSV is for programs, which want the text as it is.
std::string ShowItems(const std::vector<Item>& items, const std::vector<std::string>& first,
                      Format format, std::size_t width);

}  // namespace stator::shell
