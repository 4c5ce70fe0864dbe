#include "stores/events/event_item.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/try.h"
#include "stator/stores/events/tag.h"
#include "stores/events/event_store_core.h"
#include "stores/events/item_fields.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

List ToList(const std::vector<std::string>& texts) {
  List list;
  list.reserve(texts.size());
  for (const std::string& text : texts) {
    list.emplace_back(text);
  }
  return list;
}

std::vector<std::string> TextsOf(const List& list) {
  std::vector<std::string> texts;
  texts.reserve(list.size());
  for (const AttributeValue& value : list) {
    if (const auto* text = value.If<std::string>()) {
      texts.push_back(*text);
    }
  }
  return texts;
}

void SetUnlessEmpty(Item& item, const char* name, const std::string& text) {
  if (!text.empty()) {
    item.Set(name, text);
  }
}

// JSON by custom, and then text as the original system has it; anything else as a binary.
AttributeValue EncodePayload(const std::string& payload) {
  if (value::IsUtf8(payload)) {
    return payload;
  }
  return Binary{payload};
}

void SetExpiry(const EventStoreCore& core, const Event& event, Item& item) {
  if (core.options.view_ttl) {
    item.Set("ttl", EpochSeconds(event.sortable_id.Time() + *core.options.view_ttl));
  }
}

}  // namespace

Item EncodeEvent(const EventStoreCore& core, const Event& event) {
  const std::string id = event.sortable_id.ToText();
  Item item = core.keys.Event(event.id);
  item.Set("serviceId", core.options.service_id);
  item.Set("eventId", event.id);
  item.Set("eventType", event.type);
  if (event.payload_key.empty() || event.erased) {
    const std::string& payload = event.erased ? std::string() : event.payload;
    item.Set("payload",
             event.subject.empty() ? EncodePayload(payload) : AttributeValue(Binary{payload}));
  } else {
    item.Set("payloadKey", event.payload_key);
  }
  SetUnlessEmpty(item, "payloadSubject", event.subject);
  if (event.erased) {
    item.Set("payloadErased", true);
  }
  item.Set("tags", ToList(event.tags));
  item.Set("sortableUniqueId", id);
  item.Set("gsi1pk", core.keys.LogPartition(ShardOf(id, core.recorded.shard_count)));
  item.Set("timestamp", event.recorded_at);
  SetUnlessEmpty(item, "causationId", event.metadata.causation_id);
  SetUnlessEmpty(item, "correlationId", event.metadata.correlation_id);
  SetUnlessEmpty(item, "executedUser", event.metadata.executed_user);
  if (event.position != 0) {
    item.Set("position", event.position);
  }
  SetExpiry(core, event, item);
  return item;
}

Item EncodeTagRow(const EventStoreCore& core, const Event& event, const std::string& tag) {
  const std::string id = event.sortable_id.ToText();
  Item item{{"pk", core.keys.TagPartition(tag)},
            {"sk", id + "#" + event.id},
            {"serviceId", core.options.service_id},
            {"tagString", tag},
            {"tagGroup", core.options.service_id + "|" + std::string(GroupOf(tag))},
            {"eventType", event.type},
            {"eventId", event.id},
            {"sortableUniqueId", id},
            {"createdAt", event.recorded_at}};
  item.Set("eventTags", ToList(event.tags));
  SetExpiry(core, event, item);
  return item;
}

Result<Event> DecodeEvent(const Item& item) {
  Event event{.id = TRY(TextField(item, "eventId")),
              .sortable_id = TRY(IdField(item, "sortableUniqueId")),
              .position = CountOr(item, "position"),
              .type = TRY(TextField(item, "eventType")),
              .payload = {},
              .tags = {},
              .metadata = {.causation_id = TextOr(item, "causationId"),
                           .correlation_id = TextOr(item, "correlationId"),
                           .executed_user = TextOr(item, "executedUser")},
              .recorded_at = TextOr(item, "timestamp")};
  event.payload_key = TextOr(item, "payloadKey");
  const AttributeValue* payload = item.Find("payload");
  if (const auto* binary = payload == nullptr ? nullptr : payload->If<Binary>()) {
    event.payload = binary->bytes;
  } else if (event.payload_key.empty()) {
    event.payload = TRY(TextField(item, "payload"));
  }
  const AttributeValue* tags = item.Find("tags");
  if (const auto* list = tags == nullptr ? nullptr : tags->If<List>()) {
    event.tags = TextsOf(*list);
  }
  return event;
}

Result<DecodedTagRow> DecodeTagRow(const Item& item) {
  DecodedTagRow decoded{.row = {.tag = TRY(TextField(item, "tagString")),
                                .event_id = TRY(TextField(item, "eventId")),
                                .sortable_id = TRY(IdField(item, "sortableUniqueId")),
                                .event_type = TextOr(item, "eventType")},
                        .tags = std::nullopt};
  const AttributeValue* tags = item.Find("eventTags");
  if (const auto* list = tags == nullptr ? nullptr : tags->If<List>()) {
    decoded.tags = TextsOf(*list);
  }
  return decoded;
}

std::string FormatTime(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string text = "0000-00-00T00:00:00.0000000Z";
  // The last digit is always 0: the original system has tenths of a microsecond.
  const auto put = [&](std::size_t at, std::size_t digits, std::int64_t number) {
    for (std::size_t place = at + digits; place > at; --place) {
      text[place - 1] = static_cast<char>('0' + number % 10);
      number /= 10;
    }
  };
  put(0, 4, std::clamp(static_cast<int>(date.year()), 0, 9999));
  put(5, 2, static_cast<unsigned>(date.month()));
  put(8, 2, static_cast<unsigned>(date.day()));
  put(11, 2, clock.hours().count());
  put(14, 2, clock.minutes().count());
  put(17, 2, clock.seconds().count());
  put(20, 6, clock.subseconds().count());
  return text;
}

}  // namespace stator::events
