#include "storage/cursor.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>

#include <string>
#include <utility>

#include "base/check.h"
#include "storage/rocksdb_status.h"
#include "storage/store_state.h"

namespace stator::storage {

struct Cursor::State {
  // RocksDB keeps pointers to the slices.
  std::string lower;
  std::string upper;
  rocksdb::Slice lower_slice;
  rocksdb::Slice upper_slice;
  std::unique_ptr<rocksdb::Iterator> iterator;
};

Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

Cursor Store::NewCursor(const Snapshot* snapshot, std::string_view lower, std::string_view upper,
                        std::uint64_t deleted_max, Family family) const {
  DCHECK(upper.empty() || lower <= upper);
  auto state = std::make_unique<Cursor::State>();
  rocksdb::ReadOptions options;
  options.snapshot = snapshot != nullptr ? snapshot->snapshot_ : nullptr;
  options.max_skippable_internal_keys = deleted_max;
  if (!lower.empty()) {
    state->lower = lower;
    state->lower_slice = state->lower;
    options.iterate_lower_bound = &state->lower_slice;
  }
  if (!upper.empty()) {
    state->upper = upper;
    state->upper_slice = state->upper;
    options.iterate_upper_bound = &state->upper_slice;
  }
  state->iterator.reset(state_->database->NewIterator(options, state_->HandleOf(family)));
  return Cursor(std::move(state));
}

void Cursor::SeekToFirst() {
  state_->iterator->SeekToFirst();
}
void Cursor::SeekToLast() {
  state_->iterator->SeekToLast();
}
void Cursor::Seek(std::string_view key) {
  state_->iterator->Seek(ToSlice(key));
}
void Cursor::SeekForPrev(std::string_view key) {
  state_->iterator->SeekForPrev(ToSlice(key));
}
bool Cursor::Valid() const {
  return state_->iterator->Valid();
}
void Cursor::Next() {
  CHECK(Valid());
  state_->iterator->Next();
}
void Cursor::Prev() {
  CHECK(Valid());
  state_->iterator->Prev();
}
std::string_view Cursor::key() const {
  DCHECK(Valid());
  return ToView(state_->iterator->key());
}
std::string_view Cursor::value() const {
  DCHECK(Valid());
  return ToView(state_->iterator->value());
}
bool Cursor::GaveUp() const {
  return state_->iterator->status().IsIncomplete();
}
Result<void> Cursor::status() const {
  return ToResult(state_->iterator->status(), "reading");
}

}  // namespace stator::storage
