// A walk over the items of a table as they were at a moment, in the order of their keys, both ways: the
// item rows and the undo rows of a range of keys, merged. Of each item the first undo row behind the
// moment tells what it was; without one it is what it is.
//
// COST: every row of the range in both families; of an item with many undo rows a few.
// THREADS: belongs to one thread at a time. Must be gone before its store.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keyspace/key_range.h"
#include "stator/base/result.h"
#include "storage/store.h"

namespace stator::engine {

class AsOfCursor {
 public:
  // `range` is of keys of items. REQUIRES: the store has a history, and what is read is leased.
  AsOfCursor(const storage::Store& store, const storage::Snapshot& snapshot,
             const keyspace::KeyRange& range, std::uint64_t time, std::uint64_t deleted_max = 0);

  void SeekToFirst();
  void SeekToLast();
  [[nodiscard]] bool Valid() const { return valid_; }
  // REQUIRES: Valid(). Only in the direction in which it was sought.
  void Next();
  void Prev();
  [[nodiscard]] std::string_view key() const { return key_; }  // of the item
  [[nodiscard]] std::string_view value() const { return value_; }
  // As storage::Cursor; what is kept here is kept by nobody.
  [[nodiscard]] static std::uint32_t note() { return 0; }
  static void SetNote(std::uint32_t /*note*/) {}

  [[nodiscard]] Result<void> status() const;
  [[nodiscard]] bool GaveUp() const { return items_.GaveUp() || undo_.GaveUp(); }

 private:
  // The next item that was there, forward or backward.
  void Load(bool forward);
  // Moves the undo rows past those of `item`; what the first behind the moment says, if there is one.
  std::optional<std::string> DecideForward(std::string_view item);
  std::optional<std::string> DecideBackward(std::string_view item);
  // Whether the undo cursor is at a row of the item, and that row's time.
  std::optional<std::uint64_t> TimeAt(std::string_view item);
  [[nodiscard]] bool HasFailed() const;
  void SeekUndo(std::string_view item, std::uint64_t time);

  const keyspace::KeyRange range_;
  const std::uint64_t time_;
  storage::Cursor items_;
  storage::Cursor undo_;
  Result<void> damage_;
  bool valid_ = false;
  std::string key_;
  std::string value_;
};

// The row of one item as it was at a moment; nothing when it was not there.
Result<std::optional<std::string>> ReadRowAsOf(const storage::Store& store,
                                               const storage::Snapshot& snapshot,
                                               const std::string& item_key, std::uint64_t time);

}  // namespace stator::engine
