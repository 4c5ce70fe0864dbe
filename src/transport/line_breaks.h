// What may not stand inside a line of a head, because some take it for the end of the line, or of the
// head. For the folder itself.

#pragma once

#include <algorithm>
#include <string_view>

namespace stator::transport {

inline bool BreaksLine(std::string_view text) {
  return std::ranges::any_of(text, [](char character) {
    // One comparison for nearly all.
    return static_cast<unsigned char>(character) <= '\r' &&
           (character == '\r' || character == '\n' || character == '\0');
  });
}

}  // namespace stator::transport
