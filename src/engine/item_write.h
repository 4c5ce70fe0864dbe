// What PutItem, UpdateItem and DeleteItem have in common: check the condition, report.

#pragma once

#include <optional>

#include "engine/capacity.h"
#include "engine/table.h"
#include "expression/condition.h"
#include "stator/api/common.h"

namespace stator::engine {

// kConditionFailed, with the item when it was asked for.
Result<void> CheckCondition(const std::optional<expression::Condition>& condition,
                            const std::optional<Item>& before,
                            ReturnValuesOnConditionCheckFailure wanted);

std::optional<ItemCollectionMetrics> CollectionMetrics(const Table& table, const Item& key,
                                                       ReturnItemCollectionMetrics wanted);

}  // namespace stator::engine
