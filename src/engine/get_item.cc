#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/capacity.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/operations.h"
#include "engine/request_expressions.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::engine {
namespace {

Result<std::optional<expression::Projection>> Check(Core& core, const GetItemInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"AttributesToGet", input.attributes_to_get.has_value()}},
      .expression = {{"ProjectionExpression", input.projection_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = nullptr,
  }));
  TRY_VOID(value::CheckItem(input.key));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, std::nullopt);
  TRY_VOID(substitutions.CheckParameters());
  std::optional<expression::Projection> projection =
      TRY(ProjectionOf(core, input.projection_expression, input.attributes_to_get, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return projection;
}

}  // namespace

Result<GetItemOutput> GetItem(Core& core, const GetItemInput& input) {
  const std::optional<expression::Projection> projection = TRY(Check(core, input));
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*table, input.key));
  if (projection) {
    TRY_VOID(CheckKeyPaths(*table, *projection));
  }

  GetItemOutput output;
  output.item = TRY(FetchItem(core, ItemKeyOf(*table, input.key)));
  if (input.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    Usage usage(input.table_name, Usage::Kind::kRead);
    usage.AddTable(
        ReadUnits(output.item ? value::SizeOfItem(*output.item) : 0, input.consistent_read));
    output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  }
  if (projection && output.item) {
    output.item = projection->Apply(*output.item);
  }
  return output;
}

}  // namespace stator::engine
