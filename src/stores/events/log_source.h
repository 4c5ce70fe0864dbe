// Reading: the index up to a mark, and the tail behind it, as they are when the read begins.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/event_store_core.h"
#include "stores/events/index_rows.h"
#include "stores/events/page_cursor.h"

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

// What a read wants, in sortable ids.
struct ReadRange {
  SortableId since = {};  // exclusive
  SortableId until = SortableId::Max();
  bool backwards = false;
  bool consistent = true;

  [[nodiscard]] bool Contains(const Event& event) const {
    return event.sortable_id > since && event.sortable_id <= until;
  }
};

// The entries of one tag or type in the index.
class BlockCursor {
 public:
  static Result<BlockCursor> Open(EventStoreCore& core, const BlockName& name, const Mark& mark,
                                  const ReadRange& range, std::optional<std::uint64_t> wanted);

  // Null at the end. Good until Pop; whoever takes something out of it calls that next.
  Result<BlockEntry*> Peek();
  void Pop() { has_entry_ = false; }

  [[nodiscard]] double capacity_units() const { return pages_.capacity_units(); }

 private:
  BlockCursor(EventStoreCore& core, const PartitionRead& read, const ReadRange& range)
      : pages_(core, read), range_(range) {}

  Result<bool> TakeBlock();

  PageCursor pages_;
  ReadRange range_;
  std::string bytes_;                 // the entries of a block
  std::size_t at_ = 0;                // of those bytes: what was not decoded yet
  std::vector<BlockEntry> reversed_;  // backwards, they are decoded together
  BlockEntry entry_;
  bool has_entry_ = false;
  bool ended_ = false;
};

// Opens a read of a store that has a log. Refreshes first.
Result<std::unique_ptr<EventStream::Source>> OpenSource(EventStoreCore& core,
                                                        const ReadOptions& options,
                                                        bool consistent);

// The tag of an item with the fewest events up to a mark.
Result<std::string> ChooseTag(EventStoreCore& core, const QueryItem& item, const Mark& mark,
                              bool consistent);

}  // namespace stator::events
