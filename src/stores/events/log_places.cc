#include "stores/events/log_places.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stores/events/event_log.h"
#include "stores/events/log_items.h"
#include "stores/events/page_cursor.h"
#include "stores/events/payload_blobs.h"

namespace stator::events {
namespace {

Result<std::optional<ChunkRow>> FindChunk(EventStoreCore& core, std::string partition,
                                          std::string upper, bool consistent) {
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .partition_attribute = "pk",
                           .partition = std::move(partition),
                           .sort_attribute = "sk",
                           .bounds = {.upper = std::move(upper)},
                           .backwards = true,
                           .consistent = consistent,
                           .wanted = 1});
  const Item* item = TRY(cursor.Peek());
  if (item == nullptr) {
    return std::nullopt;
  }
  return TRY(DecodeChunkRow(*item));
}

}  // namespace

Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, std::uint64_t position,
                                            bool consistent) {
  return FindChunk(core, core.keys.ChunksPartition(), Padded(position, 20), consistent);
}

Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, SortableId id, bool consistent) {
  return FindChunk(core, core.keys.ChunkIdsPartition(), id.ToText(), consistent);
}

Result<SlotPointer> ReadSlotAt(EventStoreCore& core, std::uint64_t position, bool consistent) {
  Mark mark;
  SlotPointer slot = core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    return tail.SlotAt(position);
  });
  if (slot != nullptr || position == 0 || position > mark.place.position) {
    return slot;
  }
  const std::optional<ChunkRow> row = TRY(FindChunkAt(core, position, consistent));
  if (!row) {
    return Fail(ErrorCode::kCorruption, "the index lacks a chunk");
  }
  std::uint64_t number = 0;
  for (const ChunkRow::SlotPlace& place : row->slots) {
    number = place.first_position <= position ? place.number : number;
  }
  slot = TRY(ReadSlots(core, {number}, consistent, /*up_to_a_hole=*/false)).front();
  return position <= slot->last_position() ? slot : nullptr;
}

Result<std::optional<Event>> ReadAt(EventStoreCore& core, std::uint64_t position, bool consistent) {
  const SlotPointer slot = TRY(ReadSlotAt(core, position, consistent));
  if (slot == nullptr) {
    return std::nullopt;
  }
  Event event = slot->events[position - slot->first_position];
  TRY_VOID(LoadPayload(core, event));
  return event;
}

Result<std::uint64_t> CountUpTo(EventStoreCore& core, SortableId id, bool consistent) {
  const auto count = [&](const Slot& slot) {
    const auto end = std::upper_bound(
        slot.events.begin(), slot.events.end(), id,
        [](SortableId left, const Event& event) { return left < event.sortable_id; });
    return slot.first_position - 1 + static_cast<std::uint64_t>(end - slot.events.begin());
  };
  Mark mark;
  std::optional<std::uint64_t> known;
  core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    if (id >= tail.settled().hi) {
      known = tail.settled().position;
    } else if (id >= mark.place.hi) {
      const std::vector<SlotPointer> behind = tail.SlotsBehind(id);
      known = behind.empty() ? tail.settled().position : count(*behind.front());
    }
  });
  if (known) {
    return *known;
  }
  const std::optional<ChunkRow> row = TRY(FindChunkAt(core, id, consistent));
  std::uint64_t number = 0;
  for (std::size_t index = 0; row && index < row->slots.size(); ++index) {
    number = row->slots[index].first_id <= id ? row->slots[index].number : number;
  }
  if (number == 0) {
    return 0;
  }
  return count(*TRY(ReadSlots(core, {number}, consistent, /*up_to_a_hole=*/false)).front());
}

}  // namespace stator::events
