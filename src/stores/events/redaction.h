// Events whose payload was taken out of the log (RedactEvent in erasure.h).
//
// WHAT CHANGES: the bytes of one payload become as many zeros, and the event says `erased`. The slot
// keeps its id, its places and its size, so the chain and everything that is cut by size stay. What
// was made of the slot follows: void copies of it, blocks of the index, the row of the view, the blob.
//
// ORDER: a row that says what is to be done, the record that it is, the slots, what follows from them,
// and the first row is deleted. Whoever writes rows of the index or the view looks for records
// afterwards, and writes them again without the payload; whoever moves the mark of the index finishes
// what is to be done below it. So a redaction finds the chunk of its event indexed and writes its
// blocks, or the indexer finds the record or the row. Whoever stops anywhere leaves something that
// the next indexer, or a repetition, completes. Only one that stops between writing rows of a chunk
// that another has indexed long ago and looking leaves a payload: `verify` finds it, a repetition
// mends it.
//
// MEMORY: a process that has the event in its tail looks for records behind its mark now and then
// (EventStoreOptions::subject_keys_kept), and at once where it was redacted.

#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "stator/base/mutex.h"
#include "stator/base/result.h"
#include "stator/stores/events/erasure.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_slot.h"

namespace stator::events {

// THREADS: made for many.
class Redactions {
 public:
  explicit Redactions(EventStoreCore& core) : core_(&core) {}

  // The tail is read anew.
  void Begin() { read_at_ = core_->environment.clock->Elapsed().count(); }
  // Looks for those of others, if that was long ago.
  Result<void> Refresh();
  // Whether there is a record for the position.
  Result<bool> Look(std::uint64_t position);
  void Add(std::uint64_t position);

  // Takes what nobody may see out of an event that was read.
  void Hide(Event& event) const {
    if (any_.load(std::memory_order_acquire) && Contains(event.position)) {
      event.erased = true;
    }
    if (event.erased) {
      event.payload.clear();
      event.payload_key.clear();
    }
  }

 private:
  [[nodiscard]] bool Contains(std::uint64_t position) const;

  EventStoreCore* core_;
  std::atomic<Duration::rep> read_at_ = 0;
  std::atomic<bool> any_ = false;
  mutable Mutex mutex_;
  std::unordered_set<std::uint64_t> positions_ STATOR_GUARDED_BY(mutex_);
};

// The records of positions from `first` to `last`.
Result<std::vector<Redaction>> ReadRedactions(EventStoreCore& core, std::uint64_t first,
                                              std::uint64_t last);

// Gives slots whose events have a record, but payloads, a copy without them instead. Whether there were
// any: then what was made of them has to be made again.
Result<bool> BlankRedacted(EventStoreCore& core, std::vector<SlotPointer>& slots);

// Finishes what others began, up to the mark of the index.
Result<void> FinishRedactions(EventStoreCore& core);

}  // namespace stator::events
