// UUIDs of bytes that were computed (version 8, RFC 9562).

#pragma once

#include <string>
#include <string_view>

namespace stator::events {

// Of the first 16 bytes. REQUIRES: there are as many.
std::string MakeUuidText(std::string_view bytes);

// The same for bytes in the order in which the original system has UUIDs in memory: the first three
// fields little-endian.
std::string MakeUuidTextFromMemory(std::string_view bytes);

}  // namespace stator::events
