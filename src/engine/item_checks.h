// Whether keys and items fit the table, in DynamoDB's words.

#pragma once

#include "engine/table.h"
#include "stator/base/result.h"
#include "stator/value/attribute_value.h"

namespace stator::engine {

// A key as GetItem takes it: exactly the key attributes, each of its type, not empty, not too long.
Result<void> CheckKey(const Table& table, const Item& key);

// One key attribute of a key. `is_sort` decides the length limit.
Result<void> CheckKeyPart(const KeyAttribute& attribute, const Item& key, bool is_sort);

// An item about to be stored: it has the table's key, index keys are of their types and lengths
// where they are there at all. Sizes are checked separately.
Result<void> CheckItemKeys(const Table& table, const Item& item);
// The same for a put of a batch, which words what is wrong with the table's key as for keys.
Result<void> CheckBatchedItemKeys(const Table& table, const Item& item);

// No key attribute of the table is an empty string or binary where it is of that type. Transactions
// are refused for that before anything is decided.
Result<void> CheckKeyNotEmpty(const Table& table, const Item& item);

// The index keys of an item that an update made.
Result<void> CheckUpdatedIndexKeys(const Table& table, const Item& item);

// Whether a value can be that key attribute at all: of its type, not empty, not too long.
bool IsUsableKey(const KeyAttribute& attribute, const AttributeValue& value, bool is_sort);

// Whether the item has every key attribute of the index, hence an entry in it. An item from before
// the index may have them in a form that no write would be allowed today; it stays out.
bool BelongsTo(const Index& index, const Item& item);

// The item as it would be stored is within 400 KB, names included, in UpdateItem's words.
Result<void> CheckUpdatedItemSize(const Item& item);

}  // namespace stator::engine
