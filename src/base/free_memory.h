// Memory that was freed, given back to the system.

#pragma once

namespace stator::base {

// Gives back what the allocator keeps for later. Takes milliseconds; for after something large has
// gone, never on a thread that serves.
void ReturnFreeMemory();

// From now on blocks of 256 KB and more (bodies, answers, batches) are given back when they are
// freed, instead of being kept in arenas that only grow. For a server, at its start.
void KeepNoLargeBlocks();

}  // namespace stator::base
