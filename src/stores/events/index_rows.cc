#include "stores/events/index_rows.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/try.h"
#include "stator/stores/events/tag.h"
#include "stores/events/item_fields.h"

namespace stator::events {
namespace {

constexpr std::size_t kInlineBytesMax = 1024;
constexpr std::size_t kBlockBytesMax = std::size_t{128} << 10U;

struct Place {
  const Slot* slot;
  const Event* event;
};

std::size_t SizeOf(const Event& event) {
  std::size_t bytes = event.payload.size() + event.type.size() + event.id.size() +
                      event.metadata.causation_id.size() + event.metadata.correlation_id.size() +
                      event.metadata.executed_user.size();
  for (const std::string& tag : event.tags) {
    bytes += tag.size();
  }
  return bytes;
}

Item MakeBlock(std::string pk, std::uint64_t chunk, std::uint64_t part, const Totals& before,
               const Totals& after, std::string entries) {
  Item item{{"pk", std::move(pk)}, {"sk", BlockSortKey(chunk, part)}};
  item.Set("before", before.events);
  item.Set("n", after.events - before.events);
  item.Set("first", after.first.ToText());
  item.Set("last", after.last.ToText());
  item.Set("lastId", after.last_event_id);
  item.Set("e", Binary{std::move(entries)});
  return item;
}

// About what the entries of the first block need.
std::size_t RoomFor(const BlockName& name, const std::vector<Place>& places) {
  constexpr std::size_t kNumbersAndTimes = 96;
  std::size_t bytes = 0;
  for (const Place& place : places) {
    const std::size_t size = SizeOf(*place.event);
    const bool with_payload = name.kind == BlockKind::kTag && size <= kInlineBytesMax;
    bytes += kNumbersAndTimes + size - (with_payload ? 0 : place.event->payload.size());
  }
  return std::min(bytes, kBlockBytesMax + kInlineBytesMax);
}

// The blocks of one tag or type; gives what there is of it at their end.
Totals AddBlocks(const EventStoreCore& core, const BlockName& name, std::uint64_t chunk,
                 Totals totals, const std::vector<Place>& places, std::vector<Item>& rows) {
  Totals before = totals;
  std::string entries;
  entries.reserve(RoomFor(name, places));
  std::uint64_t part = 0;
  const auto flush = [&] {
    rows.push_back(MakeBlock(PartitionOf(core, name), chunk, part++, before, totals,
                             std::exchange(entries, std::string())));
    before = totals;
  };
  std::size_t blank = 0;
  for (const Place& place : places) {
    // A flag more makes blank ones a byte longer than they were; the cut stays.
    if (entries.size() - blank >= kBlockBytesMax) {
      flush();
      blank = 0;
    }
    const Event& event = *place.event;
    blank += IsBlank(event) ? 1 : 0;
    PutNumber(place.slot->number, entries);
    EncodeWholeEvent(event, name.kind == BlockKind::kTag && SizeOf(event) <= kInlineBytesMax,
                     entries);
    if (totals.events++ == 0) {
      totals.first = event.sortable_id;
    }
    totals.last = event.sortable_id;
    totals.last_event_id = event.id;
  }
  flush();
  return totals;
}

void AddChunkRows(const EventStoreCore& core, const Chunk& chunk, std::vector<Item>& rows) {
  if (chunk.slots.empty()) {
    return;
  }
  std::string entries;
  for (const SlotPointer& slot : chunk.slots) {
    const SortableId first = slot->events.front().sortable_id;
    PutNumber(slot->number, entries);
    PutNumber(slot->first_position, entries);
    PutNumber(first.ticks(), entries);
    PutNumber(first.part(), entries);
  }
  const Slot& front = *chunk.slots.front();
  for (Item item : {core.keys.Chunk(front.first_position),
                    core.keys.ChunkId(front.events.front().sortable_id.ToText())}) {
    item.Set("chunk", chunk.end.chunk);
    item.Set("slot", chunk.end.place.slot);
    item.Set("e", Binary{entries});
    rows.push_back(std::move(item));
  }
}

void AddIdRows(const EventStoreCore& core, const Slot& slot, std::vector<Item>& rows) {
  for (const LoggedAppend& append : slot.appends) {
    if (!append.append_id.empty()) {
      Item item = core.keys.Append(append.append_id);
      item.Set("fingerprint", append.fingerprint);
      item.Set("position", slot.first_position + append.first);
      item.Set("eventCount", static_cast<std::uint64_t>(append.events));
      item.Set("slot", slot.number);
      rows.push_back(std::move(item));
    }
    for (std::size_t index = append.first; index < append.first + append.events; ++index) {
      // Most ids of imported events tell where they are.
      const std::string& id = slot.events[index].id;
      if (slot.kept_ids[index] && PositionOfId(id) != slot.first_position + index) {
        Item item = core.keys.KeptId(id);
        item.Set("position", slot.first_position + index);
        item.Set("slot", slot.number);
        rows.push_back(std::move(item));
      }
    }
  }
}

}  // namespace

std::string PartitionOf(const EventStoreCore& core, const BlockName& name) {
  return name.kind == BlockKind::kTag ? core.keys.TagBlocksPartition(name.name)
                                      : core.keys.TypeBlocksPartition(name.name);
}

void AddEntries(const EventStoreCore& core, const BlockName& name, NamedItems& entries) {
  if (name.kind == BlockKind::kType) {
    entries.emplace("type " + name.name, core.keys.TypeEntry(name.name));
    return;
  }
  const std::string_view group = GroupOf(name.name);
  entries.emplace("tag " + name.name, core.keys.TagEntry(name.name));
  entries.emplace("group " + std::string(group), core.keys.GroupEntry(group));
}

Result<IndexRows> MakeIndexRows(const EventStoreCore& core, const Chunk& chunk,
                                const FindTotals& below) {
  IndexRows rows;
  using Places = std::unordered_map<std::string_view, std::vector<Place>>;
  Places tags;
  Places types;
  for (const SlotPointer& slot : chunk.slots) {
    AddIdRows(core, *slot, rows.events_table);
    for (const Event& event : slot->events) {
      types[event.type].push_back({slot.get(), &event});
      for (const std::string& tag : event.tags) {
        tags[tag].push_back({slot.get(), &event});
      }
    }
  }
  AddChunkRows(core, chunk, rows.events_table);
  for (const auto& [kind, places] :
       {std::pair{BlockKind::kTag, &tags}, std::pair{BlockKind::kType, &types}}) {
    for (const auto& [text, of_name] : *places) {
      const BlockName name{kind, std::string(text)};
      rows.totals[name] =
          AddBlocks(core, name, chunk.end.chunk, TRY(below(name)), of_name, rows.tags_table);
      AddEntries(core, name, rows.entries);
    }
  }
  return rows;
}

Result<IndexRows> MakeRowsOfEvent(const EventStoreCore& core, const Chunk& chunk,
                                  std::uint64_t position, const FindTotals& below) {
  IndexRows rows;
  std::map<BlockName, std::vector<Place>> places;
  for (const SlotPointer& slot : chunk.slots) {
    if (slot->first_position <= position && position <= slot->last_position()) {
      AddIdRows(core, *slot, rows.events_table);
      for (const std::string& tag : slot->events[position - slot->first_position].tags) {
        places[{BlockKind::kTag, tag}] = {};
      }
    }
  }
  for (const SlotPointer& slot : chunk.slots) {
    for (const Event& event : slot->events) {
      for (const std::string& tag : event.tags) {
        if (const auto found = places.find({BlockKind::kTag, tag}); found != places.end()) {
          found->second.push_back({slot.get(), &event});
        }
      }
    }
  }
  for (const auto& [name, of_name] : places) {
    static_cast<void>(
        AddBlocks(core, name, chunk.end.chunk, TRY(below(name)), of_name, rows.tags_table));
  }
  return rows;
}

Result<Totals> DecodeTotals(const Item& item) {
  return Totals{.events = TRY(CountField(item, "before")) + TRY(CountField(item, "n")),
                .first = TRY(IdField(item, "first")),
                .last = TRY(IdField(item, "last")),
                .last_event_id = TRY(TextField(item, "lastId"))};
}

Result<const std::string*> EntriesOf(const Item& block) {
  const AttributeValue* value = block.Find("e");
  const Binary* binary = value == nullptr ? nullptr : value->If<Binary>();
  if (binary == nullptr) {
    return Fail(ErrorCode::kCorruption, "a block of the index has no entries");
  }
  return &binary->bytes;
}

Result<void> DecodeEntry(ByteReader& reader, BlockEntry& entry) {
  entry.slot = TRY(reader.Number());
  TRY_VOID(DecodeWholeEvent(reader, entry.event));
  entry.has_payload = !entry.event.recorded_at.empty();
  return {};
}

Result<ChunkRow> DecodeChunkRow(const Item& item) {
  ChunkRow row{.chunk = TRY(CountField(item, "chunk")), .slots = {}};
  const AttributeValue* value = item.Find("e");
  const Binary* binary = value == nullptr ? nullptr : value->If<Binary>();
  if (binary == nullptr) {
    return Fail(ErrorCode::kCorruption, "a chunk of the index has no entries");
  }
  ByteReader reader(binary->bytes);
  while (!reader.empty()) {
    ChunkRow::SlotPlace place;
    place.number = TRY(reader.Number());
    place.first_position = TRY(reader.Number());
    const std::uint64_t ticks = TRY(reader.Number());
    place.first_id = SortableId::FromParts(ticks, TRY(reader.Number()));
    row.slots.push_back(place);
  }
  return row;
}

}  // namespace stator::events
