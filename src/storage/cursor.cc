#include "storage/cursor.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "storage/rocksdb_status.h"
#include "storage/run_cache.h"
#include "storage/store_state.h"

namespace stator::storage {

struct Cursor::State {
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

Cursor::Cursor(RunPtr run) : run_(std::move(run)) {}
Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Cursor::Cursor(Cursor&&) noexcept = default;
Cursor& Cursor::operator=(Cursor&&) noexcept = default;
Cursor::~Cursor() = default;

Cursor Store::NewCursor(const Snapshot* snapshot, std::string_view lower, std::string_view upper,
                        std::uint64_t deleted_max, Family family) const {
  DCHECK(upper.empty() || lower <= upper);
  RunCache::Visit visit;
  if (snapshot == nullptr && family == Family::kMain) {
    if (RunPtr run = state_->runs.Find(lower, upper, visit)) {
      return Cursor(std::move(run));
    }
  }
  auto state = std::make_unique<Cursor::State>();
  if (visit.welcome) {
    state->recording.emplace(
        Cursor::State::Recording{.runs = state_->runs, .visit = visit, .run = {}});
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
  if (run_ != nullptr) {
    at_ = 0;
    return;
  }
  state_->iterator->SeekToFirst();
  if (state_->recording) {
    state_->Begin(/*forward=*/true);
  }
}

void Cursor::SeekToLast() {
  if (run_ != nullptr) {
    at_ = run_->size() - 1;  // nowhere when there is none
    return;
  }
  state_->iterator->SeekToLast();
  if (state_->recording) {
    state_->Begin(/*forward=*/false);
  }
}

void Cursor::Seek(std::string_view key) {
  if (run_ != nullptr) {
    at_ = run_->Find(key);
    return;
  }
  state_->recording.reset();
  state_->iterator->Seek(ToSlice(key));
}

void Cursor::SeekForPrev(std::string_view key) {
  if (run_ != nullptr) {
    const std::size_t found = run_->Find(key);
    at_ = found < run_->size() && run_->key(found) == key ? found : found - 1;
    return;
  }
  state_->recording.reset();
  state_->iterator->SeekForPrev(ToSlice(key));
}

bool Cursor::IsAtRow() const {
  return state_->iterator->Valid();
}

std::string_view Cursor::ValueOfIterator() const {
  return ToView(state_->iterator->value());
}

void Cursor::Next() {
  CHECK(Valid());
  if (run_ != nullptr) {
    ++at_;
    return;
  }
  State& state = *state_;
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
  if (run_ != nullptr) {
    --at_;  // before the first one it is nowhere
    return;
  }
  State& state = *state_;
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
  return run_ != nullptr ? run_->key(at_) : ToView(state_->iterator->key());
}

void Cursor::SetNote(std::uint32_t note) {
  DCHECK(Valid());
  if (state_ != nullptr && state_->recording) {
    state_->recording->note = note;
  }
}

bool Cursor::GaveUp() const {
  return run_ == nullptr && state_->iterator->status().IsIncomplete();
}

Result<void> Cursor::status() const {
  return run_ != nullptr ? Result<void>() : ToResult(state_->iterator->status(), "reading");
}

}  // namespace stator::storage
