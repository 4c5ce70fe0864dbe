#include "engine/pending_write.h"

#include <utility>

#include "base/check.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// What a row in the overlay takes, besides the bytes of the batch.
constexpr std::size_t kBytesPerRow = 160;

}  // namespace

void PendingWrite::Reset() {
  CHECK(!inserted_);
  batch.Clear();
  tables.clear();
  rows_.clear();
  counts_.clear();
}

void PendingWrite::Reserve(std::size_t rows, std::size_t item_bytes) {
  constexpr std::size_t kUsualRowBytes = 128;  // of a key, lengths and tags
  rows_.reserve(rows_.size() + rows);
  batch.reserve(batch.bytes() + item_bytes + rows * kUsualRowBytes);
}

void PendingWrite::PutUndo(std::string_view item_key, std::string_view row_before,
                           std::uint64_t time) {
  std::string key;
  if (time != 0) {
    keyspace::AppendUndoKey(item_key, time, key);
    batch.Put(key, row_before, storage::Family::kHistory);
    return;
  }
  const std::size_t time_at = keyspace::AppendUntimedUndoKey(item_key, key);
  batch.PutStamped(key, time_at, storage::StampKind::kCommitTime, row_before,
                   storage::Family::kHistory);
}

std::size_t PendingWrite::Charge() const {
  return batch.bytes() + kBytesPerRow * (1 + rows_.size());
}

void PendingWrite::InsertRows(const storage::QueuedWritePtr& self, const LockRequest& locks) {
  CHECK(self.get() == this && !inserted_);
  inserted_ = true;
  for (const OverlayRow& row : rows_) {
    CHECK(row.lock == LockOf::kItem || locks.Holds(row.hash));
    keys_.Insert(row.hash, batch.KeyOf(row.at),
                 {.write = self, .value = batch.ValueOf(row.at), .deleted = row.at.deleted});
  }
}

void PendingWrite::DropRows() {
  if (!inserted_) {
    return;
  }
  inserted_ = false;
  for (const OverlayRow& row : rows_) {
    keys_.Drop(row.hash, batch.KeyOf(row.at), *this);
  }
}

void PendingWrite::OnSettled(const Result<void>& outcome) {
  DCHECK(!batch.empty());
  if (outcome) {
#ifndef NDEBUG
    CheckVisible();
#endif
    for (const Counted& counted : counts_) {
      DCHECK(counted.statistics != nullptr);
      counted.statistics->items += counted.items;
      counted.statistics->bytes += counted.bytes;
    }
  }
  DropRows();
  tables.clear();
}

// A row that leaves the overlay is in the store, byte for byte, if it is the newest. Rows of an index
// may be older there: as soon as the index is made, writes no longer tell the overlay of them, and
// nobody asks for them.
void PendingWrite::CheckVisible() const {
  if (!inserted_) {
    return;
  }
  for (const OverlayRow& row : rows_) {
    if (row.lock == LockOf::kItem) {
      continue;
    }
    const auto newest = keys_.Find(row.hash, batch.KeyOf(row.at));
    CHECK(newest.has_value());
    if (newest->write.get() != this || newest->value.data() != batch.ValueOf(row.at).data()) {
      continue;
    }
    storage::PinnedValue value;
    const Result<bool> found = store_.Get(batch.KeyOf(row.at), value);
    CHECK(!found || (*found != row.at.deleted && (!*found || value.view() == newest->value)));
  }
}

}  // namespace stator::engine
