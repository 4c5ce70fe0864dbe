// What appends cost on Amazon: the write units of the items that a store sends, by DynamoDB's rules.

#pragma once

namespace stator::events {

// Appends events of 200 bytes with one tag each into a store in memory, alone and in groups, and prints
// the units of each beside those of the original system's layout.
void PrintWriteUnits();

}  // namespace stator::events
