// Reading tables that another system wrote by tags: the rows of one tag per item of the query, merged, and the events that they
// name.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stator/base/result.h"
#include "stator/stores/events/event_stream.h"
#include "stores/events/event_item.h"
#include "stores/events/event_store_core.h"
#include "stores/events/page_cursor.h"

namespace stator::events {

PartitionRead MakeTagRead(const EventStoreCore& core, const std::string& tag,
                          const std::optional<Cursor>& since,
                          const std::optional<SortableId>& until);

// The rows of one tag that may belong to events that match an item.
class TagRows {
 public:
  TagRows(EventStoreCore& core, const PartitionRead& read, QueryItem item)
      : cursor_(core, read), item_(std::move(item)) {}

  // Null at the end. Good until Pop.
  Result<const DecodedTagRow*> Peek();
  void Pop() { row_.reset(); }

  [[nodiscard]] std::uint64_t rows_read() const { return cursor_.items_read(); }
  [[nodiscard]] double capacity_units() const { return cursor_.capacity_units(); }

 private:
  PageCursor cursor_;
  QueryItem item_;
  std::optional<DecodedTagRow> row_;
};

class TagReader final : public EventStream::Source {
 public:
  // REQUIRES: every item of the query has a tag, and there is an item.
  static Result<std::unique_ptr<TagReader>> Open(EventStoreCore& core, const ReadOptions& options);

  Result<void> Fill(std::vector<Event>& events) override;
  Result<void> Load(Event& /*event*/) override { return {}; }

 private:
  TagReader(EventStoreCore& core, const ReadOptions& options) : core_(&core), options_(options) {}

  // The next row over all items, each event once.
  Result<std::optional<TagRow>> TakeRow();
  Result<void> ReadEvents();
  void Report();

  EventStoreCore* core_;
  ReadOptions options_;
  std::vector<TagRows> rows_;
  std::optional<TagRow> last_;
  std::deque<Event> events_;
  std::uint64_t given_ = 0;
  std::uint64_t reported_ = 0;
};

// Fails with kCorruption when one is missing.
Result<std::vector<Event>> ReadEventsById(EventStoreCore& core, const std::vector<std::string>& ids,
                                          bool consistent);

}  // namespace stator::events
