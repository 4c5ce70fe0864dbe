// The parameters that expressions replaced (Expected, AttributeUpdates, KeyConditions, QueryFilter,
// ScanFilter, ConditionalOperator), turned into the same conditions, updates and comparisons.
//
// The inputs are views of what the request holds; results borrow from it as well.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/update.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::expression {

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

// "EQ", "NOT_CONTAINS", ...
std::string_view NameOf(ComparisonOperator comparison);

// One entry of Expected. Null and absent mean that the request lacks the field.
struct ExpectedAttribute {
  std::string_view attribute;
  const AttributeValue* value = nullptr;
  std::optional<bool> exists = std::nullopt;
  std::optional<ComparisonOperator> comparison = std::nullopt;
  const std::vector<AttributeValue>* values = nullptr;  // AttributeValueList
};

// One entry of KeyConditions, QueryFilter or ScanFilter.
struct AttributeComparison {
  std::string_view attribute;
  ComparisonOperator comparison = ComparisonOperator::kEq;
  const std::vector<AttributeValue>* values = nullptr;
};

// One entry of AttributeUpdates.
struct AttributeUpdate {
  std::string_view attribute;
  const AttributeValue* value = nullptr;
  std::optional<AttributeAction> action = std::nullopt;  // absent means kPut
};

// Expected and its ConditionalOperator. REQUIRES: `expected` is not empty.
Result<Condition> ConditionFromExpected(std::span<const ExpectedAttribute> expected,
                                        ConditionalOperator join);

// QueryFilter or ScanFilter and its ConditionalOperator. REQUIRES: `filter` is not empty.
Result<Condition> ConditionFromFilter(std::span<const AttributeComparison> filter,
                                      ConditionalOperator join);

Result<std::vector<KeyComparison>> ComparisonsFromKeyConditions(
    std::span<const AttributeComparison> conditions);

Result<Update> UpdateFromAttributeUpdates(std::span<const AttributeUpdate> updates);

// For a request with a ConditionalOperator: whether it has enough conditions for it to join.
Result<void> CheckConditionalOperator(std::size_t conditions);

// A parameter's name and whether the request has it.
struct Parameter {
  std::string_view name;
  bool present = false;
};

// "Can not use both expression and non-expression parameters in the same request: ...", when both
// lists have a present one. The names are shown in the order given.
Result<void> CheckNoMixture(std::span<const Parameter> non_expression,
                            std::span<const Parameter> expression);

}  // namespace stator::expression
