// Bytes as lower-case hexadecimal digits, two for each.

#pragma once

#include <string>
#include <string_view>

namespace stator::base {

std::string HexOf(std::string_view bytes);

}  // namespace stator::base
