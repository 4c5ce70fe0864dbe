#include "storage/pinned_value.h"

#include <rocksdb/slice.h>

#include "storage/rocksdb_status.h"

namespace stator::storage {

PinnedValue::PinnedValue() = default;
PinnedValue::PinnedValue(PinnedValue&&) noexcept = default;
PinnedValue& PinnedValue::operator=(PinnedValue&&) noexcept = default;
PinnedValue::~PinnedValue() = default;

std::string_view PinnedValue::view() const {
  if (row_ != nullptr) {
    return row_->value();
  }
  return slice_ != nullptr ? ToView(*slice_) : std::string_view();
}

std::uint32_t PinnedValue::note() const {
  return row_ != nullptr ? row_->note() : 0;
}

void PinnedValue::SetNote(std::uint32_t note) const {
  if (row_ != nullptr) {
    row_->SetNote(note);
  }
}

void PinnedValue::Reset() {
  row_ = RowPtr();
  if (slice_ != nullptr) {
    slice_->Reset();
  }
}

}  // namespace stator::storage
