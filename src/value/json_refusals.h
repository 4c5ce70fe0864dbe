// DynamoDB's words for DynamoDB JSON that it refuses: wrong JSON types (the messages of its
// SerializationException, which talk of the Java classes behind the service), nulls, and sets that
// are none.

#pragma once

#include <simdjson.h>
#include <string>
#include <string_view>

#include "stator/base/result.h"
#include "stator/value/attribute_value.h"
#include "value/words.h"

namespace stator::value {

// Where a string or a boolean ought to be; `wanted` is "String" or "Boolean".
std::string NotConvertible(const simdjson::dom::element& json, std::string_view wanted);

// Where bytes ought to be: anything but a string, and a string that is not strict base64.
std::string NotBytes(const simdjson::dom::element& json);
std::string NotBase64(std::string_view text);

// Where an array, a map of values or a value ought to be.
std::string NotArray(const simdjson::dom::element& json);
std::string NotMap(const simdjson::dom::element& json);
std::string NotValue(const simdjson::dom::element& json);

// Neither none nor more than one of the ten tags.
Error NoTag();
Error ManyTags();

// {"NULL": false}.
Error FalseNull();

// A JSON null in place of a value; `name` is that of the map's entry, empty in a list.
Error NullValue(std::string_view name);

// A text that is no number, which was refused with `refusal`.
Error NotNumber(std::string_view text, Error refusal, Words words);

// A null among the members of a set of that kind.
Error NullMember(const StringSet& set, Words words);
Error NullMember(const NumberSet& set, Words words);
Error NullMember(const BinarySet& set, Words words);

// A set whose members, `sent`, are not all different. REQUIRES: all are strings.
Error Duplicates(const StringSet& set, const simdjson::dom::array& sent, Words words);
Error Duplicates(const NumberSet& set, const simdjson::dom::array& sent, Words words);
Error Duplicates(const BinarySet& set, const simdjson::dom::array& sent, Words words);

}  // namespace stator::value
