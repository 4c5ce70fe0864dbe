// Where things are in the log: chunks, slots and events by position or by sortable id.

#pragma once

#include <cstdint>
#include <optional>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/index_rows.h"

namespace stator::events {

// The row of the chunk that has the event at the position, or the last one up to the sortable id;
// nothing when there is none up to it.
Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, std::uint64_t position,
                                            bool consistent);
Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, SortableId id, bool consistent);

// The valid slot that holds a position; null when there is none.
Result<SlotPointer> ReadSlotAt(EventStoreCore& core, std::uint64_t position, bool consistent);

// The event at a position that is not beyond what Refresh found.
Result<std::optional<Event>> ReadAt(EventStoreCore& core, std::uint64_t position, bool consistent);

// How many events there are up to a sortable id, of those that Refresh found.
Result<std::uint64_t> CountUpTo(EventStoreCore& core, SortableId id, bool consistent);

}  // namespace stator::events
