// Plain JSON to values and back, as document clients do it: text is S, numbers N, true and false
// BOOL, null NULL, arrays L, objects M. On the way out sets become arrays and binaries base64 text,
// so the way back gives lists and strings for them.

#pragma once

#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::value {

// Numbers keep every digit that they have in the text; more than 38 fail with kValidation.
Result<AttributeValue> ValueFromPlainJson(std::string_view text);

void AppendPlainJson(const AttributeValue& value, std::string& out);
std::string ToPlainJson(const AttributeValue& value);
std::string ToPlainJson(const Item& item);

}  // namespace stator::value
