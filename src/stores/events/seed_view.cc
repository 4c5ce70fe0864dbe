#include "stores/events/seed_view.h"

#include <utility>

#include "base/try.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"
#include "stores/events/redaction.h"

namespace stator::events {
namespace {

constexpr std::uint64_t kSlotsAtOnce = 16;
constexpr std::size_t kRowsAtOnce = 200;

struct ViewRows {
  std::vector<Item> events = {};
  std::vector<Item> tags = {};
  NamedItems entries = {};
};

void AddRows(const EventStoreCore& core, const Slot& slot, ViewRows& rows) {
  for (const Event& event : slot.events) {
    rows.events.push_back(EncodeEvent(core, event));
    AddEntries(core, {BlockKind::kType, event.type}, rows.entries);
    for (const std::string& tag : event.tags) {
      rows.tags.push_back(EncodeTagRow(core, event, tag));
      AddEntries(core, {BlockKind::kTag, tag}, rows.entries);
    }
  }
}

std::size_t CountRows(const Slot& slot) {
  std::size_t rows = 0;
  for (const Event& event : slot.events) {
    rows += 1 + event.tags.size();
  }
  return rows;
}

// Writes the rows of some slots behind a place, up to `end`. Gives the place behind them.
Result<ChainPlace> WriteSome(EventStoreCore& core, ChainPlace place, std::uint64_t end) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = place.slot + 1; number <= end && numbers.size() < kSlotsAtOnce;
       ++number) {
    numbers.push_back(number);
  }
  std::size_t row_count = 0;
  std::vector<SlotPointer> slots;
  for (const std::shared_ptr<Slot>& slot :
       TRY(ReadSlots(core, numbers, /*consistent=*/true, /*up_to_a_hole=*/false))) {
    if (row_count >= kRowsAtOnce) {
      break;
    }
    place.slot = slot->number;
    if (slot->prev == place.id) {
      place = {.slot = slot->number,
               .id = slot->id,
               .position = slot->last_position(),
               .hi = slot->hi()};
      row_count += CountRows(*slot);
      slots.push_back(slot);
    }
  }
  do {
    ViewRows rows;
    for (const SlotPointer& slot : slots) {
      AddRows(core, *slot, rows);
    }
    TRY_VOID(WriteRows(core, std::move(rows.events), std::move(rows.tags), rows.entries));
  } while (TRY(BlankRedacted(core, slots)));
  return place;
}

std::uint64_t EndOf(EventStoreCore& core) {
  return core.log.LookAtTail([](const Tail& tail) { return tail.settled().slot; });
}

}  // namespace

Result<bool> WriteView(EventStoreCore& core) {
  Mark mark = TRY(ReadMark(core, MarkKind::kView));
  const std::uint64_t end = EndOf(core);
  if (mark.place.slot >= end) {
    return false;
  }
  mark.place = TRY(WriteSome(core, mark.place, end));
  TRY_VOID(MoveMark(core, MarkKind::kView, mark));
  return mark.place.slot < end;
}

Result<void> CatchUpView(EventStore& store, std::uint64_t slots_max) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.is_foreign || !core.recorded.seed_rows) {
    return {};
  }
  TRY_VOID(core.log.Refresh(/*consistent=*/true));
  for (std::uint64_t slots = 0; slots < slots_max; slots += kSlotsAtOnce) {
    if (!TRY(WriteView(core))) {
      break;
    }
  }
  return {};
}

Result<void> RebuildView(EventStore& store) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.is_foreign || !core.recorded.seed_rows) {
    return Invalid("the service has no view");
  }
  const std::uint64_t end = TRY(ReadMark(core, MarkKind::kView)).place.slot;
  ChainPlace place{.id = core.genesis.id};
  while (place.slot < end) {
    place = TRY(WriteSome(core, place, end));
  }
  return CatchUpView(store);
}

Result<BehindStatus> ReadBehind(EventStore& store) {
  EventStoreCore& core = EventStoreCoreOf(store);
  if (core.is_foreign) {
    return Invalid("events of another system have no log");
  }
  TRY_VOID(core.log.Refresh(/*consistent=*/true));
  const Mark index = TRY(ReadMark(core, MarkKind::kIndex));
  const Mark view = TRY(ReadMark(core, MarkKind::kView));
  const ChainPlace end = core.log.LookAtTail([](const Tail& tail) { return tail.settled(); });
  return BehindStatus{.events = end.position,
                      .slots = end.slot,
                      .indexed_events = index.place.position,
                      .has_view = core.recorded.seed_rows,
                      .viewed_events = view.place.position};
}

}  // namespace stator::events
