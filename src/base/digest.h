// SHA-256, for recognising the same bytes again.

#pragma once

#include <string>
#include <string_view>

namespace stator::base {

// 32 bytes.
std::string Sha256(std::string_view bytes);

}  // namespace stator::base
