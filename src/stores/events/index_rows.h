// The index: rows that follow from the log and from nothing else. So whoever writes them, however
// often and in whatever order, writes the same.
//
// FORMAT (on disk): a block has `before` (events of the tag or type in earlier blocks), `n`, `first`
// (sortable id of the first ever), `last` and `lastId`, and `e`, its entries: the slot, and the
// event with all it has, or without payload if it is large or the block is of a type. A row of a
// chunk has `chunk`, `slot` (its last one) and `e`: for each valid slot its number, its first
// position and the ticks and the part of its first sortable id.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/sortable_id.h"
#include "stator/value/attribute_value.h"
#include "stores/events/event_store_core.h"
#include "stores/events/tail.h"

namespace stator::events {

// What is below a chunk, of one tag or type.
struct Totals {
  std::uint64_t events = 0;
  SortableId first = {};
  SortableId last = {};
  std::string last_event_id = {};

  friend bool operator==(const Totals&, const Totals&) = default;
};

enum class BlockKind : std::uint8_t { kTag, kType };

struct BlockName {
  BlockKind kind;
  std::string name;

  friend auto operator<=>(const BlockName&, const BlockName&) = default;
};

struct BlockEntry {
  std::uint64_t slot = 0;
  Event event = {};
  bool has_payload = false;
};

struct ChunkRow {
  std::uint64_t chunk = 0;
  struct SlotPlace {
    std::uint64_t number = 0;
    std::uint64_t first_position = 0;
    SortableId first_id = {};
  };
  std::vector<SlotPlace> slots;
};

// Entries of the registries of tags, groups and types, by what KnownEntries calls them.
using NamedItems = std::map<std::string, Item>;
void AddEntries(const EventStoreCore& core, const BlockName& name, NamedItems& entries);

struct IndexRows {
  std::vector<Item> events_table;
  std::vector<Item> tags_table;
  NamedItems entries;
  std::map<BlockName, Totals> totals;  // at the end of the chunk
};

using FindTotals = std::function<Result<Totals>(const BlockName&)>;
Result<IndexRows> MakeIndexRows(const EventStoreCore& core, const Chunk& chunk,
                                const FindTotals& below);

// Those of them that hold the payload of one event, or what would tell it.
Result<IndexRows> MakeRowsOfEvent(const EventStoreCore& core, const Chunk& chunk,
                                  std::uint64_t position, const FindTotals& below);

// The entries of a block, and one of them, whose other contents are replaced.
Result<const std::string*> EntriesOf(const Item& block);
Result<void> DecodeEntry(ByteReader& reader, BlockEntry& entry);
Result<Totals> DecodeTotals(const Item& item);
Result<ChunkRow> DecodeChunkRow(const Item& item);

std::string PartitionOf(const EventStoreCore& core, const BlockName& name);

}  // namespace stator::events
