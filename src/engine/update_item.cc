#include <utility>

#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_update.h"
#include "engine/item_write.h"
#include "engine/key_paths.h"
#include "engine/write_operations.h"
#include "request/checks.h"

namespace stator::engine {

Result<ItemPlan> PlanUpdateItem(EngineCore& core, const UpdateItemInput& input) {
  request::WriteExpressions expressions = TRY(request::Check(input, core.expressions));
  ItemPlan plan;
  plan.update = std::move(expressions.update);
  plan.condition = std::move(expressions.condition);
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

Result<UpdateItemOutput> DecideUpdateItem(EngineCore& core, const UpdateItemInput& input,
                                          const ItemPlan& plan, WriterView& view,
                                          PendingWrite& write) {
  std::optional<Item> before = TRY(view.ReadWholeItem(*plan.table, plan.item_key));
  TRY_VOID(CheckCondition(plan.condition, before, input.return_values_on_condition_check_failure));
  std::optional<Item> after = TRY(UpdatedItem(*plan.table, plan.update, before, input.key));
  if (plan.update && after) {
    TRY_VOID(CheckStatementSize(*plan.update, *after));
  }
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
      ReturnedItem(input.return_values, plan.update, std::move(before), std::move(after));
  return output;
}

}  // namespace stator::engine
