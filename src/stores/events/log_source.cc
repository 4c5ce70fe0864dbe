#include "stores/events/log_source.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/try.h"
#include "stores/events/all_source.h"
#include "stores/events/block_source.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/log_places.h"

namespace stator::events {
namespace {

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
    return std::make_unique<AllSource>(core, options, range, std::move(held), mark, first);
  }
  std::vector<BlockCursor> cursors;
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
      cursors.push_back(
          TRY(BlockCursor::Open(core, name, mark, range,
                                simple && item.tags.size() == 1 ? options.limit : std::nullopt)));
    }
  }
  return std::make_unique<BlockSource>(core, options, range, std::move(held), std::move(cursors));
}

}  // namespace stator::events
