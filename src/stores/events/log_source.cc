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
#include "stores/events/redaction.h"
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

  Result<void> Fill(std::vector<Event>& events) override {
    const std::size_t before = events.size();
    while (events.size() == before) {
      if (range_.backwards && !tail_done_) {
        TakeTail(events);
      } else if (!index_done_) {
        TRY_VOID(FillFromIndex(events));
      } else if (!tail_done_) {
        TakeTail(events);
      } else {
        return {};
      }
    }
    given_ += events.size() - before;
    if (core_->options.on_read_progress) {
      core_->options.on_read_progress(given_, units_);
    }
    return PrefetchKeys(events, before);
  }

  Result<void> Load(Event& event) override {
    if (options_.load_payloads) {
      return LoadPayload(*core_, event);
    }
    core_->redactions.Hide(event);
    return {};
  }

 protected:
  // Gives some events of the index, perhaps none, or says that there are no more.
  virtual Result<void> FillFromIndex(std::vector<Event>& events) = 0;

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
  bool index_done_ = false;
  double units_ = 1;  // the refresh
  std::uint64_t given_ = 0;

 private:
  // As many as a page has.
  void TakeTail(std::vector<Event>& events) {
    const std::uint64_t page = static_cast<std::uint64_t>(core_->options.query_page_size);
    const std::uint64_t count = std::min<std::uint64_t>(LeftOf(page), tail_.size() - taken_);
    events.reserve(events.size() + count);
    for (const std::size_t end = taken_ + count; taken_ < end; ++taken_) {
      events.push_back(tail_[range_.backwards ? tail_.size() - 1 - taken_ : taken_].event());
    }
    tail_done_ = taken_ == tail_.size();
  }

  // Of all that is ready, in few requests.
  Result<void> PrefetchKeys(const std::vector<Event>& events, std::size_t from) {
    std::vector<std::string> subjects;
    for (std::size_t index = from; index < events.size(); ++index) {
      if (!events[index].subject.empty() && !events[index].erased) {
        subjects.push_back(events[index].subject);
      }
    }
    return subjects.empty() || !options_.load_payloads
               ? Result<void>()
               : core_->subjects.Prefetch(std::move(subjects));
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

  Result<void> FillFromIndex(std::vector<Event>& events) override {
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
      Take(*slot, events);
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

  void Take(Slot& slot, std::vector<Event>& events) {
    const bool whole = range_.Contains(slot.events.front()) && range_.Contains(slot.events.back());
    if (range_.backwards) {
      std::reverse(slot.events.begin(), slot.events.end());
    }
    for (Event& event : slot.events) {
      if (whole || range_.Contains(event)) {
        events.push_back(std::move(event));
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

  Result<void> FillFromIndex(std::vector<Event>& events) override {
    const auto most = LeftOf(static_cast<std::uint64_t>(core_->options.query_page_size));
    const std::size_t before = events.size();
    std::vector<Missing> missing;
    while (events.size() - before < most) {
      BlockEntry* entry = TRY(FindNext());
      if (entry == nullptr) {
        index_done_ = true;
        break;
      }
      if (!entry->has_payload) {
        missing.push_back({.slot = entry->slot, .index = events.size()});
      }
      events.push_back(std::move(entry->event));
      next_->Pop();
    }
    return missing.empty() ? Result<void>() : ReadPayloads(missing, events);
  }

  std::vector<BlockCursor> cursors;

 private:
  // An event whose payload is only in its slot.
  struct Missing {
    std::uint64_t slot;
    std::size_t index;  // of the events that are given
  };

  // The next one that matches, which next_ has; null at the end.
  Result<BlockEntry*> FindNext() {
    while (true) {
      BlockEntry* best = nullptr;
      for (BlockCursor& cursor : cursors) {
        BlockEntry* entry = TRY(cursor.Peek());
        if (entry != nullptr &&
            (best == nullptr ||
             (range_.backwards ? entry->event.position > best->event.position
                               : entry->event.position < best->event.position))) {
          next_ = &cursor;
          best = entry;
        }
      }
      if (best == nullptr) {
        return nullptr;
      }
      if (best->event.position != last_ && options_.query.Matches(best->event)) {
        last_ = best->event.position;
        return best;
      }
      next_->Pop();
    }
  }

  Result<void> ReadPayloads(const std::vector<Missing>& missing, std::vector<Event>& events) {
    std::set<std::uint64_t> wanted;
    for (const Missing& one : missing) {
      wanted.insert(one.slot);
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
    for (const Missing& one : missing) {
      Slot& slot = *slots.at(one.slot);
      const std::uint64_t index = events[one.index].position - slot.first_position;
      if (index >= slot.events.size()) {
        return Fail(ErrorCode::kCorruption, "the index names an event that its slot has not");
      }
      // Each is wanted once.
      events[one.index] = std::move(slot.events[index]);
    }
    return {};
  }

  BlockCursor* next_ = nullptr;
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
                     .wanted = wanted,
                     .begins_small = wanted.has_value()};
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
  while (!has_entry_ && !ended_) {
    if (range_.backwards ? reversed_.empty() : at_ == bytes_.size()) {
      ended_ = !TRY(TakeBlock());
    } else if (range_.backwards) {
      entry_ = std::move(reversed_.back());
      reversed_.pop_back();
      has_entry_ = true;
    } else {
      ByteReader reader(std::string_view(bytes_).substr(at_));
      TRY_VOID(DecodeEntry(reader, entry_));
      at_ = bytes_.size() - reader.left();
      has_entry_ = true;
    }
    ended_ = ended_ || (has_entry_ && !range_.backwards && entry_.event.sortable_id > range_.until);
    has_entry_ = has_entry_ && range_.Contains(entry_.event);
  }
  return has_entry_ ? &entry_ : nullptr;
}

// Whether there was another.
Result<bool> BlockCursor::TakeBlock() {
  const Item* item = TRY(pages_.Peek());
  if (item == nullptr) {
    return false;
  }
  bytes_ = *TRY(EntriesOf(*item));
  pages_.Pop();
  at_ = 0;
  if (range_.backwards) {
    ByteReader reader(bytes_);
    while (!reader.empty()) {
      TRY_VOID(DecodeEntry(reader, reversed_.emplace_back()));
    }
  }
  return true;
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
