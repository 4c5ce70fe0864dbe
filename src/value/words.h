// The service words its refusals of values in two ways: its validator of 2026 in one, the one before
// in the other. Which of them an operation has is said in request/words.h.

#pragma once

#include <cstdint>

namespace stator::value {

enum class Words : std::uint8_t { kOlder, kCurrent };

}  // namespace stator::value
