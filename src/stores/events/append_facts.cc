#include "stores/events/append_facts.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stores/events/block_cursor.h"
#include "stores/events/condition_check.h"
#include "stores/events/indexer.h"
#include "stores/events/item_fields.h"
#include "stores/events/log_places.h"
#include "stores/events/log_source.h"
#include "stores/events/read_retry.h"

namespace stator::events {
namespace {

Result<std::optional<std::uint64_t>> FindSlotOf(EventStoreCore& core, const Item& key) {
  const GetItemOutput output = TRY(RetryRead(core, [&] {
    return core.database->GetItem(
        {.table_name = core.options.events_table_name, .key = key, .consistent_read = true});
  }));
  if (!output.item) {
    return std::nullopt;
  }
  return TRY(CountField(*output.item, "slot"));
}

// Whether the tag is known to have nothing behind `after` up to the mark.
bool IsKnownToEnd(EventStoreCore& core, const std::string& tag, SortableId after,
                  const Mark& mark) {
  const std::optional<SortableId> last = core.log.known_tags().FindLast(mark, tag);
  return last && *last <= after;
}

Result<std::optional<ConditionMatch>> FindTagged(EventStoreCore& core, const QueryItem& item,
                                                 const ReadRange& range, const Mark& mark) {
  for (const std::string& tag : item.tags) {
    if (IsKnownToEnd(core, tag, range.since, mark)) {
      return std::nullopt;
    }
  }
  const std::string chosen = TRY(ChooseTag(core, item, mark, /*consistent=*/true));
  const BlockName name{BlockKind::kTag, chosen};
  const std::optional<Totals> totals = TRY(ReadTotals(core, name, mark.chunk, /*consistent=*/true));
  core.log.known_tags().Remember(mark, chosen, totals.value_or(Totals()));
  if (!totals || totals->last <= range.since) {
    return std::nullopt;
  }
  BlockCursor cursor = TRY(BlockCursor::Open(core, name, mark, range, std::nullopt));
  for (const BlockEntry* entry = TRY(cursor.Peek()); entry != nullptr; entry = TRY(cursor.Peek())) {
    if (item.Matches(entry->event.type, entry->event.tags)) {
      return ConditionMatch{entry->event.id, entry->event.sortable_id};
    }
    cursor.Pop();
  }
  return std::nullopt;
}

Result<std::optional<ConditionMatch>> FindTyped(EventStoreCore& core, const QueryItem& item,
                                                const ReadRange& range, const Mark& mark) {
  std::optional<ConditionMatch> first;
  for (const std::string& type : item.types) {
    BlockCursor cursor =
        TRY(BlockCursor::Open(core, {BlockKind::kType, type}, mark, range, std::nullopt));
    const BlockEntry* entry = TRY(cursor.Peek());
    if (entry != nullptr && (!first || entry->event.sortable_id < first->sortable_id)) {
      first = ConditionMatch{entry->event.id, entry->event.sortable_id};
    }
  }
  return first;
}

Result<std::optional<ConditionMatch>> FindAny(EventStoreCore& core, const ReadRange& range) {
  std::uint64_t position = 1;
  if (range.since != SortableId()) {
    position = TRY(CountUpTo(core, range.since, /*consistent=*/true)) + 1;
  }
  const std::optional<Event> event = TRY(ReadAt(core, position, /*consistent=*/true));
  if (!event) {
    return Fail(ErrorCode::kCorruption, "the index lacks an event");
  }
  return ConditionMatch{event->id, event->sortable_id};
}

}  // namespace

Result<std::optional<LandedAppend>> FindLanded(EventStoreCore& core, const Ticket& ticket,
                                               const Mark& mark) {
  if (mark.chunk == 0) {
    return std::nullopt;
  }
  std::optional<std::uint64_t> number;
  const std::string& append_id = ticket.append.append_id;
  if (!append_id.empty()) {
    number = TRY(FindSlotOf(core, core.keys.Append(append_id)));
  }
  std::string event_id;
  for (std::size_t index = 0; index < ticket.events.size() && !number; ++index) {
    event_id = ticket.events[index].id;
    if (!event_id.empty()) {
      number = TRY(FindSlotOf(core, core.keys.KeptId(event_id)));
    }
  }
  // What is above the mark is found in the tail, if it is committed.
  if (!number || *number > mark.place.slot) {
    return std::nullopt;
  }
  LandedAppend landed{
      .slot = TRY(ReadSlots(core, {*number}, /*consistent=*/true, /*up_to_a_hole=*/false)).front()};
  for (; landed.append < landed.slot->appends.size(); ++landed.append) {
    const LoggedAppend& append = landed.logged();
    const auto begin = landed.slot->events.begin() + static_cast<std::ptrdiff_t>(append.first);
    if ((!append_id.empty() && append.append_id == append_id) ||
        std::any_of(
            begin, begin + static_cast<std::ptrdiff_t>(append.events),
            [&](const Event& event) { return !event_id.empty() && event.id == event_id; })) {
      return landed;
    }
  }
  return Fail(ErrorCode::kCorruption, "the index names an append that its slot has not");
}

Result<std::optional<Error>> FindConflictBelow(EventStoreCore& core, const Conditions& conditions,
                                               const Mark& mark) {
  std::optional<ConditionMatch> first;
  for (const AppendCondition* condition : conditions) {
    const ReadRange range{.since = condition->after.value_or(SortableId()), .until = mark.place.hi};
    if (mark.chunk == 0 || mark.place.position == 0 || range.since >= mark.place.hi) {
      continue;
    }
    for (const QueryItem& item : ItemsOf(condition->fail_if_match)) {
      const std::optional<ConditionMatch> match = item.matches_all() ? TRY(FindAny(core, range))
                                                  : item.tags.empty()
                                                      ? TRY(FindTyped(core, item, range, mark))
                                                      : TRY(FindTagged(core, item, range, mark));
      if (match && (!first || match->sortable_id < first->sortable_id)) {
        first = match;
      }
    }
  }
  return first ? std::optional<Error>(MakeConflict(*first)) : std::nullopt;
}

}  // namespace stator::events
