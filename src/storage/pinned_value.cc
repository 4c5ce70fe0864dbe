#include "storage/pinned_value.h"

#include <rocksdb/slice.h>

#include "storage/rocksdb_status.h"

namespace stator::storage {

PinnedValue::PinnedValue() : slice_(std::make_unique<rocksdb::PinnableSlice>()) {}
PinnedValue::PinnedValue(PinnedValue&&) noexcept = default;
PinnedValue& PinnedValue::operator=(PinnedValue&&) noexcept = default;
PinnedValue::~PinnedValue() = default;

std::string_view PinnedValue::view() const {
  return ToView(*slice_);
}

void PinnedValue::Reset() {
  slice_->Reset();
}

}  // namespace stator::storage
