// The words that DynamoDB keeps for itself: an attribute of such a name can be written in an
// expression only as a #placeholder.

#pragma once

#include <cstddef>
#include <string_view>

namespace stator::expression {

inline constexpr std::size_t kReservedWordCount = 573;

// In any case: Name, NAME and name are all reserved.
bool IsReservedWord(std::string_view word);

}  // namespace stator::expression
