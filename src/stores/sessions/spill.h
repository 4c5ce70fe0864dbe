// Large lists of a record in items of their own, the parts. A record refers to its parts by a spill
// id that is new with every write, so writers never touch parts that readers may be reading: parts
// are written first, the record last, and the old parts are removed behind it.

#pragma once

#include <string>
#include <vector>

#include "stator/stores/sessions/session_error.h"
#include "stator/stores/sessions/workflow.h"
#include "stator/value/attribute_value.h"

namespace stator::sessions {

struct SessionStoreCore;

struct Spilled {
  Item header;                   // what is left of the record
  std::vector<Item> parts = {};  // with their keys
};

// Leaves the item as it is when it is small enough. `item` has its key, epoch and expiry; parts get
// the same. Fails with kTooLarge when what is left, or one element, is larger than an item may be.
Result<Spilled> Spill(const SessionStoreCore& core, const KindSpec& kind, Item item);

// Puts parts that nothing refers to yet, in batches.
Result<void> PutAll(const SessionStoreCore& core, const std::vector<Item>& items);

// Whether `header` refers to parts.
bool HasParts(const Item& header);
// The keys of the parts that `header` refers to.
std::vector<Item> PartKeysOf(const Item& header);

// Puts the lists back. `parts` are those with the spill id of the header, in any order. Fails with
// kConflict when some are missing: another writer has replaced them.
Result<void> JoinParts(std::vector<Item> parts, Item& header);

// Best effort: they expire.
void RemoveParts(const SessionStoreCore& core, const std::vector<Item>& keys);

}  // namespace stator::sessions
