#include "stores/events/log_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/try.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/subject_keys.h"

namespace stator::events {
namespace {

// An event of the tail.
struct TailEvent {
  SlotPointer slot;
  std::size_t index;

  [[nodiscard]] const Event& event() const { return slot->events[index]; }
};

double UnitsOf(std::uint64_t bytes, bool consistent) {
  constexpr std::uint64_t kBytesPerUnit = 4096;
  const auto units = static_cast<double>(bytes / kBytesPerUnit + 1);
  return consistent ? units : units / 2;
}

Result<std::optional<ChunkRow>> FindChunk(EventStoreCore& core, std::string partition,
                                          std::string upper, bool consistent) {
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .partition_attribute = "pk",
                           .partition = std::move(partition),
                           .sort_attribute = "sk",
                           .bounds = {.upper = std::move(upper)},
                           .backwards = true,
                           .consistent = consistent,
                           .wanted = 1});
  const Item* item = TRY(cursor.Peek());
  if (item == nullptr) {
    return std::nullopt;
  }
  return TRY(DecodeChunkRow(*item));
}

// Of the index and then of the tail, or backwards the other way round.
class SourceBase : public EventStream::Source {
 public:
  SourceBase(EventStoreCore& core, const ReadOptions& options, const ReadRange& range)
      : core_(&core), options_(options), range_(range) {}

  Result<std::optional<Event>> Next() override {
    while (true) {
      if (!ready_.empty()) {
        Event event = std::move(ready_.front());
        ready_.pop_front();
        ++given_;
        if (options_.load_payloads) {
          TRY_VOID(LoadPayload(*core_, event));
        }
        return event;
      }
      if (range_.backwards && !tail_done_) {
        TakeTail();
      } else if (!index_done_) {
        TRY_VOID(FillFromIndex());
      } else if (!tail_done_) {
        TakeTail();
      } else {
        return std::nullopt;
      }
      Report();
      TRY_VOID(PrefetchKeys());
    }
  }

 protected:
  // Puts some events of the index into ready_, or says that there are no more.
  virtual Result<void> FillFromIndex() = 0;

  [[nodiscard]] std::uint64_t LeftOf(std::uint64_t most) const {
    if (!options_.limit) {
      return most;
    }
    return std::min(most, *options_.limit > given_ ? *options_.limit - given_ : 1);
  }

  EventStoreCore* core_;
  ReadOptions options_;
  ReadRange range_;
  std::vector<TailEvent> tail_;  // in the order of the log
  std::deque<Event> ready_;
  bool index_done_ = false;
  double units_ = 1;  // the refresh
  std::uint64_t given_ = 0;

 private:
  // As many as a page has.
  void TakeTail() {
    const std::uint64_t page = static_cast<std::uint64_t>(core_->options.query_page_size);
    for (std::uint64_t count = LeftOf(page); count > 0 && taken_ < tail_.size(); --count) {
      const std::size_t index = range_.backwards ? tail_.size() - 1 - taken_ : taken_;
      ready_.push_back(tail_[index].event());
      ++taken_;
    }
    tail_done_ = taken_ == tail_.size();
  }

  // Of all that is ready, in few requests.
  Result<void> PrefetchKeys() {
    std::vector<std::string> subjects;
    for (const Event& event : ready_) {
      if (!event.subject.empty() && !event.erased) {
        subjects.push_back(event.subject);
      }
    }
    return subjects.empty() || !options_.load_payloads
               ? Result<void>()
               : core_->subjects.Prefetch(std::move(subjects));
  }

  void Report() {
    if (core_->options.on_read_progress && !ready_.empty()) {
      core_->options.on_read_progress(given_ + ready_.size(), units_);
    }
  }

  std::size_t taken_ = 0;  // of the tail
  bool tail_done_ = false;

  friend Result<std::unique_ptr<EventStream::Source>> stator::events::OpenSource(
      EventStoreCore& core, const ReadOptions& options, bool consistent);
};

// Everything, slot by slot, for queries that tags and types do not narrow.
class AllSource final : public SourceBase {
 public:
  AllSource(EventStoreCore& core, const ReadOptions& options, const ReadRange& range,
            const Mark& mark, std::uint64_t first_position)
      : SourceBase(core, options, range),
        chunks_(core,
                {.table_name = core.options.events_table_name,
                 .partition_attribute = "pk",
                 .partition = core.keys.ChunksPartition(),
                 .sort_attribute = "sk",
                 .bounds = {.lower = Padded(first_position, 20),
                            .upper = Padded(mark.place.position, 20)},
                 .backwards = range.backwards,
                 .consistent = range.consistent,
                 // Each has an event at least, and the first may have none behind `since`.
                 .wanted = options.limit ? std::optional(*options.limit + 1) : std::nullopt}) {
    index_done_ = mark.place.position == 0 || range.since >= mark.place.hi;
  }

  Result<void> FillFromIndex() override {
    if (slots_.empty()) {
      const Item* item = last_row_ ? nullptr : TRY(chunks_.Peek());
      if (item == nullptr) {
        index_done_ = true;
        return {};
      }
      const ChunkRow row = TRY(DecodeChunkRow(*item));
      chunks_.Pop();
      TakeSlots(row);
      return {};
    }
    constexpr std::size_t kSlotsAtOnce = 32;
    std::vector<std::uint64_t> numbers;
    while (!slots_.empty() && numbers.size() < (options_.limit ? 4 : kSlotsAtOnce)) {
      numbers.push_back(slots_.front());
      slots_.pop_front();
    }
    for (const std::shared_ptr<Slot>& slot :
         TRY(ReadSlots(*core_, numbers, range_.consistent, /*up_to_a_hole=*/false))) {
      units_ += UnitsOf(slot->bytes, range_.consistent);
      Take(*slot);
    }
    return {};
  }

 private:
  void TakeSlots(const ChunkRow& row) {
    for (std::size_t index = 0; index < row.slots.size(); ++index) {
      const bool before =
          index + 1 < row.slots.size() && row.slots[index + 1].first_id <= range_.since;
      if (!before && row.slots[index].first_id <= range_.until) {
        slots_.push_back(row.slots[index].number);
      }
    }
    if (range_.backwards) {
      std::reverse(slots_.begin(), slots_.end());
    }
    last_row_ = !range_.backwards && row.slots.back().first_id > range_.until;
  }

  void Take(Slot& slot) {
    if (range_.backwards) {
      std::reverse(slot.events.begin(), slot.events.end());
    }
    for (Event& event : slot.events) {
      if (range_.Contains(event) && options_.query.Matches(event)) {
        ready_.push_back(std::move(event));
      }
    }
  }

  PageCursor chunks_;
  std::deque<std::uint64_t> slots_;
  bool last_row_ = false;
};

// By blocks of tags and types, merged, each event once.
class BlockSource final : public SourceBase {
 public:
  using SourceBase::SourceBase;

  Result<void> FillFromIndex() override {
    std::vector<BlockEntry> entries;
    const auto most = LeftOf(static_cast<std::uint64_t>(core_->options.query_page_size));
    while (entries.size() < most) {
      std::optional<BlockEntry> entry = TRY(TakeEntry());
      if (!entry) {
        index_done_ = true;
        break;
      }
      entries.push_back(*std::move(entry));
    }
    TRY_VOID(ReadPayloads(entries));
    for (BlockEntry& entry : entries) {
      ready_.push_back(std::move(entry.event));
    }
    return {};
  }

  std::vector<BlockCursor> cursors;

 private:
  Result<std::optional<BlockEntry>> TakeEntry() {
    while (true) {
      BlockCursor* chosen = nullptr;
      BlockEntry* best = nullptr;
      for (BlockCursor& cursor : cursors) {
        BlockEntry* entry = TRY(cursor.Peek());
        if (entry != nullptr &&
            (best == nullptr ||
             (range_.backwards ? entry->event.position > best->event.position
                               : entry->event.position < best->event.position))) {
          chosen = &cursor;
          best = entry;
        }
      }
      if (chosen == nullptr) {
        return std::nullopt;
      }
      BlockEntry entry = std::move(*best);
      chosen->Pop();
      if (entry.event.position != last_ && options_.query.Matches(entry.event)) {
        last_ = entry.event.position;
        return entry;
      }
    }
  }

  Result<void> ReadPayloads(std::vector<BlockEntry>& entries) {
    std::set<std::uint64_t> wanted;
    for (const BlockEntry& entry : entries) {
      if (!entry.has_payload) {
        wanted.insert(entry.slot);
      }
    }
    constexpr std::size_t kSlotsAtOnce = 32;
    std::map<std::uint64_t, std::shared_ptr<Slot>> slots;
    const std::vector<std::uint64_t> numbers(wanted.begin(), wanted.end());
    for (std::size_t at = 0; at < numbers.size(); at += kSlotsAtOnce) {
      const std::size_t end = std::min(at + kSlotsAtOnce, numbers.size());
      const std::vector<std::uint64_t> some(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                                            numbers.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::shared_ptr<Slot>& slot :
           TRY(ReadSlots(*core_, some, range_.consistent, /*up_to_a_hole=*/false))) {
        units_ += UnitsOf(slot->bytes, range_.consistent);
        const std::uint64_t number = slot->number;
        slots.emplace(number, std::move(slot));
      }
    }
    for (BlockEntry& entry : entries) {
      if (!entry.has_payload) {
        Slot& slot = *slots.at(entry.slot);
        const std::uint64_t index = entry.event.position - slot.first_position;
        if (index >= slot.events.size()) {
          return Fail(ErrorCode::kCorruption, "the index names an event that its slot has not");
        }
        // Each is wanted once.
        entry.event = std::move(slot.events[index]);
      }
    }
    return {};
  }

  std::uint64_t last_ = 0;
};

std::vector<TailEvent> TailEventsFor(const Tail& tail, const EventQuery& query,
                                     const ReadRange& range) {
  std::vector<TailEvent> held;
  const auto take = [&](const SlotPointer& slot, std::size_t index) {
    const Event& event = slot->events[index];
    if (range.Contains(event) && query.Matches(event)) {
      held.push_back({slot, index});
    }
  };
  std::set<std::pair<std::uint64_t, std::size_t>> places;
  const bool narrow = !query.matches_all();
  for (const QueryItem& item : query.items) {
    std::vector<Tail::Ref> refs;
    for (const std::string& type :
         narrow&& item.tags.empty() ? item.types : std::vector<std::string>{}) {
      const std::vector<Tail::Ref> more = tail.FindTyped(type);
      refs.insert(refs.end(), more.begin(), more.end());
    }
    if (narrow && !item.tags.empty()) {
      refs = tail.FindTagged(item.tags.front());
    }
    for (const Tail::Ref& ref : refs) {
      if (range.Contains(ref.event()) && places.emplace(ref.slot->number, ref.index).second) {
        take(tail.SharedOf(*ref.slot), ref.index);
      }
    }
  }
  if (!narrow) {
    for (const SlotPointer& slot : tail.SlotsBehind(range.since)) {
      for (std::size_t index = 0; index < slot->events.size(); ++index) {
        take(slot, index);
      }
    }
  }
  std::sort(held.begin(), held.end(), [](const TailEvent& left, const TailEvent& right) {
    return left.event().position < right.event().position;
  });
  return held;
}

}  // namespace

Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, std::uint64_t position,
                                            bool consistent) {
  return FindChunk(core, core.keys.ChunksPartition(), Padded(position, 20), consistent);
}

Result<std::optional<ChunkRow>> FindChunkAt(EventStoreCore& core, SortableId id, bool consistent) {
  return FindChunk(core, core.keys.ChunkIdsPartition(), id.ToText(), consistent);
}

Result<SlotPointer> ReadSlotAt(EventStoreCore& core, std::uint64_t position, bool consistent) {
  Mark mark;
  SlotPointer slot = core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    return tail.SlotAt(position);
  });
  if (slot != nullptr || position == 0 || position > mark.place.position) {
    return slot;
  }
  const std::optional<ChunkRow> row = TRY(FindChunkAt(core, position, consistent));
  if (!row) {
    return Fail(ErrorCode::kCorruption, "the index lacks a chunk");
  }
  std::uint64_t number = 0;
  for (const ChunkRow::SlotPlace& place : row->slots) {
    number = place.first_position <= position ? place.number : number;
  }
  slot = TRY(ReadSlots(core, {number}, consistent, /*up_to_a_hole=*/false)).front();
  return position <= slot->last_position() ? slot : nullptr;
}

Result<std::optional<Event>> ReadAt(EventStoreCore& core, std::uint64_t position, bool consistent) {
  const SlotPointer slot = TRY(ReadSlotAt(core, position, consistent));
  if (slot == nullptr) {
    return std::nullopt;
  }
  Event event = slot->events[position - slot->first_position];
  TRY_VOID(LoadPayload(core, event));
  return event;
}

Result<std::uint64_t> CountUpTo(EventStoreCore& core, SortableId id, bool consistent) {
  const auto count = [&](const Slot& slot) {
    const auto end = std::upper_bound(
        slot.events.begin(), slot.events.end(), id,
        [](SortableId left, const Event& event) { return left < event.sortable_id; });
    return slot.first_position - 1 + static_cast<std::uint64_t>(end - slot.events.begin());
  };
  Mark mark;
  std::optional<std::uint64_t> known;
  core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    if (id >= tail.settled().hi) {
      known = tail.settled().position;
    } else if (id >= mark.place.hi) {
      const std::vector<SlotPointer> behind = tail.SlotsBehind(id);
      known = behind.empty() ? tail.settled().position : count(*behind.front());
    }
  });
  if (known) {
    return *known;
  }
  const std::optional<ChunkRow> row = TRY(FindChunkAt(core, id, consistent));
  std::uint64_t number = 0;
  for (std::size_t index = 0; row && index < row->slots.size(); ++index) {
    number = row->slots[index].first_id <= id ? row->slots[index].number : number;
  }
  if (number == 0) {
    return 0;
  }
  return count(*TRY(ReadSlots(core, {number}, consistent, /*up_to_a_hole=*/false)).front());
}

Result<BlockCursor> BlockCursor::Open(EventStoreCore& core, const BlockName& name, const Mark& mark,
                                      const ReadRange& range, std::optional<std::uint64_t> wanted) {
  PartitionRead read{.table_name = core.options.tags_table_name,
                     .partition_attribute = "pk",
                     .partition = PartitionOf(core, name),
                     .sort_attribute = "sk",
                     .bounds = {.upper = BlockSortKey(mark.chunk, kBlockPartsMax)},
                     .backwards = range.backwards,
                     .consistent = range.consistent,
                     .wanted = wanted};
  if (mark.chunk == 0 || range.since >= mark.place.hi) {
    read.bounds = {.lower = "1", .upper = "0"};
    return BlockCursor(core, read, range);
  }
  if (range.since != SortableId()) {
    const std::optional<ChunkRow> row = TRY(FindChunkAt(core, range.since, range.consistent));
    read.bounds.lower = BlockSortKey(row ? row->chunk : 0, 0);
  }
  if (range.backwards && range.until < mark.place.hi) {
    const std::optional<ChunkRow> row = TRY(FindChunkAt(core, range.until, range.consistent));
    read.bounds.upper = BlockSortKey(row ? row->chunk : 0, kBlockPartsMax);
  }
  return BlockCursor(core, read, range);
}

Result<BlockEntry*> BlockCursor::Peek() {
  while (entries_.empty()) {
    const Item* item = TRY(pages_.Peek());
    if (item == nullptr) {
      return nullptr;
    }
    Block block = TRY(DecodeBlock(*item));
    pages_.Pop();
    if (!range_.backwards && !block.entries.empty() &&
        block.entries.front().event.sortable_id > range_.until) {
      return nullptr;
    }
    if (range_.backwards) {
      std::reverse(block.entries.begin(), block.entries.end());
    }
    for (BlockEntry& entry : block.entries) {
      if (range_.Contains(entry.event)) {
        entries_.push_back(std::move(entry));
      }
    }
  }
  return &entries_.front();
}

Result<std::string> ChooseTag(EventStoreCore& core, const QueryItem& item, const Mark& mark,
                              bool consistent) {
  std::string chosen = item.tags.front();
  std::optional<std::uint64_t> fewest;
  for (std::size_t index = 0; item.tags.size() > 1 && index < item.tags.size(); ++index) {
    const std::optional<Totals> totals =
        TRY(ReadTotals(core, {BlockKind::kTag, item.tags[index]}, mark.chunk, consistent));
    const std::uint64_t events = totals ? totals->events : 0;
    if (!fewest || events < *fewest) {
      fewest = events;
      chosen = item.tags[index];
    }
  }
  return chosen;
}

Result<std::unique_ptr<EventStream::Source>> OpenSource(EventStoreCore& core,
                                                        const ReadOptions& options,
                                                        bool consistent) {
  TRY_VOID(core.log.Refresh(consistent));
  ReadRange range{.backwards = options.backwards, .consistent = consistent};
  range.since = options.since ? options.since->sortable_id : SortableId();
  range.until = options.until.value_or(SortableId::Max());
  // The mark and the tail behind it belong together.
  Mark mark;
  std::vector<TailEvent> held;
  core.log.LookAtTail([&](const Tail& tail) {
    mark = tail.mark();
    held = TailEventsFor(tail, options.query, range);
  });
  if (options.query.matches_all()) {
    std::uint64_t first = 0;
    if (range.since != SortableId() && range.since < mark.place.hi) {
      const std::optional<ChunkRow> row = TRY(FindChunkAt(core, range.since, consistent));
      first = row ? row->slots.front().first_position : 0;
    }
    auto source = std::make_unique<AllSource>(core, options, range, mark, first);
    source->tail_ = std::move(held);
    return source;
  }
  auto source = std::make_unique<BlockSource>(core, options, range);
  source->tail_ = std::move(held);
  const bool simple = options.query.items.size() == 1 && options.query.items[0].types.empty();
  for (const QueryItem& item : options.query.items) {
    std::vector<BlockName> names;
    if (!item.tags.empty()) {
      names.push_back({BlockKind::kTag, TRY(ChooseTag(core, item, mark, consistent))});
    }
    for (const std::string& type : item.tags.empty() ? item.types : std::vector<std::string>{}) {
      names.push_back({BlockKind::kType, type});
    }
    for (const BlockName& name : names) {
      source->cursors.push_back(
          TRY(BlockCursor::Open(core, name, mark, range,
                                simple && item.tags.size() == 1 ? options.limit : std::nullopt)));
    }
  }
  return source;
}

}  // namespace stator::events
