// Unicode's normalization form C, in which texts that look the same are the same bytes: an "é" is
// one code point however it was typed.

#pragma once

#include <string>
#include <string_view>

namespace stator::events {

// REQUIRES: UTF-8. COST: texts of ASCII are copied.
std::string ToFormC(std::string_view text);

}  // namespace stator::events
