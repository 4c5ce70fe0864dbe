#include "stores/events/seed_view.h"

#include <utility>

#include "base/try.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/indexer.h"
#include "stores/events/log_items.h"

namespace stator::events {
namespace {

constexpr std::uint64_t kSlotsAtOnce = 16;
constexpr std::size_t kRowsAtOnce = 1000;

struct ViewRows {
  std::vector<Item> events = {};
  std::vector<Item> tags = {};
  NamedItems entries = {};
};

void AddRows(const Core& core, const Slot& slot, ViewRows& rows) {
  for (const Event& event : slot.events) {
    rows.events.push_back(EncodeEvent(core, event));
    AddEntries(core, {BlockKind::kType, event.type}, rows.entries);
    for (const std::string& tag : event.tags) {
      rows.tags.push_back(EncodeTagRow(core, event, tag));
      AddEntries(core, {BlockKind::kTag, tag}, rows.entries);
    }
  }
}

}  // namespace

Result<bool> WriteView(Core& core) {
  Mark mark = TRY(ReadMark(core, MarkKind::kView));
  const std::uint64_t end =
      core.log.LookAtTail([](const Tail& tail) { return tail.settled().slot; });
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = mark.place.slot + 1; number <= end && numbers.size() < kSlotsAtOnce;
       ++number) {
    numbers.push_back(number);
  }
  if (numbers.empty()) {
    return false;
  }
  ViewRows rows;
  for (const SlotPointer& slot :
       TRY(ReadSlots(core, numbers, /*consistent=*/true, /*up_to_a_hole=*/false))) {
    if (rows.events.size() + rows.tags.size() >= kRowsAtOnce) {
      break;
    }
    mark.place.slot = slot->number;
    if (slot->prev != mark.place.id) {
      continue;
    }
    mark.place = {
        .slot = slot->number, .id = slot->id, .position = slot->last_position(), .hi = slot->hi()};
    AddRows(core, *slot, rows);
  }
  TRY_VOID(WriteRows(core, std::move(rows.events), std::move(rows.tags), rows.entries));
  TRY_VOID(MoveMark(core, MarkKind::kView, mark));
  return mark.place.slot < end;
}

Result<void> CatchUpView(EventStore& store, std::uint64_t slots_max) {
  Core& core = CoreOf(store);
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

}  // namespace stator::events
