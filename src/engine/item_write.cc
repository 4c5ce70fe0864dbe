#include "engine/item_write.h"

#include <memory>
#include <utility>

#include "base/try.h"
#include "engine/item_store.h"
#include "stator/api/error_details.h"

namespace stator::engine {

Result<LockedItem> LockItem(Core& core, TablePtr table, const Item& key) {
  LockedItem locked;
  locked.item_key = ItemKeyOf(*table, key);
  locked.write.locks =
      TRY(core.locks.Acquire({KeyLocks::HashOf(locked.item_key)}, core.lock_wait_max));
  locked.write.tables.push_back(std::move(table));
  locked.before = TRY(ReadItem(core, locked.item_key));
  return locked;
}

Result<void> CheckCondition(const std::optional<expression::Condition>& condition,
                            const std::optional<Item>& before,
                            ReturnValuesOnConditionCheckFailure wanted) {
  if (!condition || condition->Matches(before ? &*before : nullptr)) {
    return {};
  }
  Error error{.code = ErrorCode::kConditionFailed, .message = "The conditional request failed"};
  if (wanted == ReturnValuesOnConditionCheckFailure::kAllOld && before) {
    auto detail = std::make_shared<ConditionFailedDetail>();
    detail->item = before;
    error.detail = std::move(detail);
  }
  return std::unexpected(std::move(error));
}

std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, const Item& key,
                                                       ReturnItemCollectionMetrics wanted) {
  if (wanted == ReturnItemCollectionMetrics::kNone || !table.has_local_indexes()) {
    return std::nullopt;
  }
  // The service estimates in whole gigabytes, and says so with a lower and an upper bound.
  return ItemCollectionMetrics{
      .item_collection_key = {{table.partition.name, key.at(table.partition.name)}},
      .size_estimate_range_gb = {0.0, 1.0},
  };
}

}  // namespace stator::engine
