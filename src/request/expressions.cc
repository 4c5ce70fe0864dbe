#include "request/expressions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/limits.h"
#include "base/try.h"
#include "value/refusals.h"

namespace stator::request {
namespace {

// The enumerators of both layers stand in the same order.
expression::ComparisonOperator Convert(ComparisonOperator comparison) {
  static_assert(static_cast<int>(ComparisonOperator::kBeginsWith) ==
                static_cast<int>(expression::ComparisonOperator::kBeginsWith));
  return static_cast<expression::ComparisonOperator>(comparison);
}

expression::ConditionalOperator Convert(const std::optional<ConditionalOperator>& join) {
  return join == ConditionalOperator::kOr ? expression::ConditionalOperator::kOr
                                          : expression::ConditionalOperator::kAnd;
}

expression::AttributeAction Convert(AttributeAction action) {
  static_assert(static_cast<int>(AttributeAction::kDelete) ==
                static_cast<int>(expression::AttributeAction::kDelete));
  return static_cast<expression::AttributeAction>(action);
}

std::vector<expression::AttributeComparison> Convert(const Conditions& conditions) {
  std::vector<expression::AttributeComparison> converted;
  for (const auto& [name, condition] : conditions) {
    converted.push_back(
        {.attribute = name,
         .comparison = Convert(condition.comparison_operator),
         .values = condition.attribute_value_list ? &*condition.attribute_value_list : nullptr});
  }
  return converted;
}

std::vector<expression::ExpectedAttribute> Convert(const ExpectedAttributes& expected) {
  std::vector<expression::ExpectedAttribute> converted;
  for (const auto& [name, attribute] : expected) {
    expression::ExpectedAttribute entry{.attribute = name};
    entry.value = attribute.value ? &*attribute.value : nullptr;
    entry.exists = attribute.exists;
    if (attribute.comparison_operator) {
      entry.comparison = Convert(*attribute.comparison_operator);
    }
    entry.values = attribute.attribute_value_list ? &*attribute.attribute_value_list : nullptr;
    converted.push_back(entry);
  }
  return converted;
}

// What has attribute names as keys.
template <class Named>
Result<void> CheckNames(const Named& named) {
  for (const auto& [name, about] : named) {
    TRY_VOID(CheckAttributeName(name));
  }
  return {};
}

bool AnyPresent(std::span<const expression::Parameter> parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const auto& parameter) { return parameter.present; });
}

}  // namespace

Result<void> CheckConditionalOperator(const std::optional<ConditionalOperator>& join,
                                      std::size_t conditions) {
  return join ? expression::CheckConditionalOperator(conditions) : Result<void>();
}

Result<void> CheckAttributeName(std::string_view name) {
  if (name.empty()) {
    return std::unexpected(value::EmptyName());
  }
  if (name.size() > limits::kAttributeNameBytesMax) {
    return std::unexpected(value::NameTooLong());
  }
  return {};
}

Result<void> CheckExpressionParameters(const ExpressionParameters& parameters, api::Layer layer) {
  TRY_VOID(expression::CheckNoMixture(parameters.non_expression, parameters.expression));
  if (parameters.names && !AnyPresent(parameters.expression)) {
    return Invalid("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (parameters.values == nullptr) {
    return {};
  }
  // A projection has no use for values.
  std::string missing;
  int count = 0;
  for (const expression::Parameter& parameter : parameters.expression) {
    if (parameter.name == "ProjectionExpression") {
      continue;
    }
    if (parameter.present) {
      return {};
    }
    missing += (count++ == 0 ? "" : " and ");
    missing += parameter.name;
  }
  std::string message = "ExpressionAttributeValues can only be specified when using expressions";
  if (layer == api::Layer::kOlder) {
    message.append(": ").append(missing).append(count > 1 ? " are null" : " is null");
  }
  return Invalid(std::move(message));
}

expression::Substitutions SubstitutionsOf(const std::optional<AttributeNames>& names,
                                          const std::optional<Map>& values) {
  return {names ? &*names : nullptr, values ? &*values : nullptr};
}

Result<std::optional<expression::Condition>> ConditionOf(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions) {
  if (condition_expression) {
    return TRY(expressions.BindCondition(expression::ExpressionKind::kCondition,
                                         *condition_expression, substitutions));
  }
  if (!expected || expected->empty()) {
    return std::nullopt;
  }
  expression::Condition condition =
      TRY(expression::ConditionFromExpected(Convert(*expected), Convert(conditional_operator)));
  TRY_VOID(CheckNames(*expected));
  return condition;
}

Result<std::optional<expression::Condition>> FilterOf(
    expression::ExpressionCache& expressions, const std::optional<std::string>& filter_expression,
    const std::optional<Conditions>& filter,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions) {
  if (filter_expression) {
    return TRY(expressions.BindCondition(expression::ExpressionKind::kFilter, *filter_expression,
                                         substitutions));
  }
  if (!filter || filter->empty()) {
    return std::nullopt;
  }
  expression::Condition condition =
      TRY(expression::ConditionFromFilter(Convert(*filter), Convert(conditional_operator)));
  TRY_VOID(CheckNames(*filter));
  return condition;
}

Result<std::optional<expression::Projection>> ProjectionOf(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expression::Substitutions& substitutions) {
  if (projection_expression) {
    return TRY(expressions.BindProjection(*projection_expression, substitutions));
  }
  if (!attributes_to_get) {
    return std::nullopt;
  }
  std::set<std::string_view> seen;
  for (const std::string& name : *attributes_to_get) {
    TRY_VOID(CheckAttributeName(name));
    if (!seen.insert(name).second) {
      return Invalid(
          "One or more parameter values were invalid: Duplicate value in attribute name: " + name);
    }
  }
  return expression::Projection::OfAttributes(*attributes_to_get);
}

Result<std::optional<expression::Update>> UpdateOf(
    expression::ExpressionCache& expressions, const std::optional<std::string>& update_expression,
    const std::optional<AttributeUpdates>& attribute_updates,
    expression::Substitutions& substitutions) {
  if (update_expression) {
    return TRY(expressions.BindUpdate(*update_expression, substitutions));
  }
  if (!attribute_updates || attribute_updates->empty()) {
    return std::nullopt;
  }
  TRY_VOID(CheckNames(*attribute_updates));
  std::vector<expression::AttributeUpdate> converted;
  for (const auto& [name, update] : *attribute_updates) {
    expression::AttributeUpdate entry{.attribute = name};
    entry.value = update.value ? &*update.value : nullptr;
    if (update.action) {
      entry.action = Convert(*update.action);
    }
    converted.push_back(entry);
  }
  return TRY(expression::UpdateFromAttributeUpdates(converted));
}

Result<BoundKeyCondition> BindKeyCondition(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& key_condition_expression,
    const std::optional<Conditions>& key_conditions, expression::Substitutions& substitutions) {
  BoundKeyCondition bound;
  if (key_condition_expression) {
    bound.condition = TRY(expressions.BindCondition(expression::ExpressionKind::kKeyCondition,
                                                    *key_condition_expression, substitutions));
    return bound;
  }
  if (!key_conditions) {
    return Invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  TRY_VOID(CheckNames(*key_conditions));
  bound.comparisons = TRY(expression::ComparisonsFromKeyConditions(Convert(*key_conditions)));
  return bound;
}

Result<void> CompareKeys(BoundKeyCondition& bound) {
  if (bound.condition) {
    bound.comparisons = TRY(expression::CompareKeys(*bound.condition));
  }
  return {};
}

}  // namespace stator::request
