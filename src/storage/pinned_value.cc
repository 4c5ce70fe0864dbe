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
    return *row_;
  }
  return slice_ != nullptr ? ToView(*slice_) : std::string_view();
}

void PinnedValue::Reset() {
  row_.reset();
  if (slice_ != nullptr) {
    slice_->Reset();
  }
}

}  // namespace stator::storage
