// What a failed expectation shows of values and items.

#pragma once

#include <ostream>

#include "stator/value/attribute_value.h"
#include "value/dynamodb_json.h"

namespace stator {

inline void PrintTo(const AttributeValue& value, std::ostream* out) {
  *out << value::ToDynamoDbJson(value);
}
inline void PrintTo(const Map& map, std::ostream* out) {
  *out << value::ToDynamoDbJson(map);
}

}  // namespace stator
