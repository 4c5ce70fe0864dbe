// Memory that is not needed any more, given back to the system.

#pragma once

namespace stator::base {

// Gives back what the allocator keeps for later. Takes milliseconds; for after something large has
// gone, never on a thread that serves.
void ReturnFreeMemory();

// Gives back the pages of code and constants, of the program and of its libraries, that somebody has
// looked at so far. They are the files' own pages, which the system keeps as long as it has room, so
// what is looked at again costs a fault of a microsecond and no reading. For after a start: most of
// what that has run is never run again, and it is more than a server needs to serve.
void ReturnCode();

// From now on blocks of 256 KB and more (bodies, answers, batches) are given back when they are
// freed, instead of being kept in arenas that only grow. For a server, at its start.
void KeepNoLargeBlocks();

}  // namespace stator::base
