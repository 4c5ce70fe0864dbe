#include "stores/events/redaction.h"

#include <limits>
#include <memory>
#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stores/events/event_log.h"
#include "stores/events/item_fields.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"

namespace stator::events {

bool Redactions::Contains(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  return positions_.contains(position);
}

void Redactions::Add(std::uint64_t position) {
  const MutexLock lock(mutex_);
  positions_.insert(position);
  any_.store(true, std::memory_order_release);
}

Result<void> Redactions::Refresh() {
  const Duration now = core_->environment.clock->Elapsed();
  if (now - Duration(read_at_.load()) <= core_->options.subject_keys_kept) {
    return {};
  }
  const std::uint64_t indexed =
      core_->log.LookAtTail([](const Tail& tail) { return tail.mark().place.position; });
  for (const Redaction& redaction :
       TRY(ReadRedactions(*core_, indexed + 1, std::numeric_limits<std::uint64_t>::max()))) {
    Add(redaction.position);
  }
  read_at_ = now.count();
  return {};
}

Result<bool> Redactions::Look(std::uint64_t position) {
  const GetItemOutput row = TRY(RetryRead(*core_, [&] {
    return core_->database->GetItem({.table_name = core_->options.events_table_name,
                                     .key = core_->keys.Redaction(position),
                                     .consistent_read = true});
  }));
  if (row.item) {
    Add(position);
  }
  return row.item.has_value();
}

Result<std::vector<Redaction>> ReadRedactions(EventStoreCore& core, std::uint64_t first,
                                              std::uint64_t last) {
  PageCursor cursor(core, {.table_name = core.options.events_table_name,
                           .partition_attribute = "pk",
                           .partition = core.keys.RedactionsPartition(),
                           .sort_attribute = "sk",
                           .bounds = {.lower = Padded(first, 20), .upper = Padded(last, 20)}});
  std::vector<Redaction> redactions;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    redactions.push_back({.event_id = TRY(TextField(*item, "eventId")),
                          .position = TRY(CountField(*item, "position")),
                          .redacted_at = TRY(TextField(*item, "redactedAt")),
                          .by = TextOr(*item, "by"),
                          .reason = TextOr(*item, "reason")});
    cursor.Pop();
  }
  return redactions;
}

Result<bool> BlankRedacted(EventStoreCore& core, std::vector<SlotPointer>& slots) {
  if (slots.empty()) {
    return false;
  }
  bool blanked = false;
  for (const Redaction& redaction :
       TRY(ReadRedactions(core, slots.front()->first_position, slots.back()->last_position()))) {
    for (SlotPointer& slot : slots) {
      if (redaction.position < slot->first_position || redaction.position > slot->last_position()) {
        continue;
      }
      const std::size_t index = redaction.position - slot->first_position;
      if (!slot->events[index].erased) {
        auto copy = std::make_shared<Slot>(*slot);
        BlankPayload(*copy, index);
        slot = std::move(copy);
        blanked = true;
      }
    }
  }
  return blanked;
}

}  // namespace stator::events
