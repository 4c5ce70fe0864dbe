#include "stores/events/parked_rows.h"

#include <utility>

#include "base/try.h"
#include "stator/api/database.h"
#include "stator/patterns/requests.h"
#include "stores/events/event_item.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "stores/events/page_cursor.h"
#include "stores/events/read_retry.h"
#include "value/check_value.h"

namespace stator::events {

Result<void> WriteParked(EventStore& store, Item key, const ParkedEvent& event) {
  Item item = std::move(key);
  item.Set("documentType", "parkedEvent");
  item.Set("position", event.position);
  item.Set("eventId", event.event_id);
  item.Set("attempts", event.attempts);
  item.Set("reason", ShortReason(event.reason));
  item.Set("parkedAt", FormatTime(store.environment().clock->Now()));
  TRY_VOID(RetryRead(EventStoreCoreOf(store), [&] {
    return store.database().PutItem(
        {.table_name = store.options().projection_states_table_name, .item = item});
  }));
  return {};
}

Result<std::vector<ParkedEvent>> ReadParked(EventStore& store, const std::string& partition,
                                            const std::string& prefix) {
  constexpr std::size_t kDigits = 20;
  EventStoreCore& core = EventStoreCoreOf(store);
  PageCursor cursor(core, {.table_name = core.options.projection_states_table_name,
                           .partition_attribute = "pk",
                           .partition = partition,
                           .sort_attribute = "sk",
                           .consistent = true});
  std::vector<ParkedEvent> parked;
  for (const Item* item = TRY(cursor.Peek()); item != nullptr; item = TRY(cursor.Peek())) {
    const std::string key = TextOr(*item, "sk");
    if (key.starts_with(prefix) && key.size() == prefix.size() + kDigits) {
      parked.push_back({.position = TRY(CountField(*item, "position")),
                        .event_id = TextOr(*item, "eventId"),
                        .attempts = static_cast<int>(CountOr(*item, "attempts")),
                        .reason = TextOr(*item, "reason"),
                        .parked_at = TextOr(*item, "parkedAt")});
    }
    cursor.Pop();
  }
  return parked;
}

Result<void> RemoveParked(EventStore& store, const Item& key, std::uint64_t position) {
  DeleteItemInput remove = patterns::MakeDelete(store.options().projection_states_table_name, key);
  remove.return_values = ReturnValues::kAllOld;
  const DeleteItemOutput output =
      TRY(RetryRead(EventStoreCoreOf(store), [&] { return store.database().DeleteItem(remove); }));
  if (!output.attributes) {
    return Fail(ErrorCode::kNotFound,
                "the event at position " + std::to_string(position) + " is not parked");
  }
  return {};
}

std::string ShortReason(std::string reason) {
  constexpr std::size_t kBytesMax = 500;
  if (!value::IsUtf8(reason)) {
    return "for a reason that is not UTF-8";
  }
  if (reason.size() > kBytesMax) {
    std::size_t end = kBytesMax;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    reason.resize(end);
  }
  return reason;
}

}  // namespace stator::events
