// Values of expressions (ExpressionAttributeValues). They are as attributes are, but for how deep
// they may be nested: the service's validator before the one of 2026 takes each for a document of
// its own, so that it may be one level deeper than an attribute.

#pragma once

#include <cstddef>
#include <simdjson.h>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "value/words.h"

namespace stator::value {

inline constexpr std::size_t kLevelOfAttributes = 1;

constexpr std::size_t LevelOfPlaceholders(Words words) {
  return words == Words::kOlder ? 0 : kLevelOfAttributes;
}

// As AttributeValueFromJson and MapFromJson (dynamodb_json.h).
Result<AttributeValue> PlaceholderFromJson(simdjson::dom::element json, Words words);
Result<Map> PlaceholdersFromJson(simdjson::dom::element json, Words words);

// As CheckValue (check_value.h).
Result<void> CheckPlaceholder(const AttributeValue& value, Words words);

}  // namespace stator::value
