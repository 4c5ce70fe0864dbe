#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/operations.h"
#include "engine/request_expressions.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

struct Expressions {
  std::optional<expression::Update> update;
  std::optional<expression::Condition> condition;
};

Result<Expressions> Check(Core& core, const UpdateItemInput& input) {
  TRY_VOID(api::CheckConstraints(input));
  TRY_VOID(CheckExpressionParameters({
      .non_expression = {{"AttributeUpdates", input.attribute_updates.has_value()},
                         {"Expected", input.expected.has_value()}},
      .expression = {{"UpdateExpression", input.update_expression.has_value()},
                     {"ConditionExpression", input.condition_expression.has_value()}},
      .names = input.expression_attribute_names,
      .values = input.expression_attribute_values ? &*input.expression_attribute_values : nullptr,
  }));
  TRY_VOID(value::CheckItem(input.key));
  expression::Substitutions substitutions =
      SubstitutionsOf(input.expression_attribute_names, input.expression_attribute_values);
  TRY_VOID(substitutions.CheckParameters());
  Expressions expressions;
  expressions.update =
      TRY(UpdateOf(core, input.update_expression, input.attribute_updates, substitutions));
  expressions.condition = TRY(ConditionOf(core, input.condition_expression, input.expected,
                                          input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return expressions;
}

// The attributes that the request wants to see; nothing when there are none to show.
std::optional<Item> Returned(ReturnValues wanted, const std::optional<expression::Update>& update,
                             std::optional<Item> before, std::optional<Item> after) {
  const auto unless_empty = [](Item item) {
    return item.empty() ? std::nullopt : std::optional(std::move(item));
  };
  switch (wanted) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return before;
    case ReturnValues::kAllNew:
      return after;
    case ReturnValues::kUpdatedOld:
      return update && before ? unless_empty(update->UpdatedOld(&*before)) : std::nullopt;
    case ReturnValues::kUpdatedNew:
      return update && after ? unless_empty(update->UpdatedNew(*after)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Result<Prepared<UpdateItemOutput>> PrepareUpdateItem(Core& core, const UpdateItemInput& input) {
  const Expressions expressions = TRY(Check(core, input));
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*table, input.key));
  if (expressions.update) {
    TRY_VOID(CheckUpdateAgainstKeys(*table, *expressions.update));
  }
  if (expressions.condition) {
    TRY_VOID(CheckKeyPaths(*table, *expressions.condition));
  }

  LockedItem locked = TRY(LockItem(core, table, input.key));
  TRY_VOID(CheckCondition(expressions.condition, locked.before,
                          input.return_values_on_condition_check_failure));
  std::optional<Item> after =
      TRY(UpdatedItem(*table, expressions.update, locked.before, input.key));
  Usage usage(input.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *table,
               .item_key = locked.item_key,
               .before = locked.before ? &*locked.before : nullptr,
               .after = after ? &*after : nullptr},
              locked.write, usage);

  UpdateItemOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  output.item_collection_metrics =
      CollectionMetrics(*table, input.key, input.return_item_collection_metrics);
  output.attributes =
      Returned(input.return_values, expressions.update, std::move(locked.before), std::move(after));
  return Prepared<UpdateItemOutput>{.write = std::move(locked.write), .output = std::move(output)};
}

}  // namespace stator::engine
