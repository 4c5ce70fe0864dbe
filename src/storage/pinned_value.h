// A value that was read, kept where it lies (in the cache of the store) instead of copied. Keep one
// and use it for many reads: its memory is used again.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "storage/cached_row.h"

namespace rocksdb {
class PinnableSlice;
}  // namespace rocksdb

namespace stator::storage {

// THREADS: belongs to one thread at a time. Must be gone, or reset, before its store.
class PinnedValue {
 public:
  PinnedValue();
  PinnedValue(PinnedValue&&) noexcept;
  PinnedValue& operator=(PinnedValue&&) noexcept;
  ~PinnedValue();

  // Empty before the first read and after one that found nothing.
  [[nodiscard]] std::string_view view() const;

  // What somebody has noted of the value before (CachedRow::note); 0 when nobody has, or nothing keeps it.
  [[nodiscard]] std::uint32_t note() const;
  void SetNote(std::uint32_t note) const;

  // Lets go of the value.
  void Reset();

 private:
  friend class Store;

  // Of what RocksDB read; null before that.
  std::unique_ptr<rocksdb::PinnableSlice> slice_;
  RowPtr row_;  // found in the row cache; null: in slice_
};

}  // namespace stator::storage
