// Reading everything of tables that another system wrote: the partitions of the index, merged.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/event_store_core.h"
#include "stores/events/page_cursor.h"

namespace stator::events {

// The least id behind `id`.
SortableId Successor(SortableId id);

// Every partition of the index that events of the service can be in, read anew: another process may
// have begun to use more of them.
Result<std::vector<int>> ReadShards(EventStoreCore& core);

class LogReader final : public EventStream::Source {
 public:
  static Result<std::unique_ptr<LogReader>> Open(EventStoreCore& core, const ReadOptions& options);

  Result<void> Fill(std::vector<Event>& events) override;
  Result<void> Load(Event& /*event*/) override { return {}; }

 private:
  LogReader(EventStoreCore& core, const ReadOptions& options, const std::vector<int>& shards);

  Result<void> FillAll();
  // The next events with one sortable id, whatever partitions they are in, by their ids.
  Result<void> TakeGroup();
  [[nodiscard]] bool Admit(const Event& event) const;
  void Report();

  EventStoreCore* core_;
  ReadOptions options_;
  std::vector<PageCursor> cursors_;
  std::deque<Event> group_;
  bool filled_ = false;
  bool ended_ = false;
  std::uint64_t reported_ = 0;
};

}  // namespace stator::events
