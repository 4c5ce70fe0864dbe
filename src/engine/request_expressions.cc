#include "engine/request_expressions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"

namespace stator::engine {
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

Result<void> CheckJoin(const std::optional<ConditionalOperator>& join, std::size_t conditions) {
  return join ? expression::CheckConditionalOperator(conditions) : Result<void>();
}

// What has attribute names as keys.
template <class Named>
Result<void> CheckNames(const Named& named) {
  if (named.contains("")) {
    return Invalid("Empty attribute name");
  }
  return {};
}

bool AnyPresent(std::span<const expression::Parameter> parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const auto& parameter) { return parameter.present; });
}

}  // namespace

Result<void> CheckExpressionParameters(const ExpressionParameters& parameters) {
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
  return Invalid("ExpressionAttributeValues can only be specified when using expressions: " +
                 missing + (count > 1 ? " are null" : " is null"));
}

expression::Substitutions SubstitutionsOf(const std::optional<AttributeNames>& names,
                                          const std::optional<Map>& values) {
  return {names ? &*names : nullptr, values ? &*values : nullptr};
}

Result<std::optional<expression::Condition>> ConditionOf(
    Core& core, const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions) {
  if (condition_expression) {
    return TRY(core.expressions.BindCondition(expression::ExpressionKind::kCondition,
                                              *condition_expression, substitutions));
  }
  if (!expected || expected->empty()) {
    TRY_VOID(CheckJoin(conditional_operator, 0));
    return std::nullopt;
  }
  expression::Condition condition =
      TRY(expression::ConditionFromExpected(Convert(*expected), Convert(conditional_operator)));
  TRY_VOID(CheckNames(*expected));
  TRY_VOID(CheckJoin(conditional_operator, expected->size()));
  return condition;
}

Result<std::optional<expression::Condition>> FilterOf(
    Core& core, const std::optional<std::string>& filter_expression,
    const std::optional<Conditions>& filter,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions) {
  if (filter_expression) {
    return TRY(core.expressions.BindCondition(expression::ExpressionKind::kFilter,
                                              *filter_expression, substitutions));
  }
  if (!filter || filter->empty()) {
    TRY_VOID(CheckJoin(conditional_operator, 0));
    return std::nullopt;
  }
  expression::Condition condition =
      TRY(expression::ConditionFromFilter(Convert(*filter), Convert(conditional_operator)));
  TRY_VOID(CheckNames(*filter));
  TRY_VOID(CheckJoin(conditional_operator, filter->size()));
  return condition;
}

Result<std::optional<expression::Projection>> ProjectionOf(
    Core& core, const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expression::Substitutions& substitutions) {
  if (projection_expression) {
    return TRY(core.expressions.BindProjection(*projection_expression, substitutions));
  }
  if (!attributes_to_get) {
    return std::nullopt;
  }
  std::set<std::string_view> seen;
  for (const std::string& name : *attributes_to_get) {
    if (name.empty()) {
      return Invalid("Empty attribute name");
    }
    if (!seen.insert(name).second) {
      return Invalid(
          "One or more parameter values were invalid: Duplicate value in attribute name: " + name);
    }
  }
  return expression::Projection::OfAttributes(*attributes_to_get);
}

Result<std::optional<expression::Update>> UpdateOf(
    Core& core, const std::optional<std::string>& update_expression,
    const std::optional<AttributeUpdates>& attribute_updates,
    expression::Substitutions& substitutions) {
  if (update_expression) {
    return TRY(core.expressions.BindUpdate(*update_expression, substitutions));
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

Result<KeyQuestion> KeyQuestionOf(Core& core,
                                  const std::optional<std::string>& key_condition_expression,
                                  const std::optional<Conditions>& key_conditions,
                                  expression::Substitutions& substitutions) {
  KeyQuestion question;
  if (key_condition_expression) {
    question.condition = TRY(core.expressions.BindCondition(
        expression::ExpressionKind::kKeyCondition, *key_condition_expression, substitutions));
    question.comparisons = TRY(expression::CompareKeys(*question.condition));
    return question;
  }
  if (!key_conditions) {
    return Invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  TRY_VOID(CheckNames(*key_conditions));
  question.comparisons = TRY(expression::ComparisonsFromKeyConditions(Convert(*key_conditions)));
  return question;
}

}  // namespace stator::engine
