// Ranges of keys, as cursors take them: from `begin` up to but without `end`.
//
// The functions named after a comparison take a prefix (a partition, and for an index also the sort
// attributes that are fixed by equality) and give the keys under it whose next part compares so.
// They hold for tables, where nothing follows the sort key, and for indexes, where the table key
// does.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "keyspace/keys.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

struct KeyRange {
  std::string begin;
  std::string end;

  [[nodiscard]] bool empty() const { return begin >= end; }
  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

// The first key behind all keys that begin with `prefix`.
// REQUIRES: a byte of it is not 0xFF; keys begin with their kind, so theirs always has one.
std::string PrefixEnd(std::string_view prefix);

// All keys that begin with `prefix`.
KeyRange RangeOfPrefix(std::string_view prefix);

// The next part is ...
KeyRange RangeEqual(std::string_view prefix, const AttributeValue& value);
KeyRange RangeBelow(std::string_view prefix, const AttributeValue& value);  // <
KeyRange RangeUpTo(std::string_view prefix, const AttributeValue& value);   // <=
KeyRange RangeAbove(std::string_view prefix, const AttributeValue& value);  // >
KeyRange RangeFrom(std::string_view prefix, const AttributeValue& value);   // >=
KeyRange RangeBetween(std::string_view prefix, const AttributeValue& low,
                      const AttributeValue& high);  // both included; empty when low > high
// REQUIRES: a string or a binary.
KeyRange RangeBeginningWith(std::string_view prefix, const AttributeValue& value);

// The part of a table or an index that a segment of a parallel scan reads. The segments of one
// total are disjoint and together everything; a total above 65,536 leaves some empty.
// REQUIRES: segment < total.
KeyRange ItemSegment(TableId table, std::uint32_t segment, std::uint32_t total);
KeyRange IndexSegment(TableId table, IndexId index, std::uint32_t segment, std::uint32_t total);

}  // namespace stator::keyspace
