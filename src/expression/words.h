// Words that several error messages share.

#pragma once

#include <string_view>

#include "stator/value/attribute_value.h"

namespace stator::expression {

// "STRING", "NUMBER_SET", ...: how messages about updates name a type.
std::string_view LongTypeName(AttributeValue::Type type);

}  // namespace stator::expression
