// Everything, slot by slot, for queries that tags and types do not narrow.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "stores/events/log_source_base.h"
#include "stores/events/page_cursor.h"

namespace stator::events {

class AllSource final : public LogSourceBase {
 public:
  AllSource(EventStoreCore& core, const ReadOptions& options, const ReadRange& range,
            std::vector<TailEvent> tail, const Mark& mark, std::uint64_t first_position);

 private:
  Result<void> FillFromIndex(std::vector<Event>& events) override;
  // The numbers of the next slots, as many as are read at once; none at the end.
  Result<std::vector<std::uint64_t>> TakeNumbers();
  void TakeRow(const ChunkRow& row);
  void Take(Slot& slot, std::vector<Event>& events) const;

  PageCursor chunks_;
  std::deque<std::uint64_t> numbers_;  // of the chunk that was looked at last
  bool last_row_ = false;
};

}  // namespace stator::events
