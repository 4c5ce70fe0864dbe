// A number for people: no more digits than it has.

#pragma once

#include <string>

namespace stator::shell {

inline std::string Figure(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  text.erase(text.find_last_not_of('.') + 1);
  return text;
}

}  // namespace stator::shell
