// Reading everything: the partitions of the index, merged.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/core.h"
#include "stores/events/page_cursor.h"
#include "stores/events/publications.h"

namespace stator::events {

// The least id behind `id`.
SortableId Successor(SortableId id);

// Every partition of the index that events of the service can be in, read anew: another process may
// have begun to use more of them.
Result<std::vector<int>> ReadShards(Core& core);

class LogReader final : public EventStream::Source {
 public:
  static Result<std::unique_ptr<LogReader>> Open(Core& core, const ReadOptions& options);

  // Ends before an event that the index does not have yet, if events are numbered. Backwards such a
  // hole is kUnavailable, since there is no going on later.
  Result<std::optional<Event>> Next() override;

 private:
  LogReader(Core& core, const ReadOptions& options, const std::vector<int>& shards);

  Result<void> FillAll();
  // The next events with one sortable id, whatever partitions they are in, by their ids.
  Result<void> TakeGroup();
  Result<bool> Admit(const Event& event);
  void Report();

  Core* core_;
  ReadOptions options_;
  std::vector<PageCursor> cursors_;
  StageView view_;
  std::deque<Event> group_;
  bool filled_ = false;
  bool ended_ = false;
  std::uint64_t expected_ = 0;  // position of the next event; 0 when any will do
  std::uint64_t reported_ = 0;
};

}  // namespace stator::events
