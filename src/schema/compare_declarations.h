// What two snapshots say about the table of an entity, compared: its keys, indexes, expiry, unique
// fields and bookkeeping. What can be added to a table while it is in use is a change of its own;
// the rest makes another table.

#pragma once

#include <utility>
#include <vector>

#include "stator/schema/changes.h"
#include "stator/value/attribute_value.h"

namespace stator::schema {

// Nothing when one of them is a plain schema, which declares no table.
std::vector<SchemaChange> CompareDeclarations(const Map& before, const Map& after);

// The declarations before and after that make another table of it, and no others.
std::pair<Map, Map> DeclarationsToCopy(const Map& before, const Map& after);

}  // namespace stator::schema
