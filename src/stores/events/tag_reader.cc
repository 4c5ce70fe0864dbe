#include "stores/events/tag_reader.h"

#include <algorithm>
#include <compare>
#include <tuple>

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stores/events/log_reader.h"

namespace stator::events {

PartitionRead MakeTagRead(const EventStoreCore& core, const std::string& tag,
                          const std::optional<Cursor>& since,
                          const std::optional<SortableId>& until) {
  PartitionRead read{.table_name = core.options.tags_table_name,
                     .partition_attribute = "pk",
                     .partition = core.keys.TagPartition(tag),
                     .sort_attribute = "sk",
                     .consistent = core.options.use_consistent_reads};
  // Sort keys are id#event. '!' sorts before '#', and '#' before '$'.
  if (since) {
    read.bounds.lower = since->event_id.empty()
                            ? Successor(since->sortable_id).ToText()
                            : since->sortable_id.ToText() + "#" + since->event_id + "!";
  }
  if (until) {
    read.bounds.upper = until->ToText() + "$";
  }
  return read;
}

Result<const DecodedTagRow*> TagRows::Peek() {
  while (!row_) {
    const Item* item = TRY(cursor_.Peek());
    if (item == nullptr) {
      return nullptr;
    }
    DecodedTagRow row = TRY(DecodeTagRow(*item));
    // Without all tags of the event only the event can tell.
    const bool may_match = row.tags ? item_.Matches(row.row.event_type, *row.tags)
                                    : item_.types.empty() || row.row.event_type.empty() ||
                                          std::find(item_.types.begin(), item_.types.end(),
                                                    row.row.event_type) != item_.types.end();
    if (may_match) {
      row_ = std::move(row);
    }
    cursor_.Pop();
  }
  return &*row_;
}

Result<std::unique_ptr<TagReader>> TagReader::Open(EventStoreCore& core,
                                                   const ReadOptions& options) {
  std::unique_ptr<TagReader> reader(new TagReader(core, options));
  for (const QueryItem& item : options.query.items) {
    PartitionRead read = MakeTagRead(core, item.tags.front(), options.since, options.until);
    read.backwards = options.backwards;
    if (options.limit && options.query.items.size() == 1 && item.types.empty() &&
        item.tags.size() == 1) {
      read.wanted = options.limit;
    }
    reader->rows_.emplace_back(core, read, item);
  }
  return reader;
}

Result<std::optional<TagRow>> TagReader::TakeRow() {
  const auto before = [this](const TagRow& left, const TagRow& right) {
    const auto order =
        std::tie(left.sortable_id, left.event_id) <=> std::tie(right.sortable_id, right.event_id);
    return options_.backwards ? order > 0 : order < 0;
  };
  while (true) {
    TagRows* chosen = nullptr;
    const DecodedTagRow* best = nullptr;
    for (TagRows& rows : rows_) {
      const DecodedTagRow* row = TRY(rows.Peek());
      if (row != nullptr && (best == nullptr || before(row->row, best->row))) {
        chosen = &rows;
        best = row;
      }
    }
    if (chosen == nullptr) {
      return std::nullopt;
    }
    TagRow row = best->row;
    chosen->Pop();
    if (!last_ || last_->event_id != row.event_id) {
      last_ = row;
      return row;
    }
  }
}

void TagReader::Report() {
  if (!core_->options.on_read_progress) {
    return;
  }
  std::uint64_t rows = 0;
  double capacity = 0;
  for (const TagRows& source : rows_) {
    rows += source.rows_read();
    capacity += source.capacity_units();
  }
  if (rows != reported_) {
    reported_ = rows;
    core_->options.on_read_progress(rows, capacity);
  }
}

Result<void> TagReader::ReadEvents() {
  auto batch = static_cast<std::uint64_t>(core_->options.batch_get_items_max);
  if (options_.limit) {
    batch = std::min(batch, *options_.limit > given_ ? *options_.limit - given_ : 1);
  }
  std::vector<std::string> ids;
  while (ids.size() < batch) {
    std::optional<TagRow> row = TRY(TakeRow());
    if (!row) {
      break;
    }
    ids.push_back(std::move(row->event_id));
  }
  Report();
  for (Event& event : TRY(ReadEventsById(*core_, ids, core_->options.use_consistent_reads))) {
    events_.push_back(std::move(event));
  }
  return {};
}

Result<void> TagReader::Fill(std::vector<Event>& events) {
  while (true) {
    if (events_.empty()) {
      TRY_VOID(ReadEvents());
      if (events_.empty()) {
        return {};
      }
    }
    Event event = std::move(events_.front());
    events_.pop_front();
    if (options_.query.Matches(event)) {
      ++given_;
      events.push_back(std::move(event));
      return {};
    }
  }
}

Result<std::vector<Event>> ReadEventsById(EventStoreCore& core, const std::vector<std::string>& ids,
                                          bool consistent) {
  if (ids.empty()) {
    return std::vector<Event>();
  }
  std::vector<Item> keys;
  keys.reserve(ids.size());
  for (const std::string& id : ids) {
    keys.push_back(core.keys.Event(id));
  }
  const patterns::BatchReadOutcome outcome =
      patterns::BatchReader(*core.database, core.MakeReadOptions(), core.environment)
          .Read(core.events_table, keys, {.consistent_read = consistent});
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "events could not be read"}));
  }
  std::vector<Event> events;
  events.reserve(ids.size());
  for (std::size_t index = 0; index < ids.size(); ++index) {
    if (!outcome.items[index]) {
      return Fail(ErrorCode::kCorruption, "Event not found for tag entry: " + ids[index]);
    }
    events.push_back(TRY(DecodeEvent(*outcome.items[index])));
  }
  return events;
}

}  // namespace stator::events
