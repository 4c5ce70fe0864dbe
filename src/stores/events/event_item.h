// Events and the rows of their tags, as items and back.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stator/base/clock.h"
#include "stator/base/result.h"
#include "stator/stores/events/event.h"
#include "stator/stores/events/event_store.h"
#include "stator/value/attribute_value.h"

namespace stator::events {

struct EventStoreCore;

Item EncodeEvent(const EventStoreCore& core, const Event& event);
// One row per tag.
Item EncodeTagRow(const EventStoreCore& core, const Event& event, const std::string& tag);

Result<Event> DecodeEvent(const Item& item);

struct DecodedTagRow {
  TagRow row;
  // All tags of the event; nothing in rows that another system wrote.
  std::optional<std::vector<std::string>> tags;
};
Result<DecodedTagRow> DecodeTagRow(const Item& item);

// "2026-01-01T00:00:00.0000000Z".
std::string FormatTime(TimePoint time);

}  // namespace stator::events
