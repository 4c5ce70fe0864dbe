// Sizes of names, values and items as DynamoDB counts them, for the 400 KB limit, for pages and for
// capacity units.
//
//   string, binary     bytes (a string's UTF-8 bytes)
//   number             1 + ceil(integer digits / 2) + ceil(fraction digits / 2), + 1 if negative,
//                      leading and trailing zeros trimmed
//   bool, null         1
//   set                sum of the members
//   list, map          3 + per entry 1 + its size (a map's entry: name and value)
//   item               sum over the attributes of name and value

#pragma once

#include <cstddef>

#include "stator/value/attribute_value.h"

namespace stator::value {

// What a list or a map costs beside its entries, and what each entry costs beside its content.
inline constexpr std::size_t kContainerBytes = 3;
inline constexpr std::size_t kEntryBytes = 1;

std::size_t SizeOf(const Number& number);
std::size_t SizeOf(const AttributeValue& value);
std::size_t SizeOfItem(const Item& item);

// Whether that is at most `bytes`. Cheaper for items that are much smaller, as most are.
bool FitsIn(std::size_t bytes, const Item& item);

}  // namespace stator::value
