// The items of the log in the database: genesis, slots with their parts, marks.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_slot.h"
#include "stores/events/tail.h"

namespace stator::events {

// How the log began; never changed.
struct Genesis {
  SlotId id = {};
  std::uint64_t stripes = 4;
  ChunkSize chunk = {};
};

// Puts one if there is none. Nothing when there is none and none may be made.
Result<std::optional<Genesis>> LoadGenesis(EventStoreCore& core, bool make);

// Of the index, or of the view. At the genesis when there is none yet.
enum class MarkKind : std::uint8_t { kIndex, kView };
Result<Mark> ReadMark(EventStoreCore& core, MarkKind kind, bool consistent = true);
// Moves it forward; success also if it is further already.
Result<void> MoveMark(EventStoreCore& core, MarkKind kind, const Mark& mark);

// Nothing for a slot that is not there.
Result<std::optional<SlotPointer>> ReadSlot(EventStoreCore& core, std::uint64_t number,
                                            bool consistent);
// Only which slot it is, if there is one.
Result<std::optional<SlotId>> ReadSlotId(EventStoreCore& core, std::uint64_t number,
                                         bool consistent);
// Those that are there, up to the first that is not if `up_to_a_hole`, else each of which must be
// there. They are the caller's own.
Result<std::vector<std::shared_ptr<Slot>>> ReadSlots(EventStoreCore& core,
                                                     const std::vector<std::uint64_t>& numbers,
                                                     bool consistent, bool up_to_a_hole);
// The body of an item of a slot, put together.
Result<std::string> ReadBody(EventStoreCore& core, const Item& item);
Result<std::shared_ptr<Slot>> AssembleSlot(EventStoreCore& core, const Item& item,
                                           std::uint64_t number);

// The body of a large append, cut into items that are written before the slot that names them.
struct Parts {
  std::string group;
  std::uint64_t count = 0;
  std::string digest;
};
inline constexpr std::size_t kSlotBytesMax = std::size_t{256} << 10U;
Result<Parts> WriteParts(EventStoreCore& core, const std::string& body);
// As far as it goes: what stays is never looked at.
void RemoveParts(EventStoreCore& core, const Parts& parts);

}  // namespace stator::events
