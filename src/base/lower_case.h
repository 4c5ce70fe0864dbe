// Letters of ASCII in lower case, for names in which case does not count.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace stator::base {

constexpr char LowerCaseOf(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                              : character;
}

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), LowerCaseOf);
  return lower;
}

}  // namespace stator::base
