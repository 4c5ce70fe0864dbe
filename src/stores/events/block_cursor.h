// The entries of one tag or type in the index, block by block.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stores/events/event_store_core.h"
#include "stores/events/index_rows.h"
#include "stores/events/page_cursor.h"

namespace stator::events {

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

}  // namespace stator::events
