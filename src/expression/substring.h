// Whether some bytes occur in others, as `contains` asks, in time that grows with the sum of both
// sizes whatever they hold: a filter asks it of every row, and both texts come from strangers.

#pragma once

#include <cstddef>
#include <string_view>

namespace stator::expression {

[[nodiscard]] bool HasSubstring(std::string_view text, std::string_view part);

// For tests: the same, and how many bytes were looked at; at most 5 * (text + part).
[[nodiscard]] bool HasSubstring(std::string_view text, std::string_view part,
                                std::size_t& bytes_looked_at);

}  // namespace stator::expression
