#include "base/hex.h"

namespace stator::base {

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  auto digit = text.begin();
  for (const char byte : bytes) {
    *digit++ = kDigits[static_cast<unsigned char>(byte) >> 4U];
    *digit++ = kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return text;
}

}  // namespace stator::base
