#include <utility>

#include "base/base64.h"
#include "base/try.h"
#include "stator/stores/events/maintenance.h"
#include "stores/events/export_end.h"
#include "stores/events/item_fields.h"
#include "value/check_value.h"
#include "value/plain_json.h"

namespace stator::events {
namespace {

std::unexpected<Error> Unreadable(const char* what) {
  return Fail(ErrorCode::kSerialization, std::string("a line of events ") + what);
}

Result<std::vector<std::string>> TextsOf(const AttributeValue* value) {
  std::vector<std::string> texts;
  if (value == nullptr) {
    return texts;
  }
  const auto* list = value->If<List>();
  if (list == nullptr) {
    return Unreadable("has tags that are not a list");
  }
  for (const AttributeValue& entry : *list) {
    const auto* text = entry.If<std::string>();
    if (text == nullptr) {
      return Unreadable("has a tag that is not text");
    }
    texts.push_back(*text);
  }
  return texts;
}

}  // namespace

std::string FormatEventLine(const Event& event) {
  Map metadata;
  for (const auto& [name, text] : {std::pair{"causationId", &event.metadata.causation_id},
                                   {"correlationId", &event.metadata.correlation_id},
                                   {"executedUser", &event.metadata.executed_user}}) {
    if (!text->empty()) {
      metadata.Set(name, *text);
    }
  }
  List tags;
  for (const std::string& tag : event.tags) {
    tags.emplace_back(tag);
  }
  Item line{{"id", event.id},
            {"sortableId", event.sortable_id.ToText()},
            {"type", event.type},
            {"tags", std::move(tags)},
            {"metadata", std::move(metadata)},
            {"recordedAt", event.recorded_at}};
  if (event.position != 0) {
    line.Set("position", event.position);
  }
  if (value::IsUtf8(event.payload)) {
    line.Set("payload", event.payload);
  } else {
    line.Set("payloadBase64", base::EncodeBase64(event.payload));
  }
  if (!event.subject.empty()) {
    line.Set("subject", event.subject);
  }
  if (event.erased) {
    line.Set("erased", true);
  }
  return value::ToPlainJson(line);
}

Result<EventLine> ParseEventLine(std::string_view line) {
  const Result<AttributeValue> value = value::ValueFromPlainJson(line);
  const Map* map = value ? value->If<Map>() : nullptr;
  if (map == nullptr) {
    return Unreadable("is not a JSON object");
  }
  EventLine parsed{.id = TextOr(*map, "id"),
                   .position = CountOr(*map, "position"),
                   .recorded_at = TextOr(*map, "recordedAt"),
                   .event = {.type = TextOr(*map, "type"), .subject = TextOr(*map, "subject")},
                   .erased = FlagOr(*map, "erased")};
  if (const std::string place = TextOr(*map, "sortableId"); !place.empty()) {
    const Result<SortableId> id = SortableId::Parse(place);
    if (!id || *id == SortableId::Max()) {
      return Unreadable("has a sortable id that is none");
    }
    parsed.sortable_id = *id;
  }
  if (parsed.event.type.empty()) {
    return Unreadable("has no type");
  }
  parsed.event.tags = TRY(TextsOf(map->Find("tags")));
  parsed.event.payload = TextOr(*map, "payload");
  if (map->contains("payloadBase64")) {
    std::optional<std::string> bytes = base::DecodeBase64(TextOr(*map, "payloadBase64"));
    if (!bytes) {
      return Unreadable("has a payload that is not base64");
    }
    parsed.event.payload = *std::move(bytes);
  }
  const AttributeValue* metadata = map->Find("metadata");
  if (const auto* entries = metadata == nullptr ? nullptr : metadata->If<Map>()) {
    parsed.event.metadata = {.causation_id = TextOr(*entries, "causationId"),
                             .correlation_id = TextOr(*entries, "correlationId"),
                             .executed_user = TextOr(*entries, "executedUser")};
  }
  return parsed;
}

namespace {

Result<ExportEnd> WalkLines(EventStore& store,
                            const std::function<Result<void>(const std::string&)>& take) {
  EventStream stream = TRY(store.Read());
  LineDigest digest;
  while (const std::optional<Event> event = TRY(stream.Next())) {
    const std::string line = FormatEventLine(*event);
    digest.Add(line);
    TRY_VOID(take(line));
  }
  return digest.Finish();
}

}  // namespace

Result<ExportEnd> ExportEvents(EventStore& store,
                               const std::function<Result<void>(const std::string&)>& take) {
  ExportEnd end = TRY(WalkLines(store, take));
  TRY_VOID(take(FormatEndLine(end)));
  return end;
}

Result<ExportEnd> DigestEvents(EventStore& store) {
  return WalkLines(store, [](const std::string&) { return Result<void>(); });
}

}  // namespace stator::events
