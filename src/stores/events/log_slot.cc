#include "stores/events/log_slot.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "base/try.h"
#include "stores/events/item_fields.h"
#include "stores/events/keys.h"
#include "stores/events/uuid_text.h"

namespace stator::events {
namespace {

constexpr std::uint64_t kHasMetadata = 1;
constexpr std::uint64_t kKeepsId = 2;
constexpr std::uint64_t kKeepsPlace = 4;
constexpr std::uint64_t kPayload = 8;
constexpr std::uint64_t kKeepsTime = 16;
constexpr std::uint64_t kInBlob = 32;     // the payload is a key of the blob store
constexpr std::uint64_t kOfSubject = 64;  // behind the payload, which is sealed, is whose it is
constexpr std::uint64_t kErased = 128;    // there was a payload
constexpr std::uint64_t kAllFlags = 255;

Result<std::uint64_t> TakeFlags(ByteReader& reader) {
  const std::uint64_t flags = TRY(reader.Number());
  if ((flags & ~kAllFlags) != 0) {
    return Fail(ErrorCode::kFutureVersion, "the log was written by a newer program");
  }
  return flags;
}

// What PutPayload needs.
std::uint64_t PayloadFlagsOf(const Event& event) {
  return (event.payload_key.empty() ? 0 : kInBlob) | (event.subject.empty() ? 0 : kOfSubject) |
         (event.erased ? kErased : 0);
}

void PutPayload(const Event& event, std::string& out) {
  PutText(event.payload_key.empty() ? event.payload : event.payload_key, out);
  if (!event.subject.empty()) {
    PutText(event.subject, out);
  }
}

Result<void> TakePayload(ByteReader& reader, std::uint64_t flags, Event& event) {
  const std::string_view text = TRY(reader.Text());
  const bool in_blob = (flags & kInBlob) != 0;
  event.payload = in_blob ? std::string_view() : text;
  event.payload_key = in_blob ? text : std::string_view();
  event.subject = (flags & kOfSubject) != 0 ? TRY(reader.Text()) : std::string_view();
  event.erased = (flags & kErased) != 0;
  return {};
}

void PutTags(const std::vector<std::string>& tags, std::string& out) {
  PutNumber(tags.size(), out);
  for (const std::string& tag : tags) {
    PutText(tag, out);
  }
}

Result<void> TakeTags(ByteReader& reader, std::vector<std::string>& tags) {
  const std::uint64_t count = TRY(reader.Number());
  tags.clear();
  // Each has a byte at least.
  tags.reserve(std::min<std::uint64_t>(count, reader.left()));
  for (std::uint64_t index = 0; index < count; ++index) {
    tags.emplace_back(TRY(reader.Text()));
  }
  return {};
}

void PutMetadata(const EventMetadata& metadata, std::string& out) {
  PutText(metadata.causation_id, out);
  PutText(metadata.correlation_id, out);
  PutText(metadata.executed_user, out);
}

Result<void> TakeMetadata(ByteReader& reader, bool has_some, EventMetadata& metadata) {
  metadata.causation_id = has_some ? TRY(reader.Text()) : std::string_view();
  metadata.correlation_id = has_some ? TRY(reader.Text()) : std::string_view();
  metadata.executed_user = has_some ? TRY(reader.Text()) : std::string_view();
  return {};
}

void PutPlace(SortableId id, std::string& out) {
  PutNumber(id.ticks(), out);
  PutNumber(id.part(), out);
}

Result<SortableId> TakePlace(ByteReader& reader) {
  const std::uint64_t ticks = TRY(reader.Number());
  const std::uint64_t part = TRY(reader.Number());
  if (ticks > SortableId::kTicksMax || part > SortableId::kPartMax) {
    return Fail(ErrorCode::kCorruption, "a sortable id in the log is none");
  }
  return SortableId::FromParts(ticks, part);
}

// Into an event that has nothing yet. Whether it keeps its id.
Result<bool> TakeEvent(ByteReader& reader, std::string_view recorded_at, Event& event) {
  const std::uint64_t flags = TRY(TakeFlags(reader));
  event.type = TRY(reader.Text());
  TRY_VOID(TakeTags(reader, event.tags));
  TRY_VOID(TakePayload(reader, flags, event));
  TRY_VOID(TakeMetadata(reader, (flags & kHasMetadata) != 0, event.metadata));
  const bool keeps_id = (flags & kKeepsId) != 0;
  if (keeps_id) {
    event.id = TRY(reader.Text());
  }
  if ((flags & kKeepsPlace) != 0) {
    event.sortable_id = TRY(TakePlace(reader));
  }
  event.recorded_at = (flags & kKeepsTime) != 0 ? TRY(reader.Text()) : recorded_at;
  return keeps_id;
}

// At least what the bytes of an append need, so that they are written in one go.
std::size_t RoomFor(const LoggedAppend& append, const std::vector<Event>& events) {
  constexpr std::size_t kNumbersAndTimes = 64;
  std::size_t bytes =
      kNumbersAndTimes + append.append_id.size() + append.fingerprint.size() + append.claim.size();
  for (const Event& event : events) {
    bytes += kNumbersAndTimes + event.type.size() + event.payload.size() +
             event.payload_key.size() + event.subject.size() + event.id.size() +
             event.metadata.causation_id.size() + event.metadata.correlation_id.size() +
             event.metadata.executed_user.size();
    for (const std::string& tag : event.tags) {
      bytes += tag.size() + 2;
    }
  }
  return bytes;
}

// Spreads the bits of a number over all others.
std::uint64_t Mix(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
  return number ^ (number >> 31U);
}

// 60 bits of position and 62 of the slot's id and the place in it, as a UUID of version 8.
UuidBytes MakeLocatingId(std::uint64_t position, const SlotId& slot, std::uint64_t index) {
  std::uint64_t seed = 0;
  for (const std::uint8_t byte : slot) {
    seed = seed * 257U + byte;
  }
  const std::uint64_t rest = Mix(Mix(seed) + index);
  UuidBytes bytes{};
  const std::uint64_t high = position >> 12U;
  for (std::size_t place = 0; place < 6; ++place) {
    bytes[place] = static_cast<std::uint8_t>(high >> (40U - 8U * place));
  }
  bytes[6] = static_cast<std::uint8_t>(0x80U | ((position >> 8U) & 0x0FU));
  bytes[7] = static_cast<std::uint8_t>(position);
  for (std::size_t place = 8; place < bytes.size(); ++place) {
    bytes[place] = static_cast<std::uint8_t>(rest >> (8U * (place - 8)));
  }
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3FU) | 0x80U);
  return bytes;
}

}  // namespace

SlotId MakeSlotId(Random& random) {
  SlotId id;
  random.Fill(std::as_writable_bytes(std::span(id)));
  return id;
}

std::string EncodeAppend(const LoggedAppend& append, const std::vector<Event>& events) {
  std::string out;
  out.reserve(RoomFor(append, events));
  PutText(append.append_id, out);
  PutText(append.fingerprint, out);
  PutText(append.claim, out);
  PutText(events.front().recorded_at, out);
  PutNumber(events.size(), out);
  for (const Event& event : events) {
    const bool metadata = event.metadata != EventMetadata();
    const bool place = event.sortable_id != SortableId();
    const bool time = event.recorded_at != events.front().recorded_at;
    PutNumber((metadata ? kHasMetadata : 0) | (event.id.empty() ? 0 : kKeepsId) |
                  (place ? kKeepsPlace : 0) | (time ? kKeepsTime : 0) | PayloadFlagsOf(event),
              out);
    PutText(event.type, out);
    PutTags(event.tags, out);
    PutPayload(event, out);
    if (metadata) {
      PutMetadata(event.metadata, out);
    }
    if (!event.id.empty()) {
      PutText(event.id, out);
    }
    if (place) {
      PutPlace(event.sortable_id, out);
    }
    if (time) {
      PutText(event.recorded_at, out);
    }
  }
  return out;
}

std::string EncodeBody(const Slot& slot) {
  std::string body(1, kBodyVersion);
  for (const LoggedAppend& append : slot.appends) {
    const auto first = slot.events.begin() + static_cast<std::ptrdiff_t>(append.first);
    body += EncodeAppend(append, {first, first + static_cast<std::ptrdiff_t>(append.events)});
  }
  return body;
}

void BlankPayload(Slot& slot, std::size_t index) {
  Event& event = slot.events[index];
  std::string& text = event.payload_key.empty() ? event.payload : event.payload_key;
  text.assign(text.size(), '\0');
  event.erased = true;
  for (LoggedAppend& append : slot.appends) {
    if (index >= append.first && index < append.first + append.events) {
      append.fingerprint.clear();
      append.claim.clear();
    }
  }
}

Result<void> DecodeAppends(std::string_view body, Slot& slot) {
  ByteReader reader(body);
  if (TRY(reader.Bytes(1)).front() != kBodyVersion) {
    return Fail(ErrorCode::kFutureVersion, "the log was written by a newer program");
  }
  while (!reader.empty()) {
    LoggedAppend append{.first = slot.events.size()};
    append.append_id = TRY(reader.Text());
    append.fingerprint = TRY(reader.Text());
    append.claim = TRY(reader.Text());
    const std::string_view recorded_at = TRY(reader.Text());
    append.events = TRY(reader.Number());
    for (std::uint64_t index = 0; index < append.events; ++index) {
      slot.kept_ids.push_back(TRY(TakeEvent(reader, recorded_at, slot.events.emplace_back())));
    }
    slot.appends.push_back(std::move(append));
  }
  return {};
}

void PlaceEvents(Slot& slot, std::size_t from) {
  for (std::size_t index = from; index < slot.events.size(); ++index) {
    Event& event = slot.events[index];
    event.position = slot.first_position + index;
    if (!slot.kept_ids[index]) {
      const UuidBytes id = MakeLocatingId(event.position, slot.id, index);
      event.id = FormatUuid(id);
      if (event.sortable_id == SortableId()) {
        event.sortable_id = SortableId::FromParts(slot.first_tick + index, SortableId::PartOf(id));
      }
    } else if (event.sortable_id == SortableId()) {
      const std::optional<UuidBytes> id = ParseUuid(event.id);
      event.sortable_id =
          SortableId::FromParts(slot.first_tick + index, id ? SortableId::PartOf(*id) : 0);
    }
  }
}

std::uint64_t PositionOfId(std::string_view id) {
  const std::optional<UuidBytes> bytes = ParseUuid(id);
  if (!bytes || ((*bytes)[6] & 0xF0U) != 0x80U) {
    return 0;
  }
  std::uint64_t high = 0;
  for (std::size_t place = 0; place < 6; ++place) {
    high = (high << 8U) | (*bytes)[place];
  }
  return (high << 12U) | (static_cast<std::uint64_t>((*bytes)[6] & 0x0FU) << 8U) | (*bytes)[7];
}

Item EncodeSlot(const Keys& keys, std::uint64_t stripes, const Slot& slot) {
  Item item = keys.Slot(slot.number, stripes);
  item.Set("id", ToBinary(slot.id));
  item.Set("prev", ToBinary(slot.prev));
  item.Set("first", slot.first_position);
  item.Set("n", static_cast<std::uint64_t>(slot.events.size()));
  item.Set("tick", slot.first_tick);
  item.Set("hi", slot.hi().ToText());
  item.Set("z", slot.bytes);
  return item;
}

Result<std::shared_ptr<Slot>> DecodeSlot(const Item& item, std::uint64_t number,
                                         std::string_view body) {
  auto slot = std::make_shared<Slot>(Slot{.number = number,
                                          .id = TRY(SlotIdField(item, "id")),
                                          .prev = TRY(SlotIdField(item, "prev")),
                                          .first_position = TRY(CountField(item, "first")),
                                          .first_tick = TRY(CountField(item, "tick")),
                                          .bytes = TRY(CountField(item, "z"))});
  const std::uint64_t count = TRY(CountField(item, "n"));
  // Each has more than a byte.
  slot->events.reserve(std::min<std::uint64_t>(count, body.size()));
  TRY_VOID(DecodeAppends(body, *slot));
  if (slot->events.empty() || slot->events.size() != count) {
    return Fail(ErrorCode::kCorruption,
                "slot " + std::to_string(number) + " of the log has not as many events as it says");
  }
  PlaceEvents(*slot);
  return slot;
}

Binary ToBinary(const SlotId& id) {
  return Binary{std::string(id.begin(), id.end())};
}

Result<SlotId> SlotIdField(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const Binary* binary = value == nullptr ? nullptr : value->If<Binary>();
  SlotId id;
  if (binary == nullptr || binary->bytes.size() != id.size()) {
    return Fail(ErrorCode::kCorruption, "an item of the log has no id");
  }
  std::copy(binary->bytes.begin(), binary->bytes.end(), id.begin());
  return id;
}

void EncodeWholeEvent(const Event& event, bool with_payload, std::string& out) {
  const bool metadata = with_payload && event.metadata != EventMetadata();
  PutNumber((metadata ? kHasMetadata : 0) | (with_payload ? kPayload : 0) |
                (with_payload ? PayloadFlagsOf(event) : 0),
            out);
  PutNumber(event.position, out);
  PutPlace(event.sortable_id, out);
  PutText(event.id, out);
  PutText(event.type, out);
  PutTags(event.tags, out);
  if (with_payload) {
    PutPayload(event, out);
    PutText(event.recorded_at, out);
  }
  if (metadata) {
    PutMetadata(event.metadata, out);
  }
}

Result<void> DecodeWholeEvent(ByteReader& reader, Event& event) {
  const std::uint64_t flags = TRY(TakeFlags(reader));
  event.position = TRY(reader.Number());
  event.sortable_id = TRY(TakePlace(reader));
  event.id = TRY(reader.Text());
  event.type = TRY(reader.Text());
  TRY_VOID(TakeTags(reader, event.tags));
  if ((flags & kPayload) != 0) {
    TRY_VOID(TakePayload(reader, flags, event));
    event.recorded_at = TRY(reader.Text());
  } else {
    event.payload.clear();
    event.payload_key.clear();
    event.subject.clear();
    event.recorded_at.clear();
    event.erased = false;
  }
  return TakeMetadata(reader, (flags & kHasMetadata) != 0, event.metadata);
}

}  // namespace stator::events
