#include "stores/events/prepared_append.h"

#include <algorithm>
#include <set>

#include "base/digest.h"
#include "base/limits.h"
#include "base/try.h"
#include "stator/stores/events/tag.h"
#include "stores/events/event_item.h"
#include "value/check_value.h"
#include "value/size.h"

namespace stator::events {
namespace {

Result<void> CheckEvent(const Core& core, const NewEvent& event) {
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

// More than the item of an event has, and than the row of one of its tags has, whose longest tag
// occurs in its keys.
std::size_t BoundOf(const Event& event) {
  constexpr std::size_t kNamesAndIds = 2048;
  std::size_t bytes = kNamesAndIds + event.payload.size() + event.type.size() +
                      event.metadata.causation_id.size() + event.metadata.correlation_id.size() +
                      event.metadata.executed_user.size();
  for (const std::string& tag : event.tags) {
    bytes += tag.size() + 8;
  }
  return bytes;
}

// What an item of the view can hold, an event must not exceed.
Result<void> CheckSize(const Core& core, const Event& event, std::size_t index) {
  if (BoundOf(event) <= limits::kItemBytesMax) {
    return {};
  }
  const std::size_t bytes = value::SizeOfItem(EncodeEvent(core, event));
  if (bytes > limits::kItemBytesMax) {
    return Invalid("event " + std::to_string(index) + " would be stored with " +
                   std::to_string(bytes) + " bytes; " + std::to_string(limits::kItemBytesMax) +
                   " are allowed");
  }
  return {};
}

}  // namespace

std::string FingerprintOf(const std::vector<NewEvent>& events) {
  std::string content;
  for (const NewEvent& event : events) {
    AppendField(event.type, content);
    AppendField(event.payload, content);
    const std::set<std::string> tags(event.tags.begin(), event.tags.end());
    AppendField(std::to_string(tags.size()), content);
    for (const std::string& tag : tags) {
      AppendField(tag, content);
    }
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : base::Sha256(content)) {
    const auto byte = static_cast<unsigned char>(c);
    hex.push_back(kDigits[byte >> 4U]);
    hex.push_back(kDigits[byte & 0xFU]);
  }
  return hex;
}

Result<void> PrepareAppend(const Core& core, std::vector<NewEvent> events, Ticket& ticket) {
  if (events.size() > kEventsPerAppendMax) {
    return Invalid("an append has at most 10000 events");
  }
  const std::string now = FormatTime(core.environment.clock->Now());
  for (NewEvent& event : events) {
    TRY_VOID(CheckEvent(core, event));
    std::sort(event.tags.begin(), event.tags.end());
    event.tags.erase(std::unique(event.tags.begin(), event.tags.end()), event.tags.end());
    if (event.tags.size() > kTagsPerEventMax) {
      return Invalid("an event has at most 1000 tags");
    }
    ticket.events.push_back({.id = {},
                             .sortable_id = {},
                             .type = std::move(event.type),
                             .payload = std::move(event.payload),
                             .tags = std::move(event.tags),
                             .metadata = std::move(event.metadata),
                             .recorded_at = now});
    TRY_VOID(CheckSize(core, ticket.events.back(), ticket.events.size() - 1));
  }
  return {};
}

}  // namespace stator::events
