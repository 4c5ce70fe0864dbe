// The parameters that expressions replaced in 2014. They still work; new programs use expressions.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/value/attribute_value.h"

namespace stator {

enum class ComparisonOperator : std::uint8_t {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};

enum class ConditionalOperator : std::uint8_t { kAnd, kOr };

enum class AttributeAction : std::uint8_t { kPut, kAdd, kDelete };

struct ExpectedAttributeValue {
  std::optional<AttributeValue> value = std::nullopt;
  std::optional<bool> exists = std::nullopt;
  std::optional<ComparisonOperator> comparison_operator = std::nullopt;
  std::optional<std::vector<AttributeValue>> attribute_value_list = std::nullopt;
};

struct Condition {
  ComparisonOperator comparison_operator;
  std::optional<std::vector<AttributeValue>> attribute_value_list = std::nullopt;
};

struct AttributeValueUpdate {
  std::optional<AttributeValue> value = std::nullopt;
  std::optional<AttributeAction> action = std::nullopt;
};

using ExpectedAttributes = std::map<std::string, ExpectedAttributeValue>;
using Conditions = std::map<std::string, Condition>;
using AttributeUpdates = std::map<std::string, AttributeValueUpdate>;

}  // namespace stator
