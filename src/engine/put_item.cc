#include <utility>

#include "base/try.h"
#include "engine/item_change.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/item_write.h"
#include "engine/key_paths.h"
#include "engine/write_operations.h"
#include "request/checks.h"

namespace stator::engine {

Result<ItemPlan> PlanPutItem(EngineCore& core, const PutItemInput& input) {
  ItemPlan plan;
  plan.condition = TRY(request::Check(input, core.expressions)).condition;
  plan.table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckItemKeys(*plan.table, input.item));
  if (plan.condition) {
    TRY_VOID(CheckKeyPaths(*plan.table, *plan.condition));
  }
  plan.item_key = ItemKeyOf(*plan.table, input.item);
  return plan;
}

Result<PutItemOutput> DecidePutItem(EngineCore& core, const PutItemInput& input,
                                    const ItemPlan& plan, WriterView& view, PendingWrite& write) {
  std::optional<Item> before = TRY(view.ReadItem(*plan.table, plan.item_key));
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
