// A walk over the keys of a store in their order (unsigned bytes), both ways, within bounds. Sees
// the store as it was when the cursor was made, or as its snapshot does.
//
//   for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) { Use(cursor.key(), ...); }
//   TRY_VOID(cursor.status());
//
// A cursor that met an error is not valid; status() tells that from the end.
//
// THREADS: belongs to one thread at a time. Must be gone before its store and its snapshot.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>

#include "base/check.h"
#include "stator/base/result.h"
#include "storage/run_cache.h"

namespace stator::storage {

class Cursor {
 public:
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  // To the first or last key within the bounds.
  void SeekToFirst();
  void SeekToLast();

  // To the first key at or behind `key`, or to the last one at or before it.
  void Seek(std::string_view key);
  void SeekForPrev(std::string_view key);

  [[nodiscard]] bool Valid() const { return run_ != nullptr ? at_ < run_->size() : IsAtRow(); }

  // REQUIRES: Valid(). The views are good until the cursor moves.
  void Next();
  void Prev();
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] std::string_view value() const {
    DCHECK(Valid());
    return run_ != nullptr ? run_->value(at_) : ValueOfIterator();
  }

  // What one who read this row before has found out about it, as a number of his own; 0 for nothing.
  // REQUIRES: Valid(). A note is kept where the row is kept to be found again, else it is lost.
  [[nodiscard]] std::uint32_t note() const {
    DCHECK(Valid());
    return run_ != nullptr ? run_->note(at_) : 0;
  }
  void SetNote(std::uint32_t note);

  [[nodiscard]] Result<void> status() const;

  // Whether the cursor is not valid because it met more deleted keys in a row than it may pass.
  [[nodiscard]] bool GaveUp() const;

 private:
  friend class Store;

  struct State;

  explicit Cursor(RunPtr run);
  explicit Cursor(std::unique_ptr<State> state);

  [[nodiscard]] bool IsAtRow() const;
  [[nodiscard]] std::string_view ValueOfIterator() const;

  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  // Rows that were found side by side, and the one that the cursor is at.
  RunPtr run_;
  std::size_t at_ = kNowhere;
  // Of an iterator; null when there is a run.
  std::unique_ptr<State> state_;
};

}  // namespace stator::storage
