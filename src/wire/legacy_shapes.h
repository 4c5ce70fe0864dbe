// The parameters that expressions replaced.

#pragma once

#include "stator/api/legacy_parameters.h"
#include "wire/enum_names.h"
#include "wire/shape.h"

namespace stator::wire {

template <>
struct Shape<ExpectedAttributeValue> {
  static constexpr std::string_view kName = "ExpectedAttributeValue";
  static void Visit(auto& visit, auto& expected) {
    visit.Optional("Value", expected.value);
    visit.Optional("Exists", expected.exists);
    visit.Optional("ComparisonOperator", expected.comparison_operator);
    visit.Optional("AttributeValueList", expected.attribute_value_list);
  }
};

template <>
struct Shape<Condition> {
  static constexpr std::string_view kName = "Condition";
  static void Visit(auto& visit, auto& condition) {
    visit.Optional("AttributeValueList", condition.attribute_value_list);
    visit.Required("ComparisonOperator", condition.comparison_operator);
  }
};

template <>
struct Shape<AttributeValueUpdate> {
  static constexpr std::string_view kName = "AttributeValueUpdate";
  static void Visit(auto& visit, auto& update) {
    visit.Optional("Value", update.value);
    visit.Optional("Action", update.action);
  }
};

}  // namespace stator::wire
