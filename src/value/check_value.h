// What a value must satisfy before it may be stored, whoever made it: UTF-8 text, no empty sets,
// bounded nesting. Values that came in through DynamoDB JSON satisfy all of it already; values that
// a C++ program built may not. An item that is still the bytes of its row (stored_map.h) was stored
// before, or came in as JSON; nobody looks at it again.

#pragma once

#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::value {

bool IsUtf8(std::string_view text);

// Fails with kValidation and DynamoDB's words.
Result<void> CheckValue(const AttributeValue& value);
Result<void> CheckItem(const Item& item);

}  // namespace stator::value
