// By blocks of tags and types, merged, each event once.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "stores/events/block_cursor.h"
#include "stores/events/log_source_base.h"

namespace stator::events {

class BlockSource final : public LogSourceBase {
 public:
  BlockSource(EventStoreCore& core, const ReadOptions& options, const ReadRange& range,
              std::vector<TailEvent> tail, std::vector<BlockCursor> cursors)
      : LogSourceBase(core, options, range, std::move(tail)), cursors_(std::move(cursors)) {}

 private:
  // An event whose payload is only in its slot.
  struct Missing {
    std::uint64_t slot;
    std::size_t index;  // of the events that are given
  };

  Result<void> FillFromIndex(std::vector<Event>& events) override;
  // The next one that matches, which next_ has; null at the end.
  Result<BlockEntry*> FindNext();
  Result<void> ReadPayloads(const std::vector<Missing>& missing, std::vector<Event>& events);

  std::vector<BlockCursor> cursors_;
  BlockCursor* next_ = nullptr;
  std::uint64_t last_ = 0;
};

}  // namespace stator::events
