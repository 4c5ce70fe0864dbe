// The expressions of a request, or their legacy forms, made ready to use. Errors come in the order
// of the service: mixed forms, placeholders without expressions, then each expression, then
// placeholders that none of them used (see expression/substitutions.h).
//
// Everything here borrows from the request.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/legacy.h"
#include "expression/projection.h"
#include "expression/substitutions.h"
#include "expression/update.h"
#include "stator/api/common.h"
#include "stator/api/legacy_parameters.h"
#include "stator/base/result.h"

namespace stator::engine {

// Which parameters of the two forms a request has, and its placeholders.
struct ExpressionParameters {
  std::vector<expression::Parameter> non_expression;
  std::vector<expression::Parameter> expression;
  const std::optional<AttributeNames>& names;
  const Map* values;  // null when the request lacks them
};

// Not both forms; no placeholders without an expression that could use them.
Result<void> CheckExpressionParameters(const ExpressionParameters& parameters);

expression::Substitutions SubstitutionsOf(const std::optional<AttributeNames>& names,
                                          const std::optional<Map>& values);

// A condition from ConditionExpression or Expected; nothing when the request has neither.
Result<std::optional<expression::Condition>> ConditionOf(
    Core& core, const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions);

// A filter from FilterExpression or the legacy filter.
Result<std::optional<expression::Condition>> FilterOf(
    Core& core, const std::optional<std::string>& filter_expression,
    const std::optional<Conditions>& filter,
    const std::optional<ConditionalOperator>& conditional_operator,
    expression::Substitutions& substitutions);

// A projection from ProjectionExpression or AttributesToGet.
Result<std::optional<expression::Projection>> ProjectionOf(
    Core& core, const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expression::Substitutions& substitutions);

// An update from UpdateExpression or AttributeUpdates.
Result<std::optional<expression::Update>> UpdateOf(
    Core& core, const std::optional<std::string>& update_expression,
    const std::optional<AttributeUpdates>& attribute_updates,
    expression::Substitutions& substitutions);

// What a Query asks of the keys, from KeyConditionExpression or KeyConditions. The condition owns
// what the comparisons point into.
struct KeyQuestion {
  std::optional<expression::Condition> condition;
  std::vector<expression::KeyComparison> comparisons;
};
Result<KeyQuestion> KeyQuestionOf(Core& core,
                                  const std::optional<std::string>& key_condition_expression,
                                  const std::optional<Conditions>& key_conditions,
                                  expression::Substitutions& substitutions);

// No path goes into a key attribute of the table or of an index: those are scalars.
template <class Expression>
Result<void> CheckKeyPaths(const Table& table, const Expression& expression) {
  const auto refuse = [](std::string_view what, const std::string& name) {
    return Invalid(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
        "allowed: " +
        std::string(what) + ": " + name);
  };
  if (expression.LooksInside(table.partition.name)) {
    return refuse("Key", table.partition.name);
  }
  if (table.sort && expression.LooksInside(table.sort->name)) {
    return refuse("Key", table.sort->name);
  }
  for (const Index& index : table.indexes) {
    for (const KeyAttribute& attribute : index.KeyAttributes()) {
      if (expression.LooksInside(attribute.name)) {
        return refuse("IndexKey", attribute.name);
      }
    }
  }
  return {};
}

}  // namespace stator::engine
