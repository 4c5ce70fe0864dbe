#include "engine/item_change.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "engine/contributors.h"
#include "engine/item_checks.h"
#include "engine/item_store.h"
#include "engine/stream_record.h"
#include "keyspace/keys.h"
#include "value/item_codec.h"
#include "value/size.h"
#include "value/stored_map.h"

namespace stator::engine {
namespace {

std::int64_t Signed(std::size_t bytes) {
  return static_cast<std::int64_t>(bytes);
}

// An item's entry in an index: its row, if it has one.
struct IndexEntry {
  std::string key;
  const Item* whole = nullptr;
  std::optional<Item> part;  // of the item, if the index does not have all
  std::size_t bytes = 0;

  [[nodiscard]] const Item& projected() const { return part ? *part : *whole; }
};

std::optional<IndexEntry> EntryOf(const Table& table, const Index& index, const Item* item) {
  if (item == nullptr || !BelongsTo(index, *item)) {
    return std::nullopt;
  }
  IndexEntry entry{.key = IndexKeyOf(table, index, *item), .whole = item, .part = std::nullopt};
  if (index.projection != ProjectionType::kAll) {
    entry.part = ProjectionOf(table, index, *item);
  }
  DCHECK(CheckStoredItem(table, entry.projected()).has_value());
  entry.bytes = value::SizeOfItem(entry.projected());
  return entry;
}

// Rows of an index that is being made are read by later decisions, those of others by none.
class EntryRows {
 public:
  EntryRows(const Index& index, PendingWrite& write)
      : write_(write), read_later_(index.status == IndexStatus::kCreating) {}

  void Put(const IndexEntry& entry) {
    std::string made;
    const std::string_view row = value::RowOf(entry.projected(), entry.bytes, made);
    if (read_later_) {
      write_.PutRow(entry.key, row, PendingWrite::LockOf::kItem);
    } else {
      write_.batch.Put(entry.key, row);
    }
  }

  void Delete(const IndexEntry& entry) {
    if (read_later_) {
      write_.DeleteRow(entry.key, PendingWrite::LockOf::kItem);
    } else {
      write_.batch.Delete(entry.key);
    }
  }

 private:
  PendingWrite& write_;
  const bool read_later_;
};

// Whether there is such a row, as far as can be told.
bool HasRow(WriterView& view, const std::string& key) {
  const Result<bool> found = view.HasRow(key);
  return !found || *found;
}

// What it costs to write an entry.
void Charge(const ItemChange& change, const Index& index, const IndexEntry& entry,
            std::size_t bytes, Usage& usage) {
  const double units = WriteUnits(bytes);
  usage.AddIndex(index, units);
  if (index.contributors && change.origin == ChangeOrigin::kCaller) {
    index.contributors->CountItem(entry.key, units);
  }
}

void ApplyToIndex(const ItemChange& change, const Index& index, WriterView& view,
                  PendingWrite& write, Usage& usage) {
  std::optional<IndexEntry> before = EntryOf(change.table, index, change.before);
  // An index that is being filled has no entry yet of an item that was not come to.
  if (before && index.status == IndexStatus::kCreating && !HasRow(view, before->key)) {
    before.reset();
  }
  const std::optional<IndexEntry> after = EntryOf(change.table, index, change.after);
  EntryRows rows(index, write);
  if (before && after && before->key == after->key) {
    if (before->projected() == after->projected()) {
      return;
    }
    rows.Put(*after);
    write.Count(index.statistics, 0, Signed(after->bytes) - Signed(before->bytes));
    Charge(change, index, *after, std::max(before->bytes, after->bytes), usage);
    return;
  }
  if (before) {
    rows.Delete(*before);
    write.Count(index.statistics, -1, -Signed(before->bytes));
    Charge(change, index, *before, before->bytes, usage);
  }
  if (after) {
    rows.Put(*after);
    write.Count(index.statistics, 1, Signed(after->bytes));
    Charge(change, index, *after, after->bytes, usage);
  }
}

void ApplyToExpiry(const ItemChange& change, PendingWrite& write) {
  CHECK(change.table.ttl_attribute || change.table.ttl_disabling);
  // While expiry is being switched off, rows are removed and none is made: the job behind it
  // removes only those of the items that it finds.
  const bool enabled = change.table.ttl_attribute.has_value();
  const std::string& attribute =
      enabled ? *change.table.ttl_attribute : *change.table.ttl_disabling;
  const auto expiry_of = [&](const Item* item) {
    return item == nullptr ? std::nullopt : ExpiryOf(attribute, *item);
  };
  const std::optional<std::int64_t> before = expiry_of(change.before);
  const std::optional<std::int64_t> after = enabled ? expiry_of(change.after) : std::nullopt;
  if (before == after) {
    return;
  }
  std::string key;
  if (before) {
    keyspace::AppendExpiryKey(*before, change.item_key, key);
    write.batch.Delete(key);
  }
  if (after) {
    key.clear();
    keyspace::AppendExpiryKey(*after, change.item_key, key);
    write.batch.Put(key, "");
  }
}

void ApplyToHistory(const ItemChange& change, std::size_t bytes_before, PendingWrite& write) {
  std::string made;
  std::string_view row;
  if (change.before != nullptr) {
    row = value::RowOf(*change.before, bytes_before, made);
  }
  write.PutUndo(change.item_key, row, change.undo_time);
}

// Whether the item stays what it is. Equal items have equal rows, and what was read still has its row.
bool IsSame(const Item& before, const Item& after, std::string_view row_after) {
  return before.stored() != nullptr ? before.stored()->bytes() == row_after : before == after;
}

void ApplyToItem(const ItemChange& change, std::string_view row_after, std::size_t bytes_before,
                 std::size_t bytes_after, PendingWrite& write) {
  if (change.after != nullptr) {
    write.PutRow(change.item_key, row_after);
  } else {
    write.DeleteRow(change.item_key);
  }
  const int items = (change.after != nullptr ? 1 : 0) - (change.before != nullptr ? 1 : 0);
  write.Count(change.table.statistics, items, Signed(bytes_after) - Signed(bytes_before));
}

}  // namespace

void ApplyChange(EngineCore& core, const ItemChange& change, WriterView& view, PendingWrite& write,
                 Usage& usage) {
#ifndef NDEBUG
  CHECK(change.before == nullptr || ItemKeyOf(change.table, *change.before) == change.item_key);
  CHECK(change.after == nullptr || ItemKeyOf(change.table, *change.after) == change.item_key);
#endif
  const std::size_t bytes_before = change.before != nullptr ? value::SizeOfItem(*change.before) : 0;
  const std::size_t bytes_after = change.after != nullptr ? value::SizeOfItem(*change.after) : 0;
  const double units = WriteUnits(std::max(bytes_before, bytes_after));
  usage.AddTable(units);
  if (change.table.contributors && change.origin == ChangeOrigin::kCaller) {
    change.table.contributors->CountItem(change.item_key, units);
  }
  if (change.before == nullptr && change.after == nullptr) {
    return;
  }
  std::string made;
  std::string_view row_after;
  if (change.after != nullptr) {
    CHECK_THAT(bytes_after > 0, "an item has its key");
    row_after = value::RowOf(*change.after, bytes_after, made);
  }
  if (change.before != nullptr && change.after != nullptr && bytes_before == bytes_after &&
      IsSame(*change.before, *change.after, row_after)) {
    return;
  }
  CHECK_THAT(change.origin != ChangeOrigin::kExpiry || change.after == nullptr, "expiry removes");
  ApplyToItem(change, row_after, bytes_before, bytes_after, write);
  for (const Index& index : change.table.indexes) {
    if (index.status != IndexStatus::kDeleting) {
      ApplyToIndex(change, index, view, write, usage);
    }
  }
  if (change.table.ttl_attribute || change.table.ttl_disabling) {
    ApplyToExpiry(change, write);
  }
  if (change.origin == ChangeOrigin::kCheckpoint) {
    return;
  }
  if (change.table.stream) {
    AppendStreamRecord(core, *change.table.stream, change, write);
  }
  if (change.table.outgoing) {
    AppendStreamRecord(core, *change.table.outgoing, change, write);
  }
  if (change.table.history) {
    ApplyToHistory(change, bytes_before, write);
  }
}

std::optional<std::int64_t> ExpiryOf(const std::string& ttl_attribute, const Item& item) {
  const AttributeValue* value = item.Find(ttl_attribute);
  const Number* number = value != nullptr ? value->If<Number>() : nullptr;
  if (number == nullptr) {
    return std::nullopt;
  }
  if (const Result<std::int64_t> seconds = number->ToInt64()) {
    return *seconds;
  }
  // A fraction is compared like everything else: it is past when the second that it is in is.
  constexpr double kSecondsMax = 9e15;
  const double seconds = std::floor(number->ToDouble());
  if (std::abs(seconds) > kSecondsMax) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(seconds);
}

}  // namespace stator::engine
