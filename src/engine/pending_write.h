// What a write changes, filled in by its decision, and what hangs on it until it is settled: the
// schemas that it goes by, its rows in the overlay, and what is counted once it is durable.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/key_table.h"
#include "engine/table.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

class PendingWrite : public storage::QueuedWrite {
 public:
  PendingWrite(KeyTable& keys, storage::Store& store) : keys_(keys), store_(store) {}

  std::vector<TablePtr> tables;  // the schemas that the write goes by; see Table, invariant (2)

  // Whose lock covers a row: its own, or that of the item that it belongs to.
  enum class LockOf : bool { kKey, kItem };

  // A row that a later decision may read: of an item, a token, or an index that is being made. All
  // other rows go into the batch alone.
  void PutRow(std::string_view key, std::string_view value, LockOf lock = LockOf::kKey) {
    rows_.push_back({KeyTable::HashOf(key), batch.Put(key, value), lock});
  }
  void DeleteRow(std::string_view key, LockOf lock = LockOf::kKey) {
    rows_.push_back({KeyTable::HashOf(key), batch.Delete(key), lock});
  }

  // Makes room for so many rows of items that have so many bytes together (value/size.h).
  void Reserve(std::size_t rows, std::size_t item_bytes);

  // What the item was: the row that it had, or nothing. Its time is that of the commit, or the one that
  // is given.
  void PutUndo(std::string_view item_key, std::string_view row_before, std::uint64_t time = 0);

  // Whether a schema that it goes by has been replaced.
  [[nodiscard]] bool IsOutdated() const {
    return std::any_of(tables.begin(), tables.end(),
                       [](const TablePtr& table) { return table->replaced.is_set(); });
  }

  // Whether a table that it goes by is closed to writers; the first of them.
  [[nodiscard]] TablePtr FindClosed() const {
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [](const TablePtr& table) { return table->is_closed(); });
    return found == tables.end() ? nullptr : *found;
  }

  // To be added to the figures of a table or an index once the write is durable.
  void Count(const std::shared_ptr<Statistics>& statistics, std::int64_t items,
             std::int64_t bytes) {
    if (!counts_.empty() && counts_.back().statistics == statistics) {
      counts_.back().items += items;
      counts_.back().bytes += bytes;
    } else if (items != 0 || bytes != 0) {
      counts_.push_back({statistics, items, bytes});
    }
  }

  // Forgets what was decided.
  void Reset();

 protected:
  // From here on later decisions see the rows. REQUIRES: `self` owns this, and `locks` has the
  // locks of the rows.
  void InsertRows(const storage::QueuedWritePtr& self, const LockRequest& locks);
  void DropRows();
  // What the write takes of the queue's room.
  [[nodiscard]] std::size_t Charge() const;

  void OnSettled(const Result<void>& outcome) override;

 private:
  struct OverlayRow {
    std::uint64_t hash;
    storage::WriteBatch::Row at;
    LockOf lock;
  };
  struct Counted {
    std::shared_ptr<Statistics> statistics;
    std::int64_t items;
    std::int64_t bytes;
  };

  void CheckVisible() const;

  KeyTable& keys_;
  storage::Store& store_;
  std::vector<OverlayRow> rows_;
  bool inserted_ = false;
  std::vector<Counted> counts_;
};

}  // namespace stator::engine
