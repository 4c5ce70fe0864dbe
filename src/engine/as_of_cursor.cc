#include "engine/as_of_cursor.h"

#include <limits>
#include <utility>

#include "base/check.h"
#include "base/try.h"
#include "keyspace/keys.h"

namespace stator::engine {
namespace {

// So many rows of an item are passed one by one before a seek, which costs as much as several.
constexpr int kStepsMax = 8;

std::string UndoBound(const std::string& bound) {
  std::string key;
  keyspace::AppendUndoPrefix(bound, key);
  return key;
}

}  // namespace

AsOfCursor::AsOfCursor(const storage::Store& store, const storage::Snapshot& snapshot,
                       const keyspace::KeyRange& range, std::uint64_t time,
                       std::uint64_t deleted_max)
    : range_(range),
      time_(time),
      items_(store.NewCursor(&snapshot, range.begin, range.end, deleted_max)),
      undo_(store.NewCursor(&snapshot, UndoBound(range.begin), UndoBound(range.end), deleted_max,
                            storage::Family::kHistory)) {
  CHECK(!range.empty() && time < std::numeric_limits<std::uint64_t>::max());
}

Result<void> AsOfCursor::status() const {
  TRY_VOID(damage_);
  TRY_VOID(items_.status());
  return undo_.status();
}

// A cursor that has given up or failed is not at its end.
bool AsOfCursor::HasFailed() const {
  return !damage_ || (!items_.Valid() && !items_.status()) || (!undo_.Valid() && !undo_.status());
}

std::optional<std::uint64_t> AsOfCursor::TimeAt(std::string_view item) {
  if (!undo_.Valid()) {
    return std::nullopt;
  }
  const Result<keyspace::UndoKey> undo = keyspace::SplitUndoKey(undo_.key());
  if (!undo) {
    damage_ = std::unexpected(undo.error());
    return std::nullopt;
  }
  return undo->item == item ? std::optional(undo->time) : std::nullopt;
}

void AsOfCursor::SeekUndo(std::string_view item, std::uint64_t time) {
  std::string key;
  keyspace::AppendUndoKey(keyspace::ItemKeyOfUndo({.item = item}), time, key);
  undo_.Seek(key);
}

std::optional<std::string> AsOfCursor::DecideForward(std::string_view item) {
  std::optional<std::string> decided;
  int steps = 0;
  for (std::optional<std::uint64_t> time = TimeAt(item); time; time = TimeAt(item)) {
    if (*time > time_ && !decided) {
      decided = undo_.value();
      steps = 0;
    }
    if (++steps <= kStepsMax) {
      undo_.Next();
    } else if (!decided) {
      SeekUndo(item, time_ + 1);
      steps = 0;
    } else {
      SeekUndo(item, std::numeric_limits<std::uint64_t>::max());
      steps = 0;
    }
  }
  return decided;
}

std::optional<std::string> AsOfCursor::DecideBackward(std::string_view item) {
  std::optional<std::string> decided;
  int steps = 0;
  for (std::optional<std::uint64_t> time = TimeAt(item); time; time = TimeAt(item)) {
    const bool is_behind = *time > time_;
    if (is_behind) {
      decided = undo_.value();
    }
    if (++steps <= kStepsMax) {
      undo_.Prev();
      continue;
    }
    steps = 0;
    if (is_behind) {
      // The first one behind the moment, then on backward from it.
      SeekUndo(item, time_ + 1);
      CHECK_THAT(TimeAt(item).has_value() || HasFailed(), "there is one: it was just passed");
      if (HasFailed()) {
        return std::nullopt;
      }
      decided = undo_.value();
      undo_.Prev();
    } else {
      std::string key;
      keyspace::AppendUndoKey(keyspace::ItemKeyOfUndo({.item = item}), 0, key);
      undo_.SeekForPrev(key);
    }
  }
  return decided;
}

void AsOfCursor::Load(bool forward) {
  valid_ = false;
  while (!HasFailed() && (items_.Valid() || undo_.Valid())) {
    std::string_view of_item;
    std::string_view of_undo;
    if (items_.Valid()) {
      of_item = keyspace::UndoItemOf(items_.key());
    }
    if (undo_.Valid()) {
      const Result<keyspace::UndoKey> undo = keyspace::SplitUndoKey(undo_.key());
      if (!undo) {
        damage_ = std::unexpected(undo.error());
        return;
      }
      of_undo = undo->item;
    }
    const bool undo_first =
        undo_.Valid() && (!items_.Valid() || (forward ? of_undo <= of_item : of_undo >= of_item));
    if (!undo_first) {  // as most items are: without an undo row
      valid_ = true;
      key_.assign(items_.key());
      value_.assign(items_.value());
      forward ? items_.Next() : items_.Prev();
      return;
    }
    const std::string item(of_undo);
    DCHECK(!item.empty());
    const bool has_row = items_.Valid() && of_item == item;
    std::optional<std::string> decided = forward ? DecideForward(item) : DecideBackward(item);
    if (HasFailed()) {
      return;
    }
    const bool was_there = decided ? !decided->empty() : has_row;
    if (was_there) {
      value_ = decided ? *std::move(decided) : std::string(items_.value());
      key_ = keyspace::ItemKeyOfUndo({.item = item});
    }
    if (has_row) {
      forward ? items_.Next() : items_.Prev();
    }
    // Undo rows of an item that ends before the range begins can be in the range of undo rows.
    if (was_there && key_ >= range_.begin && key_ < range_.end) {
      valid_ = true;
      return;
    }
  }
}

void AsOfCursor::SeekToFirst() {
  items_.SeekToFirst();
  undo_.SeekToFirst();
  Load(/*forward=*/true);
}

void AsOfCursor::SeekToLast() {
  items_.SeekToLast();
  undo_.SeekToLast();
  Load(/*forward=*/false);
}

void AsOfCursor::Next() {
  CHECK(valid_);
  Load(/*forward=*/true);
}

void AsOfCursor::Prev() {
  CHECK(valid_);
  Load(/*forward=*/false);
}

Result<std::optional<std::string>> ReadRowAsOf(const storage::Store& store,
                                               const storage::Snapshot& snapshot,
                                               const std::string& item_key, std::uint64_t time) {
  std::string prefix;
  keyspace::AppendUndoPrefix(item_key, prefix);
  std::string first;
  keyspace::AppendUndoKey(item_key, time + 1, first);
  storage::Cursor undo =
      store.NewCursor(&snapshot, first, keyspace::PrefixEnd(prefix), 0, storage::Family::kHistory);
  undo.SeekToFirst();
  // No encoded key is the beginning of another, so whatever begins with it is of this item.
  if (undo.Valid()) {
    return undo.value().empty() ? std::nullopt
                                : std::optional<std::string>(std::string(undo.value()));
  }
  TRY_VOID(undo.status());
  storage::PinnedValue value;
  if (!TRY(store.Get(item_key, value, &snapshot))) {
    return std::nullopt;
  }
  return std::string(value.view());
}

}  // namespace stator::engine
