#include "stores/events/prepared_append.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/digest.h"
#include "base/hex.h"
#include "base/try.h"
#include "stator/stores/events/tag.h"
#include "stores/events/event_item.h"
#include "stores/events/payload_blobs.h"
#include "stores/events/uuid_text.h"
#include "value/check_value.h"

namespace stator::events {
namespace {

Result<void> CheckEvent(const EventStoreCore& core, const NewEvent& event) {
  if (event.type.empty() || event.type.size() > kTypeBytesMax || !value::IsUtf8(event.type)) {
    return Invalid("the type of an event has 1 to 256 bytes of UTF-8");
  }
  for (const std::string* text : {&event.metadata.causation_id, &event.metadata.correlation_id,
                                  &event.metadata.executed_user}) {
    if (!value::IsUtf8(*text)) {
      return Invalid("the metadata of an event are not UTF-8");
    }
  }
  return CheckTags(event.tags, core.options.tag_rule);
}

void AppendField(std::string_view text, std::string& out) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}

}  // namespace

std::string FingerprintOf(const std::vector<NewEvent>& events, const KeyBySubject& keys) {
  std::string content;
  for (const NewEvent& event : events) {
    AppendField(event.type, content);
    AppendField(event.payload, content);
    if (!event.subject.empty()) {
      // Without the key nobody can try which payload it was.
      const base::SealingKey& key = keys.at(event.subject);
      AppendField(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()), content);
      AppendField(event.subject, content);
    }
    const std::set<std::string> tags(event.tags.begin(), event.tags.end());
    AppendField(std::to_string(tags.size()), content);
    for (const std::string& tag : tags) {
      AppendField(tag, content);
    }
  }
  return base::HexOf(base::Sha256(content));
}

namespace {

Result<void> CheckIds(const std::vector<NewEvent>& events) {
  std::set<std::string_view> ids;
  for (const NewEvent& event : events) {
    if (event.id.empty()) {
      continue;
    }
    const std::optional<UuidBytes> bytes = ParseUuid(event.id);
    if (!bytes || ((*bytes)[6] & 0xF0U) == 0x80U) {
      return Invalid("the id of an event is a UUID in small letters, not of version 8");
    }
    if (!ids.insert(event.id).second) {
      return Invalid("two events of an append have the same id");
    }
  }
  return {};
}

}  // namespace

Result<void> PrepareAppend(const EventStoreCore& core, std::vector<NewEvent> events,
                           const KeyBySubject& keys, Ticket& ticket) {
  if (events.size() > kEventsPerAppendMax) {
    return Invalid("an append has at most 10000 events");
  }
  TRY_VOID(CheckIds(events));
  const std::string now = FormatTime(core.environment.clock->Now());
  for (NewEvent& event : events) {
    TRY_VOID(CheckEvent(core, event));
    std::sort(event.tags.begin(), event.tags.end());
    event.tags.erase(std::unique(event.tags.begin(), event.tags.end()), event.tags.end());
    if (event.tags.size() > kTagsPerEventMax) {
      return Invalid("an event has at most 1000 tags");
    }
    if (!event.subject.empty()) {
      event.payload = SealPayload(core, keys.at(event.subject), event.subject, event.payload);
    }
    ticket.events.push_back({.id = std::move(event.id),
                             .sortable_id = {},
                             .type = std::move(event.type),
                             .payload = std::move(event.payload),
                             .tags = std::move(event.tags),
                             .metadata = std::move(event.metadata),
                             .recorded_at = now,
                             .subject = std::move(event.subject)});
    TRY_VOID(FitPayload(core, ticket.events.size() - 1, ticket.events.back(), ticket.payloads));
  }
  return {};
}

}  // namespace stator::events
