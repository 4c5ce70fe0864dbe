#include "stores/events/seed_view.h"

#include "base/try.h"
#include "stator/patterns/batch.h"
#include "stores/events/event_item.h"
#include "stores/events/event_log.h"
#include "stores/events/log_items.h"

namespace stator::events {

Result<bool> WriteView(Core& core) {
  constexpr std::uint64_t kSlotsAtOnce = 16;
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
  std::vector<patterns::TableWrites> writes = {{.table = core.events_table, .writes = {}},
                                               {.table = core.tags_table, .writes = {}}};
  for (const SlotPointer& slot :
       TRY(ReadSlots(core, numbers, /*consistent=*/true, /*up_to_a_hole=*/false))) {
    mark.place.slot = slot->number;
    if (slot->prev != mark.place.id) {
      continue;
    }
    mark.place = {
        .slot = slot->number, .id = slot->id, .position = slot->last_position(), .hi = slot->hi()};
    for (const Event& event : slot->events) {
      writes[0].writes.emplace_back(PutRequest{EncodeEvent(core, event)});
      for (const std::string& tag : event.tags) {
        writes[1].writes.emplace_back(PutRequest{EncodeTagRow(core, event, tag)});
      }
    }
  }
  const patterns::BatchWriteOutcome outcome =
      patterns::BatchWriter(*core.database, core.MakeWriteOptions(), core.environment)
          .Write(std::move(writes));
  if (!outcome.complete()) {
    return std::unexpected(outcome.error.value_or(
        Error{.code = ErrorCode::kUnavailable, .message = "the view could not be written"}));
  }
  TRY_VOID(MoveMark(core, MarkKind::kView, mark));
  return true;
}

}  // namespace stator::events
