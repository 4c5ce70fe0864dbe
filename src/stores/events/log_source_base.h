// What the sources of a read have in common: the index first and then the tail, or backwards the other
// way round.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/block_cursor.h"
#include "stores/events/event_store_core.h"
#include "stores/events/log_slot.h"

namespace stator::events {

// An event of the tail.
struct TailEvent {
  SlotPointer slot;
  std::size_t index;

  [[nodiscard]] const Event& event() const { return slot->events[index]; }
};

// Read units of a slot of so many bytes.
double UnitsOf(std::uint64_t bytes, bool consistent);

class LogSourceBase : public EventStream::Source {
 public:
  LogSourceBase(EventStoreCore& core, const ReadOptions& options, const ReadRange& range,
                std::vector<TailEvent> tail)
      : core_(&core), options_(options), range_(range), tail_(std::move(tail)) {}

  Result<void> Fill(std::vector<Event>& events) override;
  Result<void> Load(Event& event) override;

 protected:
  // Gives some events of the index, perhaps none, or says that there are no more.
  virtual Result<void> FillFromIndex(std::vector<Event>& events) = 0;

  // Of `most`, as many as the limit of the read leaves.
  [[nodiscard]] std::uint64_t LeftOf(std::uint64_t most) const;

  EventStoreCore* core_;
  ReadOptions options_;
  ReadRange range_;
  bool index_done_ = false;
  double units_ = 1;  // the refresh
  std::uint64_t given_ = 0;

 private:
  // As many as a page has.
  void TakeTail(std::vector<Event>& events);
  // The keys of all that is ready, in few requests.
  Result<void> PrefetchKeys(const std::vector<Event>& events, std::size_t from);

  std::vector<TailEvent> tail_;  // in the order of the log
  std::size_t taken_ = 0;        // of the tail
  bool tail_done_ = false;
};

}  // namespace stator::events
