// An item as the value of a row: of a table's item rows (whole items) and of index rows (projected
// ones). docs/format.md, "Items".
//
// FORMAT (on disk)
//
//   row     := 0x01 entries                      the first byte is the version of the row
//   entries := count entry*                      sorted by name, each name once
//   entry   := length name value
//
//   count, length: varints (varint.h). value: value_codec.h.
//
// INVARIANTS
//
//   (1) An item has one encoding: equal items have equal bytes.
//   (2) Decoding accepts exactly what encoding writes; everything else is kCorruption. So decoded
//       rows encode to the same bytes.
//   (3) Decoding takes time and memory linear in the bytes, and recursion is bounded by the nesting
//       that DynamoDB allows.
//
// THREADS: pure functions.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

// REQUIRES: values as value/check_value.h admits them.
void AppendItem(const Item& item, std::string& row);

Result<Item> DecodeItem(std::string_view row);

// One attribute, without building or checking the others; nothing when the item does not have it.
Result<std::optional<AttributeValue>> DecodeAttribute(std::string_view row, std::string_view name);

// The attributes that are named, without building or checking the others.
// REQUIRES: names are sorted, each once.
Result<Item> DecodeItemOnly(std::string_view row, std::span<const std::string_view> names);

}  // namespace stator::keyspace
