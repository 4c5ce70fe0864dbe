// Applying an update to an item, for UpdateItem and for transactions.

#pragma once

#include <optional>

#include "engine/table.h"
#include "expression/update.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

// The update writes no key attribute and looks into none.
Result<void> CheckUpdateAgainstKeys(const Table& table, const expression::Update& update);

// The item after the update; nothing when there was none and the update makes none. Without an
// update the item is made of its key if there is none. Fails when the result cannot be stored.
Result<std::optional<Item>> UpdatedItem(const Table& table,
                                        const std::optional<expression::Update>& update,
                                        const std::optional<Item>& before, const Item& key);

}  // namespace stator::engine
