#include <utility>

#include "base/try.h"
#include "engine/item_checks.h"
#include "engine/item_write.h"
#include "engine/operations.h"
#include "engine/whole_item_write.h"

namespace stator::engine {

Result<Prepared<PutItemOutput>> PreparePutItem(Core& core, const PutItemInput& input) {
  TRY_VOID(CheckWholeItemWrite(input, input.item));
  TRY_VOID(CheckItemSize(input.item));
  const std::optional<expression::Condition> condition = TRY(WriteConditionOf(core, input));
  const TablePtr table = TRY(core.catalog.Find(input.table_name));
  TRY_VOID(CheckItemKeys(*table, input.item));
  if (condition) {
    TRY_VOID(CheckKeyPaths(*table, *condition));
  }

  LockedItem locked = TRY(LockItem(core, table, input.item));
  TRY_VOID(
      CheckCondition(condition, locked.before, input.return_values_on_condition_check_failure));
  Usage usage(input.table_name, Usage::Kind::kWrite);
  ApplyChange(core,
              {.table = *table,
               .item_key = locked.item_key,
               .before = locked.before ? &*locked.before : nullptr,
               .after = &input.item},
              locked.write, usage);

  PutItemOutput output;
  output.consumed_capacity = usage.Report(input.return_consumed_capacity);
  output.item_collection_metrics =
      CollectionMetrics(*table, input.item, input.return_item_collection_metrics);
  if (input.return_values == ReturnValues::kAllOld) {
    output.attributes = std::move(locked.before);
  }
  return Prepared<PutItemOutput>{.write = std::move(locked.write), .output = std::move(output)};
}

}  // namespace stator::engine
