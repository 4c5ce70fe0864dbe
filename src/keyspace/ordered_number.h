// Numbers inside a key, written so that comparing two keys byte by byte compares the numbers.
//
// FORMAT (on disk; docs/format.md, "Numbers in keys")
//
//   zero      80
//   positive  C0 exponent pair+        exponent: of the leading digit, plus 130 (0..255)
//   negative  40 ~exponent ~pair+      the same bytes, each inverted
//
//   The digits, without leading and trailing zeros, are taken two by two from the left, the last
//   pair filled up with a zero. A pair p (0..99) is the byte 2p + 1 when another follows, 2p when
//   it is the last one.
//
//   1       C0 82 14              digits 1(0), exponent 0
//   -1      40 7D EB
//   12.5    C0 83 19 64           digits 12 5(0), exponent 1
//
// INVARIANTS
//
//   (1) a < b exactly when the bytes of a < the bytes of b; equal numbers have equal bytes.
//   (2) No number's bytes are a prefix of another's.
//   (3) TakeOrderedNumber accepts exactly what AppendOrderedNumber writes. At most 21 bytes.

#pragma once

#include <string>
#include <string_view>

#include "stator/value/number.h"

namespace stator::keyspace {

void AppendOrderedNumber(const Number& number, std::string& key);

// Takes one number off the front of `key`. False when `key` does not begin with one; then `key`
// may have been changed.
bool TakeOrderedNumber(std::string_view& key, Number& number);

}  // namespace stator::keyspace
