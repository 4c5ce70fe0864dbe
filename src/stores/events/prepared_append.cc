#include "stores/events/prepared_append.h"

#include <algorithm>

#include "base/digest.h"
#include "base/limits.h"
#include "base/try.h"
#include "stator/stores/events/tag.h"
#include "stores/events/event_item.h"
#include "stores/events/publications.h"
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

std::string FingerprintOf(const std::vector<Event>& events) {
  std::string content;
  for (const Event& event : events) {
    AppendField(event.type, content);
    AppendField(event.payload, content);
    AppendField(std::to_string(event.tags.size()), content);
    for (const std::string& tag : event.tags) {
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

// More than the item of an event has, of a staged one too, and than the row of one of its tags has,
// whose longest tag occurs in its keys.
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

void Touch(const HeadKey& key, std::size_t index, PreparedAppend& append) {
  PreparedAppend::Span& span =
      append.heads.try_emplace(key, PreparedAppend::Span{index, index, 0}).first->second;
  span.last = index;
  ++span.events;
}

}  // namespace

Result<PreparedAppend> PrepareAppend(Core& core, std::vector<NewEvent> events) {
  if (events.size() > kEventsPerAppendMax) {
    return Invalid("an append has at most 10000 events");
  }
  PreparedAppend append;
  const std::string now = FormatTime(core.environment.clock->Now());
  for (NewEvent& event : events) {
    TRY_VOID(CheckEvent(core, event));
    std::sort(event.tags.begin(), event.tags.end());
    event.tags.erase(std::unique(event.tags.begin(), event.tags.end()), event.tags.end());
    const std::size_t index = append.events.size();
    for (const std::string& tag : event.tags) {
      Touch(HeadKey::OfTag(tag), index, append);
    }
    if (core.recorded.type_heads) {
      Touch(HeadKey::OfType(event.type), index, append);
    }
    if (core.recorded.global_head) {
      Touch(HeadKey::All(), index, append);
    }
    append.tag_rows += event.tags.size();
    append.events.push_back({.id = {},
                             .sortable_id = {},
                             .type = std::move(event.type),
                             .payload = std::move(event.payload),
                             .tags = std::move(event.tags),
                             .metadata = std::move(event.metadata),
                             .recorded_at = now});
  }
  if (append.heads.size() > kHeadsPerAppendMax) {
    return Invalid("an append has at most 90 different tags and types; this one has " +
                   std::to_string(append.heads.size()));
  }
  append.fingerprint = FingerprintOf(append.events);
  AssignEventIds(core.environment.random->Uuid(), append);
  TRY_VOID(CheckEventSizes(core, append));
  return append;
}

void AssignEventIds(const std::string& seed, PreparedAppend& append) {
  append.seed = seed;
  for (std::size_t index = 0; index < append.events.size(); ++index) {
    append.events[index].id = MakeEventId(seed, index);
  }
}

void AssignPlaces(const std::vector<SortableId>& ids, std::uint64_t first_position,
                  PreparedAppend& append) {
  for (std::size_t index = 0; index < append.events.size(); ++index) {
    append.events[index].sortable_id = ids[index];
    append.events[index].position = first_position == 0 ? 0 : first_position + index;
  }
}

HeadMove MakeMove(const PreparedAppend& append, const PreparedAppend::Span& span) {
  return {.first = append.events[span.first].sortable_id,
          .last = append.events[span.last].sortable_id,
          .last_event_id = append.events[span.last].id,
          .events = span.events};
}

std::map<std::string, Item> FindNewEntries(const Core& core, const PreparedAppend& append) {
  std::map<std::string, Item> entries;
  const auto add = [&](std::string name, Item item) {
    if (!core.known_entries.Contains(name)) {
      entries.emplace(std::move(name), std::move(item));
    }
  };
  for (const auto& [key, span] : append.heads) {
    if (key.kind == HeadKey::Kind::kTag) {
      const std::string_view group = GroupOf(key.name);
      add("tag " + key.name, core.keys.TagEntry(key.name));
      add("group " + std::string(group), core.keys.GroupEntry(group));
    }
  }
  for (const Event& event : append.events) {
    add("type " + event.type, core.keys.TypeEntry(event.type));
  }
  return entries;
}

Appended MakeAnswer(const PreparedAppend& append) {
  Appended answer;
  answer.events.reserve(append.events.size());
  for (const Event& event : append.events) {
    answer.events.push_back({event.id, event.sortable_id, event.position});
  }
  return answer;
}

Result<void> CheckEventSizes(const Core& core, const PreparedAppend& append) {
  // The item of a staged event is the largest form; its append id has at most 256 bytes.
  const StageMark mark{.append_id = std::string(256, 'x'), .stage = append.seed, .index = 9999};
  for (std::size_t index = 0; index < append.events.size(); ++index) {
    if (BoundOf(append.events[index]) <= limits::kItemBytesMax) {
      continue;
    }
    const std::size_t bytes = value::SizeOfItem(EncodeEvent(core, append.events[index], mark));
    if (bytes > limits::kItemBytesMax) {
      return Invalid("event " + std::to_string(index) + " would be stored with " +
                     std::to_string(bytes) + " bytes; " + std::to_string(limits::kItemBytesMax) +
                     " are allowed");
    }
  }
  return {};
}

std::size_t MeasureAppend(const PreparedAppend& append) {
  // A head's update and a registry's entry are small; this is more than they have.
  constexpr std::size_t kHeadBytes = 1024;
  std::size_t bytes = append.heads.size() * 3 * kHeadBytes;
  for (const Event& event : append.events) {
    // A row has the tags of the event, but neither its payload nor its metadata.
    bytes += BoundOf(event) + event.tags.size() * (BoundOf(event) - event.payload.size());
  }
  return bytes;
}

}  // namespace stator::events
