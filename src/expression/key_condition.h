// A key condition: which part of a partition a Query reads. It comes from a KeyConditionExpression
// or from KeyConditions (legacy.h) in two steps, because the service reports what is wrong with the
// text before it looks for the table:
//
//   condition      -> comparisons, one per attribute     CompareKeys
//   comparisons    -> equal values and one range         MatchKeySchema, with the keys of a table
//                                                        or index
//
// Keys may have several attributes: all partition attributes are compared with '=', and the sort
// attributes from the left, each with '=' except the last that is given.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expression/condition.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

// What a condition says about one key attribute. The name is borrowed from the condition, the
// values are borrowed from the request.
struct KeyComparison {
  enum class Kind : std::uint8_t {
    kEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,  // from value to second, both included
    kBeginsWith,
    kNotIndexable,  // NE, IN, CONTAINS, ... of KeyConditions: no key schema admits them
  };

  std::string_view attribute;
  Kind kind = Kind::kEqual;
  const AttributeValue* value = nullptr;   // null only for kNotIndexable
  const AttributeValue* second = nullptr;  // of kBetween only
};

// One comparison per attribute, in the order of the text. Fails when the condition is more than
// comparisons of attributes with values, joined by AND.
Result<std::vector<KeyComparison>> CompareKeys(const Condition& condition);

struct KeyAttribute {
  std::string_view name;
  AttributeValue::Type type;  // kString, kNumber or kBinary
};

// The key of a table or an index.
struct KeySchema {
  std::span<const KeyAttribute> partition;
  std::span<const KeyAttribute> sort;
  std::string_view index_name = {};  // empty for a table
};

// Borrows values from the request and names from the schema.
struct MatchedKeyCondition {
  std::vector<const AttributeValue*> partition;   // one per partition attribute, in schema order
  std::vector<const AttributeValue*> sort_equal;  // of the first sort attributes
  // Of the sort attribute after those; never kEqual.
  std::optional<KeyComparison> sort_range;
};

// Fails when the comparisons do not fit the schema: attributes missing or in excess, values of
// another type, empty or too long, comparisons that do not select one run of keys.
Result<MatchedKeyCondition> MatchKeySchema(std::span<const KeyComparison> comparisons,
                                           const KeySchema& schema);

}  // namespace stator::expression
