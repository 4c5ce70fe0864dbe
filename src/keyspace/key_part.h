// One key attribute inside a key: its type, then its value in an order-preserving form.
//
// FORMAT (on disk; docs/format.md, "Key attributes")
//
//   'S' (53) ordered bytes (ordered_bytes.h)
//   'B' (42) ordered bytes
//   'N' (4E) ordered number (ordered_number.h)
//
// INVARIANTS
//
//   (1) For values of one type the order of the parts is the order of the values in DynamoDB:
//       strings by UTF-8 bytes, binaries by unsigned bytes, numbers by value.
//   (2) No part is a prefix of another, so a key made of several parts sorts part by part.
//   (3) TakeKeyPart accepts exactly what AppendKeyPart writes.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::keyspace {

// Whether values of this type can be keys at all: S, N, B.
[[nodiscard]] bool IsKeyType(AttributeValue::Type type);

// REQUIRES: IsKeyType(value.type()).
void AppendKeyPart(const AttributeValue& value, std::string& key);

// Takes the part of a value, which is given as value_codec.h writes it, off the front of `key`. False
// when `key` does not begin with it; then `key` may have been changed.
bool TakeEqualKeyPart(std::string_view value, std::string_view& key);

// What the parts of all values that begin with `value` have in common.
// REQUIRES: a string or a binary.
void AppendKeyPartPrefix(const AttributeValue& value, std::string& key);

// Takes one part off the front of `key`. Fails with kCorruption when `key` does not begin with a
// whole part; then `key` may have been changed.
Result<AttributeValue> TakeKeyPart(std::string_view& key);

}  // namespace stator::keyspace
