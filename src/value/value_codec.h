// One value inside a row. Written by row_encoder.h, read by value_reader.h.
//
// FORMAT (on disk; docs/format.md, "Values")
//
//   value := tag payload
//
//   00 null                  07 positive number: exponent coefficient
//   01 false                 08 negative number: exponent coefficient
//   02 true                  09 string set: size count (length bytes)*
//   03 string: length bytes  0A number set: size count number*
//   04 binary: length bytes  0B binary set: size count (length bytes)*
//   05 integer: coefficient  0C list: size count value*
//   06 negative integer      0D map: size count (length name value)*
//
//   length, count, coefficient: varints (varint.h). exponent: a zigzag varint, never zero.
//   size: 4 bytes, big-endian, the number of bytes that follow it; so a value can be skipped.
//   number: a value of tag 05 to 08. A number is coefficient * 10^exponent, the coefficient without
//   trailing zeros; 05 and 06 are those with exponent zero. Sets and maps are sorted, by unsigned
//   bytes or by value, without duplicates.
//
// THREADS: pure functions.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "stator/value/attribute_value.h"

namespace stator::value {

// A row begins with its version, behind which its entries stand (item_codec.h). On disk.
inline constexpr std::size_t kRowVersionBytes = 1;
inline constexpr char kRowVersion = 0x01;

// Takes one value off the front of `row`. False when there is none; then `row` and `value` may have
// been changed.
bool TakeValue(std::string_view& row, std::optional<AttributeValue>& value);

// Named values, as in a map and in an item: count (length name value)*.
// REQUIRES: nested as value/check_value.h admits it.
void AppendEntries(const Map& map, std::string& row);
bool TakeEntries(std::string_view& row, Map& map);

// Takes one name off the front of an entry. The view is into the row.
bool TakeName(std::string_view& row, std::string_view& name);

// The entries of a row that was checked (item_codec.h), behind their count.
std::string_view EntriesOf(std::string_view row);

// Goes on to the entry of that name and gives the name as it stands there; then `entries` begin with its
// value. Nothing when none of them has it. REQUIRES: they are of EntriesOf, up to its end.
std::optional<std::string_view> FindEntry(std::string_view& entries, std::string_view name);

}  // namespace stator::value
