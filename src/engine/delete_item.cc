#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/item_write.h"
#include "engine/operations.h"
#include "engine/request_expressions.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

Result<std::optional<expression::Condition>> Check(Core& core, const DeleteItemInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"Expected", input.expected.has_value()}},
      .expression = {{"ConditionExpression", input.condition_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = input.expression_attribute_values ? &*input.expression_attribute_values : nullptr,
  }));
  TRY_VOID(value::CheckItem(input.key));
  if (input.return_values != ReturnValues::kNone && input.return_values != ReturnValues::kAllOld) {
    return Invalid("ReturnValues can only be ALL_OLD or NONE");
  }
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  std::optional<expression::Condition> condition = TRY(ConditionOf(
      core, input.condition_expression, input.expected, input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return condition;
}

}  // namespace

Result<Prepared<DeleteItemOutput>> PrepareDeleteItem(Core& core, const DeleteItemInput& input) {
  const std::optional<expression::Condition> condition = TRY(Check(core, input));
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*table, input.key));
  if (condition) {
    TRY_VOID(CheckKeyPaths(*table, *condition));
  }

  LockedItem locked = TRY(LockItem(core, table, input.key));
  TRY_VOID(
      CheckCondition(condition, locked.before, input.return_values_on_condition_check_failure));
  Usage usage(input.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *table,
               .item_key = locked.item_key,
               .before = locked.before ? &*locked.before : nullptr,
               .after = nullptr},
              locked.write, usage);

  DeleteItemOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  output.item_collection_metrics =
      CollectionMetrics(*table, input.key, input.return_item_collection_metrics);
  if (input.return_values == ReturnValues::kAllOld) {
    output.attributes = std::move(locked.before);
  }
  return Prepared<DeleteItemOutput>{.write = std::move(locked.write), .output = std::move(output)};
}

}  // namespace stator::engine
