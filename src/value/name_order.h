// The order of attributes' names, which is that of their bytes.

#pragma once

#include <string_view>

namespace stator::value {

// Most names differ in their first two bytes, for which nobody has to be called.
inline bool IsBefore(std::string_view left, std::string_view right) {
  if (left.size() >= 2 && right.size() >= 2) [[likely]] {
    const auto first_two = [](std::string_view name) {
      return static_cast<unsigned>(static_cast<unsigned char>(name[0])) << 8U |
             static_cast<unsigned char>(name[1]);
    };
    if (first_two(left) != first_two(right)) [[likely]] {
      return first_two(left) < first_two(right);
    }
  }
  return left < right;
}

}  // namespace stator::value
