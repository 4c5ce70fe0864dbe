#include "stores/events/block_cursor.h"

#include <utility>

#include "base/try.h"
#include "stores/events/log_places.h"

namespace stator::events {

Result<BlockCursor> BlockCursor::Open(EventStoreCore& core, const BlockName& name, const Mark& mark,
                                      const ReadRange& range, std::optional<std::uint64_t> wanted) {
  PartitionRead read{.table_name = core.options.tags_table_name,
                     .partition_attribute = "pk",
                     .partition = PartitionOf(core, name),
                     .sort_attribute = "sk",
                     .bounds = {.upper = BlockSortKey(mark.chunk, kBlockPartsMax)},
                     .backwards = range.backwards,
                     .consistent = range.consistent,
                     .wanted = wanted,
                     .begins_small = wanted.has_value()};
  if (mark.chunk == 0 || range.since >= mark.place.hi) {
    read.bounds = {.lower = "1", .upper = "0"};
    return BlockCursor(core, read, range);
  }
  if (range.since != SortableId()) {
    const std::optional<ChunkRow> row = TRY(FindChunkAt(core, range.since, range.consistent));
    read.bounds.lower = BlockSortKey(row ? row->chunk : 0, 0);
  }
  if (range.backwards && range.until < mark.place.hi) {
    const std::optional<ChunkRow> row = TRY(FindChunkAt(core, range.until, range.consistent));
    read.bounds.upper = BlockSortKey(row ? row->chunk : 0, kBlockPartsMax);
  }
  return BlockCursor(core, read, range);
}

Result<BlockEntry*> BlockCursor::Peek() {
  while (!has_entry_ && !ended_) {
    if (range_.backwards ? reversed_.empty() : at_ == bytes_.size()) {
      ended_ = !TRY(TakeBlock());
    } else if (range_.backwards) {
      entry_ = std::move(reversed_.back());
      reversed_.pop_back();
      has_entry_ = true;
    } else {
      ByteReader reader(std::string_view(bytes_).substr(at_));
      TRY_VOID(DecodeEntry(reader, entry_));
      at_ = bytes_.size() - reader.left();
      has_entry_ = true;
    }
    ended_ = ended_ || (has_entry_ && !range_.backwards && entry_.event.sortable_id > range_.until);
    has_entry_ = has_entry_ && range_.Contains(entry_.event);
  }
  return has_entry_ ? &entry_ : nullptr;
}

// Whether there was another.
Result<bool> BlockCursor::TakeBlock() {
  const Item* item = TRY(pages_.Peek());
  if (item == nullptr) {
    return false;
  }
  bytes_ = *TRY(EntriesOf(*item));
  pages_.Pop();
  at_ = 0;
  if (range_.backwards) {
    ByteReader reader(bytes_);
    while (!reader.empty()) {
      TRY_VOID(DecodeEntry(reader, reversed_.emplace_back()));
    }
  }
  return true;
}

}  // namespace stator::events
