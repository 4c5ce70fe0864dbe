// The lists of GetItem, Query and Scan.

#include <string>

#include "request/checks.h"
#include "request/steps.h"

namespace stator::request {
namespace {

Result<void> CheckSelect(const std::optional<Select>& select, bool has_index,
                         bool has_projection_expression, bool has_attributes_to_get,
                         api::Layer layer) {
  if (!select) {
    return {};
  }
  const bool has_projection = has_projection_expression || has_attributes_to_get;
  const std::string cannot_specify =
      std::string("Cannot specify the ") +
      (has_projection_expression ? "ProjectionExpression" : "AttributesToGet") +
      " when choosing to get ";
  switch (*select) {
    case Select::kAllAttributes:
      if (has_projection) {
        return Invalid(cannot_specify + "ALL_ATTRIBUTES");
      }
      break;
    case Select::kAllProjectedAttributes:
      if (has_projection) {
        return Invalid(cannot_specify + "ALL_PROJECTED_ATTRIBUTES");
      }
      if (!has_index) {
        return Invalid(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
      }
      break;
    case Select::kSpecificAttributes:
      if (!has_projection) {
        return Invalid((layer == api::Layer::kOlder ? "" : std::string(kEnvelope)) +
                       "Must specify the AttributesToGet or ProjectionExpression when choosing to "
                       "get SPECIFIC_ATTRIBUTES");
      }
      break;
    case Select::kCount:
      if (has_projection) {
        return Invalid(cannot_specify + "only the Count");
      }
      break;
  }
  return {};
}

Result<void> CheckSegments(const ScanInput& input) {
  if (input.segment && !input.total_segments) {
    return Invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (!input.segment && input.total_segments) {
    return Invalid(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (input.segment && *input.segment >= *input.total_segments) {
    std::string message =
        "The Segment parameter is zero-based and must be less than parameter TotalSegments";
    if (api::kLayerOf<ScanInput> == api::Layer::kOlder) {
      message.append(": Segment: ").append(std::to_string(*input.segment));
      message.append(" is not less than TotalSegments: ");
      message.append(std::to_string(*input.total_segments));
    }
    return Invalid(std::move(message));
  }
  return {};
}

Result<void> CheckStartKey(const Context& context, const std::optional<Item>& start_key,
                           std::string_view before) {
  if (!start_key) {
    return {};
  }
  if (Result<void> good = CheckContent(context, "ExclusiveStartKey", *start_key); !good) {
    return Invalid(std::string(before) + good.error().message);
  }
  return {};
}

}  // namespace

Result<ReadExpressions> Check(const GetItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()}},
          .expression = {{"ProjectionExpression", input.projection_expression.has_value()}},
          .names = input.expression_attribute_names,
          .values = nullptr,
      },
      api::kLayerOf<GetItemInput>));
  TRY_VOID(CheckContent(context, "Key", input.key));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, std::nullopt);
  TRY_VOID(substitutions.CheckParameters());
  ReadExpressions expressions;
  expressions.projection = TRY(ProjectionOf(context.expressions, input.projection_expression,
                                            input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

Result<ReadExpressions> Check(const QueryInput& input, const Context& context) {
  constexpr api::Layer kLayer = api::kLayerOf<QueryInput>;
  TRY_VOID(CheckConstraints(input, context));
  // KeyConditions may stand beside expressions, unless there is a KeyConditionExpression.
  const bool key_conditions_clash = input.key_conditions && input.key_condition_expression;
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()},
                             {"QueryFilter", input.query_filter.has_value()},
                             {"ConditionalOperator", input.conditional_operator.has_value()},
                             {"KeyConditions", key_conditions_clash}},
          .expression = {{"ProjectionExpression", input.projection_expression.has_value()},
                         {"FilterExpression", input.filter_expression.has_value()},
                         {"KeyConditionExpression", input.key_condition_expression.has_value()}},
          .names = input.expression_attribute_names,
          .values = PointerTo(input.expression_attribute_values),
      },
      kLayer));
  TRY_VOID(CheckConditionalOperator(input.conditional_operator, SizeOf(input.query_filter)));
  TRY_VOID(CheckRead(context, "QueryFilter"));
  TRY_VOID(CheckRead(context, "KeyConditions"));
  TRY_VOID(CheckStartKey(context, input.exclusive_start_key, ""));
  TRY_VOID(CheckSelect(input.select, input.index_name.has_value(),
                       input.projection_expression.has_value(), input.attributes_to_get.has_value(),
                       kLayer));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(CheckPlaceholders(context, substitutions));
  ReadExpressions expressions;
  expressions.keys = TRY(BindKeyCondition(context.expressions, input.key_condition_expression,
                                          input.key_conditions, substitutions));
  expressions.filter = TRY(FilterOf(context.expressions, input.filter_expression,
                                    input.query_filter, input.conditional_operator, substitutions));
  expressions.projection = TRY(ProjectionOf(context.expressions, input.projection_expression,
                                            input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  TRY_VOID(CompareKeys(expressions.keys));
  return expressions;
}

Result<ReadExpressions> Check(const ScanInput& input, const Context& context) {
  constexpr api::Layer kLayer = api::kLayerOf<ScanInput>;
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()},
                             {"ScanFilter", input.scan_filter.has_value()},
                             {"ConditionalOperator", input.conditional_operator.has_value()}},
          .expression = {{"ProjectionExpression", input.projection_expression.has_value()},
                         {"FilterExpression", input.filter_expression.has_value()}},
          .names = input.expression_attribute_names,
          .values = PointerTo(input.expression_attribute_values),
      },
      kLayer));
  TRY_VOID(CheckRead(context, "ScanFilter"));
  TRY_VOID(CheckSelect(input.select, input.index_name.has_value(),
                       input.projection_expression.has_value(), input.attributes_to_get.has_value(),
                       kLayer));
  TRY_VOID(CheckSegments(input));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(CheckPlaceholders(context, substitutions));
  ReadExpressions expressions;
  expressions.filter = TRY(FilterOf(context.expressions, input.filter_expression, input.scan_filter,
                                    input.conditional_operator, substitutions));
  TRY_VOID(CheckConditionalOperator(input.conditional_operator, SizeOf(input.scan_filter)));
  expressions.projection = TRY(ProjectionOf(context.expressions, input.projection_expression,
                                            input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  TRY_VOID(
      CheckStartKey(context, input.exclusive_start_key, "The provided starting key is invalid: "));
  return expressions;
}

}  // namespace stator::request
