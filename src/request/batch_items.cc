// The lists of BatchGetItem and BatchWriteItem.

#include <set>
#include <string>

#include "base/limits.h"
#include "request/checks.h"
#include "request/steps.h"
#include "value/dynamodb_json.h"
#include "value/size.h"

namespace stator::request {
namespace {

using api::MemberPath;

Result<std::optional<expression::Projection>> CheckProjection(const KeysAndAttributes& request,
                                                              const Context& context) {
  TRY_VOID(CheckExpressionParameters(
      {
          .non_expression = {},
          .expression = {{"ProjectionExpression", request.projection_expression.has_value()}},
          .names = request.expression_attribute_names,
          .values = nullptr,
      },
      api::kLayerOf<BatchGetItemInput>));
  expression::Substitutions substitutions =
      SubstitutionsOf(request.expression_attribute_names, std::nullopt);
  TRY_VOID(substitutions.CheckParameters());
  std::optional<expression::Projection> projection =
      TRY(ProjectionOf(context.expressions, request.projection_expression,
                       request.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return projection;
}

// Expressions for one table and none for another do not go together either.
Result<void> CheckNoMixture(const BatchGetItemInput& input) {
  bool non_expression = false;
  bool expression = false;
  for (const auto& [name, request] : input.request_items) {
    non_expression = non_expression || request.attributes_to_get.has_value();
    expression = expression || request.projection_expression.has_value();
  }
  const expression::Parameter old_parameters[] = {{"AttributesToGet", non_expression}};
  const expression::Parameter new_parameters[] = {{"ProjectionExpression", expression}};
  return expression::CheckNoMixture(old_parameters, new_parameters);
}

Result<void> CheckKeys(const BatchGetItemInput& input, const Context& context) {
  const MemberPath map = MemberPath::Member(nullptr, "RequestItems");
  TRY_VOID(context.noticed.FaultIn(map));
  std::size_t count = 0;
  for (const auto& [name, request] : input.request_items) {
    count += request.keys.size();
    std::set<std::string> seen;
    for (const Item& key : request.keys) {
      TRY_VOID(value::CheckItem(key));
      if (!seen.insert(value::ToDynamoDbJson(key)).second) {
        return Invalid("Provided list of item keys contains duplicates");
      }
    }
  }
  if (count > limits::kBatchGetKeysMax) {
    return Invalid("Too many items requested for the BatchGetItem call");
  }
  return {};
}

const Item& ItemOf(const WriteRequest& request) {
  const auto* put = std::get_if<PutRequest>(&request);
  return put != nullptr ? put->item : std::get<DeleteRequest>(request).key;
}

}  // namespace

Result<Projections> Check(const BatchGetItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(CheckNoMixture(input));
  Projections projections;
  for (const auto& [name, request] : input.request_items) {
    projections.push_back(TRY(CheckProjection(request, context)));
  }
  TRY_VOID(CheckKeys(input, context));
  return projections;
}

Result<std::size_t> Check(const BatchWriteItemInput& input, const Context& context) {
  TRY_VOID(CheckConstraints(input, context));
  TRY_VOID(CheckRead(context, "RequestItems"));
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& [name, requests] : input.request_items) {
    count += requests.size();
    for (const WriteRequest& request : requests) {
      TRY_VOID(value::CheckItem(ItemOf(request)));
      const std::size_t item_bytes = value::SizeOfItem(ItemOf(request));
      if (std::holds_alternative<PutRequest>(request)) {
        TRY_VOID(CheckItemSize(item_bytes));
      }
      bytes += item_bytes;
    }
  }
  if (count > limits::kBatchWriteRequestsMax) {
    return Invalid("Too many items requested for the BatchWriteItem call");
  }
  if (bytes > limits::kBatchBytesMax) {
    return Invalid("Request size exceeds the limit of 16 MB for the BatchWriteItem call");
  }
  return bytes;
}

}  // namespace stator::request
