// Whether an item fits into the table, and if not, because of what.

#pragma once

#include <cstddef>
#include <string>

#include "stator/stores/sessions/session_error.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

// The way to the part that makes the item large: down through maps and lists while one entry has
// more than half of what is above it. "items[3].feedbackHistory".
std::string PathOfLargest(const Item& item);

// Exact, as DynamoDB counts; `reserve` bytes are left free for what is added later.
Result<void> CheckSize(const Item& item, std::size_t reserve);

}  // namespace stator::sessions
