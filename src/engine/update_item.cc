#include <utility>

#include "api/constraints.h"
#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/request_expressions.h"
#include "engine/write_operations.h"
#include "value/check_value.h"

namespace stator::engine {
namespace {

Result<ItemPlan> Check(Core& core, const UpdateItemInput& input) {
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
  ItemPlan plan;
  plan.update =
      TRY(UpdateOf(core, input.update_expression, input.attribute_updates, substitutions));
  plan.condition = TRY(ConditionOf(core, input.condition_expression, input.expected,
                                   input.conditional_operator, substitutions));
  TRY_VOID(substitutions.CheckAllUsed());
  return plan;
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

Result<ItemPlan> PlanUpdateItem(Core& core, const UpdateItemInput& input) {
  ItemPlan plan = TRY(Check(core, input));
  plan.table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckKey(*plan.table, input.key));
  if (plan.update) {
    TRY_VOID(CheckUpdateAgainstKeys(*plan.table, *plan.update));
  }
  if (plan.condition) {
    TRY_VOID(CheckKeyPaths(*plan.table, *plan.condition));
  }
  plan.item_key = ItemKeyOf(*plan.table, input.key);
  return plan;
}

Result<UpdateItemOutput> DecideUpdateItem(Core& core, const UpdateItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write) {
  std::optional<Item> before = TRY(view.ReadItem(plan.item_key));
  TRY_VOID(CheckCondition(plan.condition, before, input.return_values_on_condition_check_failure));
  std::optional<Item> after = TRY(UpdatedItem(*plan.table, plan.update, before, input.key));
  Usage usage(input.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *plan.table,
               .item_key = plan.item_key,
               .before = before ? &*before : nullptr,
               .after = after ? &*after : nullptr},
              view, write, usage);

  UpdateItemOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  output.item_collection_metrics =
      CollectionMetrics(*plan.table, input.key, input.return_item_collection_metrics);
  output.attributes =
      Returned(input.return_values, plan.update, std::move(before), std::move(after));
  return output;
}

}  // namespace stator::engine
