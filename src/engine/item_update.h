// Applying an update to an item, for UpdateItem, transactions and statements.

#pragma once

#include <optional>

#include "engine/table.h"
#include "expression/update.h"
#include "stator/api/common.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

// The update writes no key attribute and looks into none.
Result<void> CheckUpdateAgainstKeys(const Table& table, const expression::Update& update);

// Beside the finished item UpdateItem, alone, bounds what its statement writes: the attributes, 3
// bytes for itself, 19 for each SET and ADD (20 through a list), 2 for each REMOVE and DELETE.
Result<void> CheckStatementSize(const expression::Update& update, const Item& after);

// The item after the update; nothing when there was none and the update makes none. Without an
// update the item is made of its key if there is none. Fails when the result cannot be stored.
Result<std::optional<Item>> UpdatedItem(const Table& table,
                                        const std::optional<expression::Update>& update,
                                        const std::optional<Item>& before, const Item& key);

// The attributes that the request wants to see; nothing when there are none to show.
std::optional<Item> ReturnedItem(ReturnValues wanted,
                                 const std::optional<expression::Update>& update,
                                 std::optional<Item> before, std::optional<Item> after);

}  // namespace stator::engine
