// For tests: values, items and keys of the model, and their way into the database's types.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "stator/value/attribute_value.h"

namespace stator::model {

using Value = std::variant<std::int64_t, std::string, std::set<std::string>>;
using Attributes = std::map<std::string, Value>;

// Partition key, then sort key; the latter is 0 in tables that have none.
using Key = std::pair<std::string, std::int64_t>;

AttributeValue ToValue(const Value& value);
Item ToItem(const Attributes& attributes);

// Whether the two are of one type that has an order, and left comes first.
bool IsLess(const Value& left, const Value& right);

std::string Show(const Value& value);
std::string Show(const Attributes& attributes);
std::string Show(const Key& key);

}  // namespace stator::model
