// The expressions of a request, or their legacy forms, made ready to use. Errors come in the order
// of the service: mixed forms, placeholders without expressions, then each expression, then
// placeholders that none of them used (see expression/substitutions.h).
//
// Everything here borrows from the request.

#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/layers.h"
#include "expression/condition.h"
#include "expression/expression_cache.h"
#include "expression/key_condition.h"
#include "expression/legacy.h"
#include "expression/projection.h"
#include "expression/substitutions.h"
#include "expression/update.h"
#include "stator/api/common.h"
#include "stator/api/legacy_parameters.h"
#include "stator/base/result.h"

namespace stator::request {

// Which parameters of the two forms a request has, and its placeholders. To be made in the call: the
// lists are gone behind it.
struct ExpressionParameters {
  std::initializer_list<expression::Parameter> non_expression;
  std::initializer_list<expression::Parameter> expression;
  const std::optional<AttributeNames>& names;
  const Map* values;  // null when the request lacks them
};

// Not both forms; no placeholders without an expression that could use them.
Result<void> CheckExpressionParameters(const ExpressionParameters& parameters, api::Layer layer);

// ConditionalOperator has two or more conditions to join.
Result<void> CheckConditionalOperator(const std::optional<ConditionalOperator>& join,
                                      std::size_t conditions);

// Names of attributes that are keys of a legacy parameter, or listed by AttributesToGet.
Result<void> CheckAttributeName(std::string_view name);

expression::Substitutions SubstitutionsOf(const std::optional<AttributeNames>& names,
                                          const std::optional<Map>& values);

// A condition from ConditionExpression or Expected; nothing when the request has neither.
Result<std::optional<expression::Condition>> ConditionOf(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions);

// A filter from FilterExpression or the legacy filter.
Result<std::optional<expression::Condition>> FilterOf(
    expression::ExpressionCache& expressions, const std::optional<std::string>& filter_expression,
    const std::optional<Conditions>& filter,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions);

// A projection from ProjectionExpression or AttributesToGet.
Result<std::optional<expression::Projection>> ProjectionOf(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expression::Substitutions& substitutions);

// An update from UpdateExpression or AttributeUpdates.
Result<std::optional<expression::Update>> UpdateOf(
    expression::ExpressionCache& expressions, const std::optional<std::string>& update_expression,
    const std::optional<AttributeUpdates>& attribute_updates,
    expression::Substitutions& substitutions);

// What a Query asks of the keys, from KeyConditionExpression or KeyConditions. The condition owns
// what the comparisons point into; what it means is looked at after all other expressions.
struct BoundKeyCondition {
  std::optional<expression::Condition> condition;
  std::vector<expression::KeyComparison> comparisons;
};
Result<BoundKeyCondition> BindKeyCondition(
    expression::ExpressionCache& expressions,
    const std::optional<std::string>& key_condition_expression,
    const std::optional<Conditions>& key_conditions, expression::Substitutions& substitutions);
Result<void> CompareKeys(BoundKeyCondition& bound);

}  // namespace stator::request
