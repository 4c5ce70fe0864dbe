#include "stores/events/log_reader.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "base/try.h"
#include "stator/stores/events/tables.h"
#include "stores/events/event_item.h"
#include "stores/events/item_fields.h"
#include "stores/events/settings.h"

namespace stator::events {
namespace {

PartitionRead MakeRead(const EventStoreCore& core, const ReadOptions& options, int shard) {
  PartitionRead read{.table_name = core.options.events_table_name,
                     .index_name = kIndexName,
                     .partition_attribute = "gsi1pk",
                     .partition = core.keys.LogPartition(shard),
                     .sort_attribute = "sortableUniqueId",
                     .backwards = options.backwards};
  if (options.since) {
    const Cursor& since = *options.since;
    // Behind one of several events with the same id: those are sorted out here.
    read.bounds.lower =
        (since.event_id.empty() ? Successor(since.sortable_id) : since.sortable_id).ToText();
  }
  if (options.until) {
    read.bounds.upper = options.until->ToText();
  }
  if (options.limit && options.query.matches_all()) {
    // The event of the cursor itself may come along, and the one behind the last is looked at.
    read.wanted = *options.limit + (options.since && !options.since->event_id.empty() ? 2 : 1);
  }
  return read;
}

}  // namespace

SortableId Successor(SortableId id) {
  if (id.part() < SortableId::kPartMax) {
    return SortableId::FromParts(id.ticks(), id.part() + 1);
  }
  return id.ticks() < SortableId::kTicksMax ? SortableId::FromParts(id.ticks() + 1, 0) : id;
}

Result<std::vector<int>> ReadShards(EventStoreCore& core) {
  const std::optional<Recorded> recorded = TRY(ReadSettings(core));
  std::set<int> shards;
  for (const int count : recorded.value_or(core.recorded).shard_counts) {
    if (count == 1) {
      shards.insert(kUnsharded);
    }
    for (int shard = 0; count > 1 && shard < count; ++shard) {
      shards.insert(shard);
    }
  }
  return std::vector<int>(shards.begin(), shards.end());
}

LogReader::LogReader(EventStoreCore& core, const ReadOptions& options,
                     const std::vector<int>& shards)
    : core_(&core), options_(options) {
  for (const int shard : shards) {
    cursors_.emplace_back(core, MakeRead(core, options, shard));
  }
}

Result<std::unique_ptr<LogReader>> LogReader::Open(EventStoreCore& core,
                                                   const ReadOptions& options) {
  const std::vector<int> shards = TRY(ReadShards(core));
  std::unique_ptr<LogReader> reader(new LogReader(core, options, shards));
  return reader;
}

Result<void> LogReader::FillAll() {
  filled_ = true;
  const std::size_t threads = std::min<std::size_t>(
      cursors_.size(), static_cast<std::size_t>(core_->options.concurrent_reads_max));
  if (threads < 2) {
    return {};
  }
  std::vector<Result<void>> results(cursors_.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t index = next++; index < cursors_.size(); index = next++) {
      results[index] = cursors_[index].Fill();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t index = 1; index < threads; ++index) {
      others.emplace_back(work);
    }
    work();
  }
  for (const Result<void>& result : results) {
    TRY_VOID(result);
  }
  return {};
}

void LogReader::Report() {
  if (!core_->options.on_read_progress) {
    return;
  }
  std::uint64_t events = 0;
  double capacity = 0;
  for (const PageCursor& cursor : cursors_) {
    events += cursor.items_read();
    capacity += cursor.capacity_units();
  }
  if (events != reported_) {
    reported_ = events;
    core_->options.on_read_progress(events, capacity);
  }
}

Result<void> LogReader::TakeGroup() {
  if (!filled_) {
    TRY_VOID(FillAll());
  }
  std::vector<const Item*> heads(cursors_.size());
  std::optional<SortableId> chosen;
  for (std::size_t index = 0; index < cursors_.size(); ++index) {
    heads[index] = TRY(cursors_[index].Peek());
    if (heads[index] != nullptr) {
      const SortableId id = TRY(IdField(*heads[index], "sortableUniqueId"));
      if (!chosen || (options_.backwards ? id > *chosen : id < *chosen)) {
        chosen = id;
      }
    }
  }
  Report();
  if (!chosen) {
    ended_ = true;
    return {};
  }
  for (PageCursor& cursor : cursors_) {
    for (const Item* item = TRY(cursor.Peek());
         item != nullptr && TRY(IdField(*item, "sortableUniqueId")) == *chosen;
         item = TRY(cursor.Peek())) {
      group_.push_back(TRY(DecodeEvent(*item)));
      cursor.Pop();
    }
  }
  std::sort(group_.begin(), group_.end(), [this](const Event& left, const Event& right) {
    return options_.backwards ? left.id > right.id : left.id < right.id;
  });
  return {};
}

bool LogReader::Admit(const Event& event) const {
  const bool seen = options_.since && event.sortable_id == options_.since->sortable_id &&
                    event.id <= options_.since->event_id;
  return !seen && options_.query.Matches(event);
}

Result<void> LogReader::Fill(std::vector<Event>& events) {
  while (!ended_) {
    if (group_.empty()) {
      TRY_VOID(TakeGroup());
      continue;
    }
    Event event = std::move(group_.front());
    group_.pop_front();
    if (Admit(event)) {
      events.push_back(std::move(event));
      break;
    }
  }
  return {};
}

}  // namespace stator::events
