// Byte strings inside a key, written so that comparing two keys byte by byte compares the strings,
// whatever part follows them.
//
// FORMAT (on disk; docs/format.md, "Strings and binaries in keys")
//
//   part       := escaped* terminator
//   escaped    := any byte but 0x00  |  0x00 0xFF     a zero byte of the string
//   terminator := 0x00 0x01
//
//   ""      00 01
//   "a"     61 00 01
//   "a\0"   61 00 FF 00 01
//
// INVARIANTS
//
//   (1) a < b exactly when the part of a < the part of b, both as unsigned bytes.
//   (2) No part is a prefix of another, so (1) holds with more parts appended.
//   (3) The escaped bytes of a (without the terminator) are a prefix of the part of b exactly when
//       a is a prefix of b.
//

#pragma once

#include <string>
#include <string_view>

namespace stator::keyspace {

void AppendOrderedBytes(std::string_view bytes, std::string& key);

// Without the terminator: what the parts of all strings that begin with `bytes` have in common.
void AppendOrderedBytesPrefix(std::string_view bytes, std::string& key);

// Takes one part off the front of `key` and appends its string to `bytes`. False when `key` does
// not begin with a whole part; then both may have been changed.
bool TakeOrderedBytes(std::string_view& key, std::string& bytes);

// Takes the part of this very string off the front of `key`. False when `key` does not begin with it;
// then it may have been changed.
bool TakeEqualOrderedBytes(std::string_view bytes, std::string_view& key);

}  // namespace stator::keyspace
