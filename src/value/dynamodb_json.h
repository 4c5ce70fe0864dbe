// DynamoDB JSON: values tagged by their type ({"N": "3"}), in and out.
//
// Reading is strict: a value has exactly one of the ten tags, numbers and base64 are well-formed,
// sets are neither empty nor hold a member twice, nesting and names are bounded. What has the wrong
// JSON type fails with kSerialization, what has the right type and a bad content with kValidation,
// both with the words of the service. Of several faults the first wrong type is reported, else the
// first bad content, in the order of the text.
//
// An item without a name for an attribute is refused before one that is nested too deep, and that
// before everything else that is wrong with contents. `words` are those of the operation that reads.
//
// Where the service is generous, so is this: a tag whose content is null counts as not sent,
// members with other names are skipped, booleans may stand in quotes, and of equal names (of
// attributes, of tags) the last counts.

#pragma once

#include <map>
#include <simdjson.h>
#include <span>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "value/words.h"

namespace stator::value {

Result<AttributeValue> AttributeValueFromJson(simdjson::dom::element json,
                                              Words words = Words::kCurrent);
Result<Map> MapFromJson(simdjson::dom::element json, Words words = Words::kCurrent);
// The same, in the bytes of its row (stored_map.h): for an item that is to be stored as it is.
Result<Item> StoredItemFromJson(simdjson::dom::element json, Words words = Words::kCurrent);

// From text, for tools, tests and files. The text is one value, or one object of named values.
Result<AttributeValue> ParseDynamoDbValue(std::string_view text);
Result<Item> ParseDynamoDbItem(std::string_view text);
// An object whose members are items: {"Item":{"id":{"S":"x"}}}.
Result<std::map<std::string, Item>> ParseDynamoDbItems(std::string_view text);

// {"S":"x"}, without white space.
void AppendDynamoDbJson(const AttributeValue& value, std::string& out);
// {"name":{"S":"x"},...}
void AppendDynamoDbJson(const Map& map, std::string& out);
// [{"name":{"S":"x"},...},...]
void AppendDynamoDbJson(std::span<const Map> maps, std::string& out);
std::string ToDynamoDbJson(const AttributeValue& value);
std::string ToDynamoDbJson(const Map& map);

}  // namespace stator::value
