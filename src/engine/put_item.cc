#include <utility>

#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_write.h"
#include "engine/whole_item_write.h"
#include "engine/write_operations.h"

namespace stator::engine {

Result<ItemPlan> PlanPutItem(Core& core, const PutItemInput& input) {
  TRY_VOID(CheckWholeItemWrite(input, input.item));
  TRY_VOID(CheckItemSize(input.item));
  ItemPlan plan;
  plan.condition = TRY(WriteConditionOf(core, input));
  plan.table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckItemKeys(*plan.table, input.item));
  if (plan.condition) {
    TRY_VOID(CheckKeyPaths(*plan.table, *plan.condition));
  }
  plan.item_key = ItemKeyOf(*plan.table, input.item);
  return plan;
}

Result<PutItemOutput> DecidePutItem(Core& core, const PutItemInput& input, const ItemPlan& plan,
                                    WriterView& view, PendingWrite& write) {
  std::optional<Item> before = TRY(view.ReadItem(plan.item_key));
  TRY_VOID(CheckCondition(plan.condition, before, input.return_values_on_condition_check_failure));
  Usage usage(input.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *plan.table,
               .item_key = plan.item_key,
               .before = before ? &*before : nullptr,
               .after = &input.item},
              view, write, usage);

  PutItemOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  output.item_collection_metrics =
      CollectionMetrics(*plan.table, input.item, input.return_item_collection_metrics);
  if (input.return_values == ReturnValues::kAllOld) {
    output.attributes = std::move(before);
  }
  return output;
}

}  // namespace stator::engine
