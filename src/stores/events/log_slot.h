// A slot: one item of the log, which holds a group of appends of one process.
//
// A slot names the slot that it was decided on. It is valid if that is the last valid one below it,
// and void otherwise, for ever and for everybody, since slots never change but for payloads that are
// taken out of them. Only events of valid slots exist.
//
// FORMAT (on disk): the item has id and prev (16 bytes each), first (position of its first event),
// n (events), tick (of its first event's sortable id), hi (the last sortable id), z (bytes of the
// body), and b, the body, or p, the number of items that it is cut into, with its SHA-256 in h. The
// body is a version and, for each append: append id, fingerprint, fingerprint of its claim, time of
// recording, number of events; for each event: flags, type, tags, payload, metadata, and id and
// sortable id if they are not the ones that its place gives it; instead of a payload there may be its
// key in the blob store, and a sealed one is followed by its subject. So the bytes do not depend on
// the place, and a lost race does not change them. A payload that was redacted (redaction.h) is as many
// zeros, and r counts how often the body was written again; z stays what it was.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/base/random.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/value/attribute_value.h"
#include "stores/events/byte_codec.h"

namespace stator::events {

class Keys;

using SlotId = std::array<std::uint8_t, 16>;

SlotId MakeSlotId(Random& random);

struct LoggedAppend {
  std::string append_id = {};
  std::string fingerprint = {};  // of its events; empty without an append id
  std::string claim = {};        // fingerprint of the claim, if it is one
  std::size_t first = 0;         // of its events, in the slot
  std::size_t events = 0;
};

struct Slot {
  std::uint64_t number = 0;
  SlotId id = {};
  SlotId prev = {};
  std::uint64_t first_position = 0;
  std::uint64_t first_tick = 0;
  std::uint64_t bytes = 0;
  std::vector<LoggedAppend> appends = {};
  std::vector<Event> events = {};
  std::vector<bool> kept_ids = {};  // which events have an id that does not tell their place

  [[nodiscard]] SortableId hi() const { return events.back().sortable_id; }
  [[nodiscard]] std::uint64_t last_position() const { return first_position + events.size() - 1; }
};

using SlotPointer = std::shared_ptr<const Slot>;

// Behind which slot the log goes on.
struct ChainPlace {
  std::uint64_t slot = 0;      // the last one that was looked at, valid or void
  SlotId id = {};              // of the last valid one
  std::uint64_t position = 0;  // of the last event
  SortableId hi = {};

  friend bool operator==(const ChainPlace&, const ChainPlace&) = default;
};

// What an append says, as bytes. Events with an id or a sortable id keep it.
std::string EncodeAppend(const LoggedAppend& append, const std::vector<Event>& events);

// Puts the appends of a body behind those of the slot, without places.
Result<void> DecodeAppends(std::string_view body, Slot& slot);
inline constexpr char kBodyVersion = 1;

// The body that DecodeAppends reads. REQUIRES: the events of the slot have no places yet.
std::string EncodeBody(const Slot& slot);

// Makes the payload of an event, or what tells where it is, as many zeros, so that nothing that is cut
// by size is cut elsewhere, and takes away the fingerprints that would tell whether it was some text.
void BlankPayload(Slot& slot, std::size_t index);
[[nodiscard]] inline bool IsBlank(const Event& event) {
  return event.erased && (!event.payload.empty() || !event.payload_key.empty());
}

// Gives the events of a slot from `from` on what follows from their place: position, id, sortable
// id. Those that keep theirs keep them.
void PlaceEvents(Slot& slot, std::size_t from = 0);

// The position that an id tells, if it is one that PlaceEvents makes; 0 otherwise.
std::uint64_t PositionOfId(std::string_view id);

// The item of a slot without its body.
Item EncodeSlot(const Keys& keys, std::uint64_t stripes, const Slot& slot);
// Of an item whose body has been put together.
Result<std::shared_ptr<Slot>> DecodeSlot(const Item& item, std::uint64_t number,
                                         std::string_view body);

Binary ToBinary(const SlotId& id);
Result<SlotId> SlotIdField(const Item& item, std::string_view name);

// One event with all that it has, as entries of blocks hold it.
void EncodeWholeEvent(const Event& event, bool with_payload, std::string& out);
// Into an event, whose other contents are replaced.
Result<void> DecodeWholeEvent(ByteReader& reader, Event& event);

}  // namespace stator::events
