// The one place that changes items: from an item before and an item after to every row that has to
// change with it, in one batch. So rows of indexes, of expiry and of the stream can never disagree
// with the item.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/capacity.h"
#include "engine/engine_core.h"
#include "engine/pending_write.h"
#include "engine/table.h"
#include "engine/writer_view.h"

namespace stator::engine {

// Who made the change; streams tell. Going back to a checkpoint leaves neither a record in a stream nor
// an undo row.
enum class ChangeOrigin : std::uint8_t { kCaller, kExpiry, kCheckpoint };

struct ItemChange {
  const Table& table;
  const std::string& item_key;
  const Item* before;  // null when there was no item
  const Item* after;   // null when there is none afterwards
  ChangeOrigin origin = ChangeOrigin::kCaller;
  std::uint64_t undo_time = 0;  // of the undo row; 0: that of the commit
};

// Adds the rows of the change to `write` and what it costs to `usage`. A change that changes
// nothing adds no rows and costs as much. REQUIRES: the item's lock is held; before and after have
// the item's key.
void ApplyChange(EngineCore& core, const ItemChange& change, WriterView& view, PendingWrite& write,
                 Usage& usage);

// The second in which an item expires by the table's TTL attribute; nothing when it has none, or
// one that is no number.
std::optional<std::int64_t> ExpiryOf(const std::string& ttl_attribute, const Item& item);

}  // namespace stator::engine
