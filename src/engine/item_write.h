// What PutItem, UpdateItem and DeleteItem have in common: lock the item, read it, check the
// condition, change it, report.

#pragma once

#include <optional>
#include <string>

#include "engine/capacity.h"
#include "engine/core.h"
#include "engine/item_change.h"
#include "engine/pending_write.h"
#include "expression/condition.h"
#include "stator/api/common.h"

namespace stator::engine {

// An item that is ours to change until `write` is gone.
struct LockedItem {
  PendingWrite write;
  std::string item_key;
  std::optional<Item> before;
};

// REQUIRES: `key` has the key attributes of the table.
Result<LockedItem> LockItem(Core& core, TablePtr table, const Item& key);

// kConditionFailed, with the item when it was asked for.
Result<void> CheckCondition(const std::optional<expression::Condition>& condition,
                            const std::optional<Item>& before,
                            ReturnValuesOnConditionCheckFailure wanted);

std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, const Item& key,
                                                       ReturnItemCollectionMetrics wanted);

}  // namespace stator::engine
