#include "storage/cursor.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "storage/rocksdb_status.h"
#include "storage/run_cache.h"
#include "storage/store_state.h"

namespace stator::storage {

struct Cursor::State {
  // Rows that were found side by side; then there is no iterator.
  RunPtr run;
  std::size_t at = kNowhere;

  // RocksDB keeps pointers to the slices.
  std::string lower;
  std::string upper;
  rocksdb::Slice lower_slice;
  rocksdb::Slice upper_slice;
  std::unique_ptr<rocksdb::Iterator> iterator;

  // What is passed on the way from one end to the other, to be kept for others.
  struct Recording {
    RunCache& runs;
    RunCache::Visit visit;
    bool begun = false;
    bool forward = true;
    std::uint32_t note = 0;  // of the row that the cursor is at
    RowRun run;
  };
  std::optional<Recording> recording;

  void Begin(bool forward);
  void Pass(bool forward);
  void End();

  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
};

// The cursor has been moved to one end.
void Cursor::State::Begin(bool forward) {
  if (recording->begun) {
    recording.reset();
    return;
  }
  recording->begun = true;
  recording->forward = forward;
  End();
}

// The cursor is about to move on.
void Cursor::State::Pass(bool forward) {
  if (!recording->begun || recording->forward != forward ||
      !recording->run.Add(ToView(iterator->key()), ToView(iterator->value()), recording->note)) {
    recording.reset();
    return;
  }
  recording->note = 0;
}

// The cursor has moved, perhaps to the other end.
void Cursor::State::End() {
  if (iterator->Valid()) {
    return;
  }
  if (iterator->status().ok()) {
    if (!recording->forward) {
      recording->run.Reverse();
    }
    recording->runs.Offer(lower, upper, recording->visit, std::move(recording->run));
  }
  recording.reset();
}

Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

Cursor Store::NewCursor(const Snapshot* snapshot, std::string_view lower, std::string_view upper,
                        std::uint64_t deleted_max, Family family) const {
  DCHECK(upper.empty() || lower <= upper);
  auto state = std::make_unique<Cursor::State>();
  if (snapshot == nullptr && family == Family::kMain) {
    RunCache::Visit visit;
    state->run = state_->runs.Find(lower, upper, visit);
    if (state->run != nullptr) {
      return Cursor(std::move(state));
    }
    if (visit.welcome) {
      state->recording.emplace(
          Cursor::State::Recording{.runs = state_->runs, .visit = visit, .run = {}});
    }
  }
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
  State& state = *state_;
  if (state.run != nullptr) {
    state.at = 0;
    return;
  }
  state.iterator->SeekToFirst();
  if (state.recording) {
    state.Begin(/*forward=*/true);
  }
}

void Cursor::SeekToLast() {
  State& state = *state_;
  if (state.run != nullptr) {
    state.at = state.run->size() - 1;  // nowhere when there is none
    return;
  }
  state.iterator->SeekToLast();
  if (state.recording) {
    state.Begin(/*forward=*/false);
  }
}

void Cursor::Seek(std::string_view key) {
  State& state = *state_;
  if (state.run != nullptr) {
    state.at = state.run->Find(key);
    return;
  }
  state.recording.reset();
  state.iterator->Seek(ToSlice(key));
}

void Cursor::SeekForPrev(std::string_view key) {
  State& state = *state_;
  if (state.run != nullptr) {
    const std::size_t found = state.run->Find(key);
    const bool is_there = found < state.run->size() && state.run->key(found) == key;
    state.at = is_there ? found : found - 1;
    return;
  }
  state.recording.reset();
  state.iterator->SeekForPrev(ToSlice(key));
}

bool Cursor::Valid() const {
  return state_->run != nullptr ? state_->at < state_->run->size() : state_->iterator->Valid();
}

void Cursor::Next() {
  CHECK(Valid());
  State& state = *state_;
  if (state.run != nullptr) {
    ++state.at;
    return;
  }
  if (state.recording) [[unlikely]] {
    state.Pass(/*forward=*/true);
  }
  state.iterator->Next();
  if (state.recording) [[unlikely]] {
    state.End();
  }
}

void Cursor::Prev() {
  CHECK(Valid());
  State& state = *state_;
  if (state.run != nullptr) {
    --state.at;  // before the first one it is nowhere
    return;
  }
  if (state.recording) [[unlikely]] {
    state.Pass(/*forward=*/false);
  }
  state.iterator->Prev();
  if (state.recording) [[unlikely]] {
    state.End();
  }
}

std::string_view Cursor::key() const {
  DCHECK(Valid());
  return state_->run != nullptr ? state_->run->key(state_->at) : ToView(state_->iterator->key());
}

std::string_view Cursor::value() const {
  DCHECK(Valid());
  return state_->run != nullptr ? state_->run->value(state_->at)
                                : ToView(state_->iterator->value());
}

std::uint32_t Cursor::note() const {
  DCHECK(Valid());
  return state_->run != nullptr ? state_->run->note(state_->at) : 0;
}

void Cursor::SetNote(std::uint32_t note) {
  DCHECK(Valid());
  if (state_->recording) {
    state_->recording->note = note;
  }
}

bool Cursor::GaveUp() const {
  return state_->run == nullptr && state_->iterator->status().IsIncomplete();
}

Result<void> Cursor::status() const {
  return state_->run != nullptr ? Result<void>() : ToResult(state_->iterator->status(), "reading");
}

}  // namespace stator::storage
